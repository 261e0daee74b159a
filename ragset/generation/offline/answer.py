"""The sentence that answers best, quoted to the letter."""

import math
import re
from collections import Counter

from ragset.generation.offline.candidates import Candidate, candidates
from ragset.generation.offline.prose import spoken
from ragset.generation.offline.steps import stepped
from ragset.generation.offline.substance import content, names
from ragset.generation.offline.tabled import blank, row_of
from ragset.generation.offline.text import Sentence, numbers, sentences
from ragset.generation.offline.wording import wordings
from ragset.llm.replies import GroundedAnswer

_EXPECTED = (
    (re.compile(r"\b(?:when|cuándo|wann|quand|what year|which year)\b", re.IGNORECASE), re.compile(r"\d{3,4}|\bcentury\b|\d{1,2} [A-Z]")),
    (re.compile(r"\b(?:how many|how much|how long|how old|how tall|cuántos?|wie viele|combien)\b", re.IGNORECASE), re.compile(
        r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|hundred|thousand|million|half|dozen)\b")),
    (re.compile(r"\bwhy\b", re.IGNORECASE), re.compile(
        r"\b(?:because|since|so that|due to|in order|so as|as a result|owing|thanks|therefore|to [a-z]+|for)\b", re.IGNORECASE)),
    (re.compile(r"\b(?:who|quién|wer|von wem|par qui)\b", re.IGNORECASE), re.compile(r"(?<=\s)[A-ZÀ-Þ]\w+|\bby\b")),
)  # fmt: skip
"""How it is asked, and what the answer must hold."""
_LEANING_START = re.compile(r"(?:He|She|It|They|This|These|That|Those|Its|His|Her|Their|Such)\b")
_LEAST_SHARE = 0.6
"""Of the weight of the query's words that the passage must hold, and its best sentence nearly so."""


def answer_query(chunk: str, query: str) -> GroundedAnswer:
    """The sentence that a pattern asks for with this very query, or the one that shares most with it."""
    asked_for = known(chunk, query)
    if asked_for:
        answer = asked_for.question.answer or asked_for.answer
        quotes = tuple(sentence.text for sentence in asked_for.evidence)
        return GroundedAnswer(
            reason="By rule: this sentence states it.", verdict="answered", answer=answer, quotes=quotes
        )
    chosen = _most_alike(chunk, query)
    if isinstance(chosen, str):
        return GroundedAnswer(reason=f"By rule: {chosen}.", verdict="not_in_passage", answer=None, quotes=())
    return GroundedAnswer(
        reason="By rule: of all sentences this shares most words with the query.",
        verdict="answered",
        answer=" ".join(spoken(sentence.text) for sentence in chosen),
        quotes=tuple(sentence.text for sentence in chosen),
    )


def known(chunk: str, query: str) -> Candidate | None:
    """What a pattern finds in `chunk` with this very query, or for the empty cell of its table."""
    label = blank(query)
    if label:
        return next((candidate for candidate in candidates(chunk) if row_of(candidate, label)), None)
    return next(
        (candidate for candidate in candidates(chunk) if query in wordings(candidate.question)),
        None,
    ) or next((candidate for candidate in stepped(chunk) if candidate.question.text == query), None)


def _most_alike(chunk: str, query: str) -> tuple[Sentence, ...] | str:
    """One sentence, or two where the second leans on the first; or why there is none."""
    asked = set(content(query))
    pieces = sentences(chunk)
    stems = [set(content(sentence.text)) for sentence in pieces]
    frequency = Counter(word for found in stems for word in found)
    if not asked or not pieces:
        return "the query names nothing to look for"
    missing = {number for number in numbers(query) if number not in chunk} | (names(query) - set(frequency))
    if missing:
        return f'the passage does not speak of "{min(missing)}"'
    weight = {word: math.log(1 + len(pieces) / max(1, frequency[word])) for word in asked}
    whole = sum(weight.values())
    if sum(weight[word] for word in asked if frequency[word]) < _LEAST_SHARE * whole:
        return "the passage does not speak of most of what is asked"
    expected = [answer for question, answer in _EXPECTED if question.search(query)]

    def rank(place: int) -> tuple[float, int]:
        shared = sum(weight[word] for word in asked & stems[place])
        holds = all(pattern.search(pieces[place].text) for pattern in expected)
        # A short sentence about it says more of it than a long one that mentions it.
        return (shared if holds else 0.0) - 0.01 * len(stems[place]), -place

    best = max(range(len(pieces)), key=rank)
    if rank(best)[0] < 0.75 * _LEAST_SHARE * whole:
        return "no sentence states what is asked"
    if best and _LEANING_START.match(pieces[best].text):
        return pieces[best - 1], pieces[best]
    return (pieces[best],)
