"""How two kinds of thing differ, and how two measures compare."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from ragset.llm.offline.candidates import candidates, told
from ragset.llm.offline.clause import Clause, parse
from ragset.llm.offline.joined import Joined, place_holders
from ragset.llm.offline.statements import Statement, statements
from ragset.llm.offline.text import Sentence

_ALIKE = tuple(
    frozenset(group.split())
    for group in (
        "show tell measure indicate display keep", "drive power move propel run", "use employ need require",
        "produce generate create", "prevent avoid stop block", "reduce lower limit", "cause trigger", "contain hold",
        "protect guard defend", "store save keep", "carry transport convey", "convert turn change transform",
        "consist comprise contain", "absorb take receive", "emit send give release",
    )
)  # fmt: skip
"""Verbs that say nearly the same of their subjects."""
_EMPTY = frozenset(["", "have", "make", "take", "give", "get", "go", "come", "let", "become"])
"""Verbs that say too little to compare by."""


def contrasted(first: str, second: str) -> Iterator[Joined]:
    """Queries like `How does a sundial differ from a water clock?`."""
    for one in statements(first):
        for other in statements(second):
            score = _comparable(one, other)
            if score == 0 or _is_stated(one, other, first) or _is_stated(one, other, second):
                continue
            do = "do" if one.plural else "does"
            yield Joined(
                shape="comparison",
                query=f"How {do} {one.subject} differ from {other.subject}?",
                parts=place_holders(one.evidence, other.evidence),
                answer=f"{one.answer} {other.answer}",
                score=score,
                why="each says of one kind what the other says of another",
            )


def _comparable(one: Statement, other: Statement) -> float:
    """How well a difference can be asked for; 0 where the two have nothing to be compared by."""
    if one.kind != other.kind or one.plural != other.plural or one.article != other.article:
        return 0
    if not one.kind and (one.head != other.head or one.article != "the"):
        return 0
    mine, others = one.words, other.words
    if mine <= others or others <= mine:
        return 0
    shared = one.about & other.about - one.words - other.words
    if one.head == other.head:
        return 3.0 + 0.4 * min(2, len(shared)) + 0.3 * (one.defines + other.defines)
    if one.defines and other.defines and one.genus and one.genus == other.genus:
        return 4.0
    same_verb = one.verb not in _EMPTY and (
        one.verb == other.verb or any({one.verb, other.verb} <= group for group in _ALIKE)
    )
    if same_verb and one.core & other.core - {one.verb, other.verb}:
        return 3.6 + 0.3 * min(2, len(shared))
    # Two words in common, said of things of which neither is part of the other.
    if len(shared) > 1 and one.article == "a" and not (mine & other.about or others & one.about):
        return 2.6 + 0.2 * len(shared)
    return 0


def _is_stated(one: Statement, other: Statement, chunk: str) -> bool:
    """The chunk compares the two itself."""
    return any(
        candidate.question.kind == "comparison"
        and one.subject in candidate.question.text
        and other.subject in candidate.question.text
        for candidate in candidates(chunk)
    )


_NUMBER = (
    r"(?:(?:about|around|approximately|roughly|over|nearly|almost|up to|more than|less than|only|within|half an?|one and a half)"
    r" )*(?:[$€£]?[\d.,]*\d|half|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|a quarter|a few|a|an)"
)
_LENGTH = r"(?:m|cm|mm|km|metres?|meters?|feet|foot|ft|inches|miles?|kilomet(?:re|er)s?|centimet(?:re|er)s?)"
_TIME = r"(?:years?|months?|weeks?|days?|hours?|minutes?|seconds?)"
_MEASURES = (
    ("length", "extent", re.compile(rf"{_NUMBER} {_LENGTH} long\b")),
    ("height", "extent", re.compile(rf"{_NUMBER} {_LENGTH} (?:tall|high)\b")),
    ("width", "extent", re.compile(rf"{_NUMBER} {_LENGTH} (?:wide|across|broad)\b")),
    ("depth", "extent", re.compile(rf"{_NUMBER} {_LENGTH} deep\b")),
    ("weight", "weigh", re.compile(rf"{_NUMBER} ")),
    ("price", "cost", re.compile(rf"{_NUMBER}")),
    ("duration", "last", re.compile(rf"{_NUMBER} {_TIME}\b")),
    ("population", "have", re.compile(rf"an? (?:estimated |total )?population of {_NUMBER}")),
    ("area", "have", re.compile(rf"an? (?:total |land )?area of {_NUMBER}")),
    (
        "accuracy",
        "extent",
        re.compile(rf"(?:good|accurate|right|correct) to (?:within )?{_NUMBER} (?:part|{_TIME}|of an?|millionth)"),
    ),
    ("accuracy", "err", re.compile(rf"by {_NUMBER} {_TIME}")),
    (
        "accuracy",
        "keep",
        re.compile(rf"(?:time |its rate |the time )?(?:to )?within {_NUMBER} (?:of )?(?:an? )?{_TIME}"),
    ),
)


class Measure(NamedTuple):
    """`the Shortt clock erred by about one second in a year`."""

    subject: str
    aspect: str
    evidence: tuple[Sentence, ...]
    answer: str


def measured(first: str, second: str) -> Iterator[Joined]:
    """Queries like `How does the accuracy of the Shortt clock compare with that of the best glasses?`."""
    for one in measures(first):
        for other in measures(second):
            if one.aspect == other.aspect and one.subject.lower() != other.subject.lower():
                yield Joined(
                    shape="comparison",
                    query=f"How does the {one.aspect} of {one.subject} compare with that of {other.subject}?",
                    parts=place_holders(one.evidence, other.evidence),
                    answer=f"{one.answer} {other.answer}",
                    score=4.6,
                    why=f"each states the {one.aspect} of something",
                )


@lru_cache(maxsize=64)
def measures(chunk: str) -> tuple[Measure, ...]:
    """In the order of the text."""
    return tuple(
        Measure(clause.subject, aspect, evidence, text)
        for text, evidence in told(chunk)
        if (clause := parse(text, chunk)) is not None and (aspect := _aspect(clause))
    )


def _aspect(clause: Clause) -> str | None:
    if clause.because or clause.date or clause.place or len(clause.subject.split()) > 6:
        return None
    if " and " in clause.subject or (clause.kind == "aux" and clause.verb not in {"is", "are", "was", "were"}):
        return None
    verb = "extent" if clause.kind == "aux" else {"weigh": "weigh", "take": "last"}.get(clause.base, clause.base)
    return next(
        (aspect for aspect, base, pattern in _MEASURES if base == verb and pattern.match(clause.rest)),
        None,
    )
