"""How two kinds of thing differ, and how two measures compare."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from ragset.generation.offline.candidates import candidates, told
from ragset.generation.offline.clause import Clause, clauses, parse
from ragset.generation.offline.joined import Joined, place_holders
from ragset.generation.offline.statements import Statement, statements
from ragset.generation.offline.text import Sentence

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
_ROOT = 3
"""Letters that a word is longer than by which another made of it is known."""
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
    if one.words <= other.words or other.words <= one.words or _is_of_it(one, other) or _is_of_it(other, one):
        return 0
    # "A sundial shows local time, whereas a clock …" is about clocks, and sets two against each other by itself.
    if _SETS_APART.search(one.answer) or _SETS_APART.search(other.answer):
        return 0
    shared = one.about & other.about - one.words - other.words
    if one.defines and other.defines and one.genus and one.genus == other.genus:
        return 4.0
    same_verb = one.verb not in _EMPTY and (
        one.verb == other.verb or any({one.verb, other.verb} <= group for group in _ALIKE)
    )
    if same_verb and (one.head == other.head or one.core & other.core - {one.verb, other.verb}):
        return 3.6 + 0.3 * min(2, len(shared))
    # What each of two kinds of one thing does, and not merely what it has or is like.
    if one.head == other.head and {one.verb, other.verb}.isdisjoint(_EMPTY - {"let"}):
        return 3.0
    return 0


_SETS_APART = re.compile(
    r"\b(?:whereas|unlike|instead of|rather than|compared (?:with|to)|in contrast|by contrast)\b", re.IGNORECASE
)


def _is_of_it(one: Statement, other: Statement) -> bool:
    """`other` is a kind of `one`, or made of it: "an atomic clock" says of itself what is said of "a lattice clock"."""
    told = one.words - {other.head}
    of_it = bool(told) and all(any(_akin(word, said) for said in other.about) for word in told)
    return of_it or other.words <= one.about


def _akin(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    return len(short) > _ROOT and long.startswith(short)


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
_TIME = r"(?:years?|months?|weeks?|days?|hours?|minutes?|(?:milli|micro|nano|pico)?seconds?)"
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
    ("accuracy", "err", re.compile(rf"by (?:up to )?{_NUMBER} {_TIME}")),
    ("accuracy", "drift", re.compile(rf"by (?:up to )?{_NUMBER} (?:{_TIME}|parts?) (?:an?|in|per|each|every)\b")),
    (
        "frequency",
        "vibrate",
        re.compile(rf"(?:at )?{_NUMBER} times (?:an?|each|every|per) (?:second|minute|hour)\b"),
    ),
    ("accuracy", "extent", re.compile(rf"stay between \S+ and \S+ {_TIME} (?:an?|per|each|every) ")),
    (
        "accuracy",
        "keep",
        re.compile(rf"(?:time |its rate |the time )?(?:to )?within {_NUMBER} (?:of )?(?:an? )?{_TIME}"),
    ),
)


_EXTENT_VERBS = frozenset(["is", "are", "was", "were", "must"])


class Measure(NamedTuple):
    """`the Shortt clock erred by about one second in a year`."""

    subject: str
    aspect: str
    plural: bool
    past: bool
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
        Measure(clause.subject, aspect, clause.plural, clause.past, evidence, text)
        for text, evidence in told(chunk)
        for clause in clauses(_with_subject(text, chunk), chunk)
        if clause.standing >= 2 and (aspect := _aspect(clause))
    )


_IT = re.compile(r"(?P<joint>; |, and |, but )(?P<pronoun>it|they) (?=[a-z]+s? (?:by|to|within|about)\b)")


_GAINS = re.compile(r"\bgain(?P<s>s?) or loses? (?=up to |about |around |\d)")
_A_KIND = re.compile(r"^(An? (?:[a-z-]+ ){1,4}[a-z]+) was\b(?= (?:good|accurate|right|correct) to )")
"""In the past as well: what was good to so much was one of its kind."""


def _with_subject(text: str, chunk: str) -> str:
    """As a clause that can be taken apart, with the subject for the pronoun of a later one: "…; it drifts by …"."""
    text = _GAINS.sub(lambda found: f"drift{found['s']} by ", _A_KIND.sub(r"\1 is", text))
    clause = parse(text, chunk)
    if clause is None or clause.standing < 2:
        return text
    pronoun = "they" if clause.plural else "it"
    return _IT.sub(
        lambda found: f"{found['joint']}{clause.subject} " if found["pronoun"] == pronoun else found[0], text
    )


def _aspect(clause: Clause) -> str | None:
    if clause.because or clause.date or clause.place or len(clause.subject.split()) > 6:
        return None
    if " and " in clause.subject or (clause.kind == "aux" and clause.verb not in _EXTENT_VERBS):
        return None
    verb = (
        "extent"
        if clause.kind == "aux"
        else {"take": "last", "beat": "vibrate", "oscillate": "vibrate", "tick": "vibrate"}.get(
            clause.base, clause.base
        )
    )
    return next(
        (aspect for aspect, base, pattern in _MEASURES if base == verb and pattern.match(clause.rest)),
        None,
    )
