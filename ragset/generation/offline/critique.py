"""Groundedness, relevance and clarity by counting words: blunt, and it says so."""

import re

from ragset.generation.offline.answer import content
from ragset.generation.offline.joined import is_joined
from ragset.generation.offline.language import guess_language
from ragset.generation.offline.nouns import VAGUE
from ragset.generation.offline.prose import capital
from ragset.generation.offline.question import is_sound
from ragset.generation.offline.text import numbers, sentences, stem, tidy, words
from ragset.llm.replies import Criticism, Critique, Score
from ragset.text.rules.blocks import prose
from ragset.text.rules.passage_references import leans

_BOUNDLESS = re.compile(
    r"(?:What|Who) (?:was|were) [A-Z][\w'’-]+\?|What happened(?: (?:in|on|to|at) [\w ]{1,20})?\?"
    r"|(?:What|How) about .*|Tell me .*|(?:What|Who|When|Where|Why|How) (?:did|does|do|is|was|are|were) \w+\?"
)
"""Questions that almost anything would answer."""
_DIRECT = frozenset(["What is", "What are", "Who is", "Who was", "Who were"])
_PRONOUN = re.compile(r"\b(?:he|she|they|him|this|these|those|such)\b", re.IGNORECASE)


_VERDICT = re.compile(r"(?:Yes|No)\. |[^.]{3,80} came first\. |(?:About )?[\d,]+ years?\. ")
_QUOTED = re.compile(r"(?<!\w)[\"“”„«‘']\s?([^\"“”„«»‘’']{1,60}?)\s?[\"“”»’'](?!\w)")
"""A term or a title, which is no oddity of a question."""
_LONGEST = 28
"""Words of a query about two things."""
_VAGUE_STEMS = frozenset(stem(word) for word in VAGUE)


def critique(audience: str, chunk: str, query: str, answer: str) -> Critique:
    """All three scores."""
    return Critique(
        groundedness=groundedness(chunk, query, answer),
        relevance=relevance(audience, query, chunk),
        clarity=clarity(query),
    )


def groundedness(chunk: str, query: str, answer: str) -> Criticism:
    """5 where the answer stands in the passage, or is made of its words alone."""
    said, here = words(answer), {stem(word) for word in words(chunk)}
    if not said:
        return _criticism("there is no answer", 1)
    invented = [number for number in numbers(answer) if number not in chunk]
    if invented:
        return _criticism(f"the passage does not state {invented[0]}", 2)
    share = sum(stem(word) in here for word in said) / len(said)
    about = set(content(query))
    if about and not about & here:
        return _criticism("the passage does not speak of what is asked", 2)
    here_as_is = tidy(chunk).lower()
    told = [tidy(sentence.text).rstrip(".").lower() for sentence in sentences(_VERDICT.sub("", answer, count=1))]
    if all(sentence in here_as_is for sentence in told):
        return _criticism("the passage states the answer word for word", 5)
    score: Score = 5 if share > 0.97 else 4 if share > 0.85 else 3 if share > 0.6 else 2 if share > 0.3 else 1
    return _criticism(f"{round(100 * share)} % of the answer's words stand in the passage", score)


def relevance(audience: str, query: str, chunk: str) -> Criticism:
    """By how specific the query is and how much of it the passage speaks of: who asks, a rule cannot weigh."""
    asked = set(content(query))
    here = {stem(word) for word in words(chunk)}
    shared = asked & here
    if not asked or len(shared) < 0.5 * len(asked):
        return _criticism("the passage hardly speaks of what is asked", 2)
    who = f'whether "{tidy(audience)[:80]}" would ask is not weighed'
    names = re.search(r"(?<=\w )[A-ZÀ-Þ]\w|\d", query)
    if len(shared) >= 3 or (names and len(shared) >= 2):
        return _criticism(f"specific, with {len(shared)} words that the passage speaks of; {who}", 5)
    return _criticism(f"it asks about one thing that the passage speaks of; {who}", 4)


def clarity(query: str) -> Criticism:
    """1 where the query leans on something unseen, 5 where it names its subject in a full question."""
    query = prose(query)
    phrase = leans(query, guess_language(query) or "en")
    if phrase:
        return _criticism(f'it leans on something unseen with "{phrase}"', 1)
    pronoun = _PRONOUN.search(query)
    if pronoun:
        return _criticism(f'nobody can tell what "{pronoun[0]}" stands for', 2)
    about = content(query)
    if not about:
        return _criticism("it names no subject", 2)
    if not re.search(r"(?<=\w )[A-ZÀ-Þ]|\d", query) and set(about) <= _VAGUE_STEMS:
        return _criticism("none of its words says which one is meant", 2)
    if is_boundless(query):
        return _criticism("nearly anything that the passage says would answer it", 3)
    if len(words(query)) < 2:
        return _criticism("one word does not say what is asked", 3)
    sound = len(query.split()) <= _LONGEST if is_joined(query) else is_sound(_unquoted(query))
    if (guess_language(query) or "en") == "en" and len(query.split()) >= 3 and not sound:
        return _criticism("it is long, or speaks of something that it does not name", 3)
    if query.rstrip()[-1:] not in {"?", "."}:
        return _criticism("key words with one obvious reading", 4)
    return _criticism("one question that names its subject", 5)


def _unquoted(query: str) -> str:
    """Terms without their quotes, written as the names that they are."""
    return _QUOTED.sub(lambda term: capital(term[1]), query)


def is_boundless(query: str) -> bool:
    """Nearly anything would answer it."""
    return _BOUNDLESS.fullmatch(query.strip()) is not None and " ".join(query.split()[:2]) not in _DIRECT


def _criticism(reason: str, score: Score) -> Criticism:
    return Criticism(reason=f"By rule: {reason}.", score=score)
