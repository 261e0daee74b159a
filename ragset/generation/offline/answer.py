"""Answers quoted to the letter, by facts or by words shared with the query; a reader and a reranker of rules."""

import math
import re
from collections import Counter
from functools import lru_cache
from typing import NamedTuple

from ragset.generation.offline.draft import COMPARISON, pairs, typed
from ragset.generation.offline.facts import facts
from ragset.generation.offline.text import Sentence, content, names, numbers, percent, sentences, share
from ragset.llm.replies import (
    AnswersCompared,
    ClosedBookAnswer,
    ContextAnswer,
    GroundedAnswer,
    Quote,
    Ranking,
    ReaderAnswer,
)

_EXPECTED = (
    (re.compile(r"\b(?:when|cuándo|wann|quand|which year)\b", re.IGNORECASE), re.compile(r"\d{3}|\bcentury\b|\d [A-Z]")),
    (re.compile(r"\bhow (?:many|much|long|old|tall)\b", re.IGNORECASE), re.compile(
        r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|hundred|thousand|half|dozen)\b")),
    (re.compile(r"\b(?:who|quién|wer|qui)\b", re.IGNORECASE), re.compile(r"(?<=\s)[A-ZÀ-Þ]\w|\bby\b")),
)  # fmt: skip
"""How it is asked, and what an answer must hold."""
_LEANING_START = re.compile(r"(?:He|She|It|They|This|These|That|Those|Its|His|Her|Their|Such)\b")
_LEAST_SHARE = 0.6
"""Of the weight of the query's words that a passage must hold, and its best sentence nearly so."""


class Found(NamedTuple):
    """What some chunks say to a query."""

    parts: tuple[tuple[int, tuple[Sentence, ...]], ...]
    """The place of each chunk that is drawn from, from 0, with its sentences; empty where they do not answer."""
    answer: str
    why: str


def answer_query(chunk: str, query: str) -> GroundedAnswer:
    """From one chunk."""
    found = find((chunk,), query)
    verdict = "answered" if found.parts else "not_in_passage"
    quotes = tuple(sentence.text for _, said in found.parts for sentence in said)
    return GroundedAnswer(reason=f"By rule: {found.why}.", verdict=verdict, answer=found.answer or None, quotes=quotes)


def answer_multi(chunks: tuple[str, ...], query: str) -> ContextAnswer:
    """From several chunks together."""
    found = find(chunks, query)
    verdict = "answered" if found.parts else "not_in_passages"
    quotes = tuple(Quote(chunk=place + 1, quote=one.text) for place, said in found.parts for one in said)[:16]
    return ContextAnswer(reason=f"By rule: {found.why}.", verdict=verdict, answer=found.answer or None, quotes=quotes)


def compare_answers(answer: str, partial: str) -> AnswersCompared:
    """The same where the answer from fewer passages holds every word of substance of the other."""
    missing = sorted(set(content(answer)) - set(content(partial)))
    reason = f"By rule: it lacks {', '.join(missing[:5])}." if missing else "By rule: it lacks no word of substance."
    return AnswersCompared(reason=reason, verdict="lesser" if missing else "same")


@lru_cache(maxsize=256)
def find(chunks: tuple[str, ...], query: str) -> Found:
    """By a pair of facts, then by one fact, then by the words that a sentence shares with the query."""
    for pair in pairs(chunks):
        if pair.query == query:
            parts = tuple(sorted((place, (fact.sentence,)) for place, fact in pair.sides))
            return Found(parts, pair.answer, "two passages each state one of the facts compared")
    for place, fact in ((place, fact) for place, chunk in enumerate(chunks) for fact in facts(chunk)):
        if query.casefold() in {fact.query.casefold(), typed(fact.query).casefold()}:
            return Found(((place, (fact.sentence,)),), fact.answer, "one sentence states it")
    if COMPARISON.fullmatch(query):
        return Found((), "", "not both of the facts compared are stated")
    asked = set(content(query))
    said = [(place, found) for place, chunk in enumerate(chunks) if (found := _most_alike(chunk, query))]
    if not said:
        return Found((), "", "none of the passages speaks of what is asked")
    best = max(said, key=lambda one: len(asked & set(content(" ".join(sentence.text for sentence in one[1])))))
    answer = " ".join(sentence.plain for sentence in best[1])
    return Found((best,), answer, "this sentence shares most words with the query")


def _most_alike(chunk: str, query: str) -> tuple[Sentence, ...]:
    """One sentence, or two where the second leans on the first; () where none says enough."""
    asked = sorted(set(content(query)))
    pieces = sentences(chunk)
    stems = [set(content(sentence.text)) for sentence in pieces]
    frequency = Counter(word for found in stems for word in found)
    missing = [number for number in numbers(query) if number not in chunk] or names(query) - set(frequency)
    if not asked or not pieces or missing:
        return ()
    weight = {word: math.log(1 + len(pieces) / max(1, frequency[word])) for word in asked}
    whole = sum(weight.values())
    if sum(weight[word] for word in asked if frequency[word]) < _LEAST_SHARE * whole:
        return ()
    expected = [answer for question, answer in _EXPECTED if question.search(query)]

    def rank(place: int) -> tuple[float, int]:
        shared = sum(weight[word] for word in asked if word in stems[place])
        holds = all(pattern.search(pieces[place].text) for pattern in expected)
        # A short sentence about it says more of it than a long one that mentions it.
        return (shared if holds else 0.0) - 0.01 * len(stems[place]), -place

    best = max(range(len(pieces)), key=rank)
    if rank(best)[0] < 0.75 * _LEAST_SHARE * whole:
        return ()
    return pieces[best - 1 if best and _LEANING_START.match(pieces[best].text) else best : best + 1]


def read_passages(chunks: tuple[str, ...], query: str) -> ReaderAnswer:
    """The best sentences of the passage whose quotes share most words with the query; of equals the first passage."""
    asked = set(content(query))
    replies = [answer_query(chunk, query) for chunk in chunks]
    shares = [share(set(content(" ".join(one.quotes))), asked) if one.answer else -1.0 for one in replies]
    most = max(shares, default=-1.0)
    if most < 0:
        return ReaderAnswer(reason="By rule: no passage answers it.", verdict="abstained", answer=None, chunks=())
    place = shares.index(most)
    reason = f"By rule: {percent(most)} of the query's words stand in what passage {place + 1} says."
    return ReaderAnswer(reason=reason, verdict="answered", answer=replies[place].answer, chunks=(place + 1,))


def answer_closed_book() -> ClosedBookAnswer:
    """An abstention, whatever is asked."""
    return ClosedBookAnswer(reason="By rule: rules know nothing by heart.", verdict="abstained", answer=None)


def rerank_passages(chunks: tuple[str, ...], query: str) -> Ranking:
    """By the query's words that a passage holds, those that few passages hold weighing more; of equals the first."""
    held = [set(content(chunk)) for chunk in chunks]
    frequency = Counter(word for found in held for word in found)
    # In the order of the query: a sum over a set would depend on the seed of its hashes.
    weight = {word: math.log(1 + len(chunks) / frequency[word]) for word in content(query) if frequency[word]}
    scores = [sum(weight[word] for word in weight if word in found) for found in held]
    order = sorted(range(len(chunks)), key=lambda place: -scores[place])
    return Ranking(reason="By rule: by the query's words in each.", order=tuple(place + 1 for place in order))
