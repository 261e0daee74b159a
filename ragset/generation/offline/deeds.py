"""What one named thing did, or what was done to it, at two times."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from ragset.generation.offline.candidates import told
from ragset.generation.offline.clause import Clause, clauses
from ragset.generation.offline.dates import Stretch, stretch
from ragset.generation.offline.events import proper
from ragset.generation.offline.facts import at_date
from ragset.generation.offline.joined import Joined, place_holders
from ragset.generation.offline.nouns import is_capital
from ragset.generation.offline.opening import DATE
from ragset.generation.offline.text import Sentence, tidy
from ragset.generation.offline.verbs import BE, is_participle

_WHEN = re.compile(rf"(?:^| )(?P<date>(?:in|on|about|around) (?:about |around )?{DATE})(?! (?:and|to|or) \d|–|-|['’]s)")
_FULL = re.compile(r"\d{3}|century|\d (?:BC|AD)")
_NOT_DONE = re.compile(r"\b(?:not|never|no|would|could|had)\b")
_STATES = frozenset(["have", "be", "remain", "mean", "seem", "include", "contain", "become", "die", "live"])
"""What nobody does, or sets out to do."""
_SUBJECT = re.compile(
    r"(?:the )?(?:[a-z]+ ){0,2}[A-ZÀ-Þ][\w'’.-]*(?: (?:of |the |and )*[A-ZÀ-Þ][\w'’.-]*)*(?: [a-z]+)?"
)


class Deed(NamedTuple):
    """`Edinburgh added a gun in 1861`."""

    subject: str
    active: bool
    date: str
    """With its preposition."""
    when: Stretch
    evidence: tuple[Sentence, ...]
    answer: str


@lru_cache(maxsize=64)
def deeds(chunk: str) -> tuple[Deed, ...]:
    """In the order of the text."""
    found = (_of_clause(clause, evidence, text) for text, evidence in told(chunk) for clause in clauses(text, chunk))
    return tuple(deed for deed in found if deed)


def _of_clause(clause: Clause, evidence: tuple[Sentence, ...], answer: str) -> Deed | None:
    if not clause.past or clause.standing < 3 or clause.because or clause.base in _STATES:
        return None
    passive = clause.verb in BE and any(is_participle(word) for word in clause.rest.split()[:2])
    if clause.kind == "aux" and not passive:
        return None
    main = re.split(r"(?<!\d),|[;:]| (?:which|who|while|where|when|because|although|that) ", clause.rest, maxsplit=1)[0]
    found = _WHEN.search(main)
    date = at_date(clause.date) if clause.date else tidy(found["date"]) if found else ""
    when = stretch(date)
    if when is None or not _FULL.search(date) or _NOT_DONE.search(main):
        return None
    subject = proper(clause.subject)
    if (
        not _SUBJECT.fullmatch(subject)
        or re.search(r"\d{4}|['’]s? ", subject)
        or not any(map(is_capital, subject.split()))
    ):
        return None
    return Deed(subject, clause.kind == "past", date, when, evidence, answer)


def repeated(first: str, second: str) -> Iterator[Joined]:
    """Queries like `What did Britain do in 1752 and in 1880?`."""
    for one in deeds(first):
        for other in deeds(second):
            subject = _same(one.subject, other.subject)
            if subject is None or not one.when.before(other.when):
                continue
            asked = f"did {subject} do" if one.active and other.active else f"happened to {subject}"
            yield Joined(
                shape="aggregation",
                query=f"What {asked} {one.date} and {other.date}?",
                parts=place_holders(one.evidence, other.evidence),
                answer=f"{one.answer} {other.answer}",
                score=3.8,
                why="each states what the same one did, or what was done to it, at another time",
            )


def _same(one: str, other: str) -> str | None:
    """The longer of two names of the same one: a surname stands for a person."""
    if one == other:
        return one
    short, long = sorted((one, other), key=len)
    person = all(word[:1].isupper() for word in long.split()) and " " not in short and len(long.split()) < 4
    return long if person and long.endswith(f" {short}") else None
