"""What one thing has to do with another, where two chunks each say something of both."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from ragset.llm.offline.candidates import told
from ragset.llm.offline.clause import parse
from ragset.llm.offline.events import proper
from ragset.llm.offline.joined import Joined, place_holders
from ragset.llm.offline.nouns import VAGUE
from ragset.llm.offline.substance import content
from ragset.llm.offline.text import NAME_TITLES, Sentence
from ragset.llm.offline.verbs import BASES, PARTICIPLE, PAST, SINGULAR

_BEHIND = r"(?:of|by|with|in|from|for|than|to|as|on|into|against|between|through|without|about|at|under|over)"
_AFTER = rf"(?=[,.;:)]|$| (?:{_BEHIND}|and|or|is|are|was|were|has|have|had|which|that|who|because|when|but|where|while|if|so)\b)"
_BARE = re.compile(rf"\b{_BEHIND} (?P<noun>[a-z]{{4,}}){_AFTER}")
_NAMED = re.compile(
    r"(?<=[a-z,] )(?P<noun>(?:the )?[A-ZÀ-Þ][\w'’.-]*\w(?: (?:of (?:the )?)?[A-ZÀ-Þ][\w'’.-]*\w)*)(?!['’]s)" + _AFTER
)
_BEFORE_NAME = re.compile(r"(?:^|[\s(])[a-z]+,? $")
"""After "World" a "Cup" is half a name."""
_TIMES = re.compile(
    r"January|February|March|April|May|June|July|August|September|October|November|December|(?:Mon|Tues|Wednes|Thurs|Fri|Satur"
    r"|Sun)day|BC|AD|I|Mr|Dr|(?:\w+(?:ish|ese|[a-z]ans?))"
)
_ABSTRACT = frozenset(
    """time times place part fact order case account general which their other another itself themselves them those these both
    being having making first second third long high large small good water people addition example instance course least
    most more many much than then""".split()  # noqa: SIM905
)


class Said(NamedTuple):
    """A sentence with its subject and the other things that it names."""

    subject: str
    named: frozenset[str]
    text: str
    evidence: tuple[Sentence, ...]


@lru_cache(maxsize=64)
def said(chunk: str) -> tuple[Said, ...]:
    """In the order of the text."""
    found: list[Said] = []
    for text, evidence in told(chunk):
        clause = parse(text, chunk)
        if clause is None or clause.standing < 2 or len(clause.subject.split()) > 5 or clause.subject == "":
            continue
        if re.search(r"\b(?:and|or|however)\b|\d{4}|['’]s?$", clause.subject):
            continue
        found.append(Said(proper(clause.subject), _terms(text), text, evidence))
    return tuple(found)


def _terms(text: str) -> frozenset[str]:
    """Names, and nouns that stand behind a preposition without an article: `Greenwich`, `gravity`."""
    names = {
        found["noun"]
        for found in _NAMED.finditer(text)
        if _BEFORE_NAME.search(text[: found.start()])
        and not found["noun"].endswith("States")
        and found["noun"].split()[-1] not in NAME_TITLES
    }
    bare = {found["noun"] for found in _BARE.finditer(text)}
    known = VAGUE | BASES | PARTICIPLE.keys() | PAST.keys() | SINGULAR.keys() | _ABSTRACT
    return frozenset(
        {name for name in names if not _TIMES.search(name) and not (name.startswith("the ") and name.endswith("s"))}
        | {noun for noun in bare - known if not noun.endswith(("ly", "ing"))}
    )


def tied(first: str, second: str) -> Iterator[Joined]:
    """Queries like `What does gravity have to do with a pendulum?`."""
    for one in said(first):
        about = re.compile(rf"(?<![\w-]){re.escape(one.subject)}(?![\w'’-])", re.IGNORECASE)
        for text, evidence in told(second):
            if not about.search(text) or _says_the_same(text, one.text):
                continue
            for noun in sorted(one.named):
                # Of somebody with a name a common noun says little.
                if set(content(noun)) & set(content(one.subject)) or (noun.islower() and not one.subject.islower()):
                    continue
                if re.search(rf"(?<![\w-]){re.escape(noun)}(?![\w'’-])", about.sub("", text)):
                    yield _joined(one, noun, text, evidence)


def shared(first: str, second: str) -> Iterator[Joined]:
    """Queries like `What do a water clock and a quartz watch each have to do with temperature?`."""
    for one in said(first):
        for other in said(second):
            mine, others = set(content(one.subject)), set(content(other.subject))
            if mine & others or _says_the_same(one.text, other.text):
                continue
            for noun in sorted(one.named & other.named):
                if set(content(noun)) & (mine | others):
                    continue
                yield Joined(
                    shape="aggregation",
                    query=f"What do {one.subject} and {other.subject} each have to do with {noun}?",
                    parts=place_holders(one.evidence, other.evidence),
                    answer=f"{one.text} {other.text}",
                    score=1.5,
                    why=f"each ties something else to {noun}",
                )


def _says_the_same(one: str, other: str) -> bool:
    mine, others = set(content(one)), set(content(other))
    return len(mine & others) > 0.5 * min(len(mine), len(others))


def _joined(one: Said, noun: str, text: str, evidence: tuple[Sentence, ...]) -> Joined:
    name = noun[0].isupper() or noun.startswith("the ")
    do = "do" if not name and noun.endswith("s") and not noun.endswith(("ss", "us", "is")) else "does"
    return Joined(
        shape="aggregation",
        query=f"What {do} {noun} have to do with {one.subject}?",
        parts=place_holders(one.evidence, evidence),
        answer=f"{one.text} {text}",
        score=2.5 if name else 2.0,
        why="each says something of both",
    )
