"""What two things each have to do with a third, where two chunks each tie one of them to it."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from ragset.generation.offline.bridges import is_person
from ragset.generation.offline.candidates import told
from ragset.generation.offline.clause import Clause, parse
from ragset.generation.offline.events import proper
from ragset.generation.offline.joined import Joined, place_holders
from ragset.generation.offline.nouns import VAGUE
from ragset.generation.offline.substance import content
from ragset.generation.offline.text import NAME_TITLES, Sentence
from ragset.generation.offline.verbs import BASES, PARTICIPLE, PAST, SINGULAR

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


_WHERE = r"(?:[Ii]n|[Aa]t|from|across|throughout|within|around|near|into|all of|(?:[Nn]orth|[Ss]outh|[Ee]ast|[Ww]est)\w*|[Cc]entral)"
_CATCH_ALL = re.compile(
    r"the (?:Sun|Moon|Earth|World|West|East|North|South|Church|Government|State|King|Queen|Internet|Web)|[A-Z]\w+(?:land|istan)"
    r"|Europe|Asia|Africa|Australia|Antarctica|(?:(?:North|South|Latin|Central) )?America|the (?:UK|USA?|EU|UN)|UK|USA?|EU|UN"
    r"|Britain|Great Britain|France|Germany|Spain|Italy|Portugal|Greece|Turkey|Russia|China|Japan|India|Korea|Vietnam|Indonesia"
    r"|Iran|Iraq|Israel|Egypt|Syria|Nigeria|Kenya|Ethiopia|Morocco|Algeria|Canada|Mexico|Brazil|Argentina|Chile|Peru|Cuba"
    r"|Sweden|Norway|Denmark|Austria|Hungary|Romania|Belgium|Wales|Ukraine|the Netherlands|the Soviet Union|the British Empire"
)
"""What so much has to do with that two things are not brought together by it."""


_CAPITALS = re.compile(r"[A-ZÀ-Þ][\w'’.-]*(?: (?:(?:of|the|and|de|von) )*[A-ZÀ-Þ][\w'’.-]*)*")


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
        if re.search(r"\b(?:and|or|however)\b|\d{4}|['’]s?$", clause.subject) or _is_cut(clause):
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


def shared(first: str, second: str) -> Iterator[Joined]:
    """Queries like `What do a water clock and a quartz watch each have to do with temperature?`."""
    for one in said(first):
        for other in said(second):
            mine, others = set(content(one.subject)), set(content(other.subject))
            if mine & others or _says_the_same(one.text, other.text) or _sort(one.subject) != _sort(other.subject):
                continue
            for noun in sorted(one.named & other.named):
                if set(content(noun)) & (mine | others):
                    continue
                if _is_everywhere(noun, one.text) or _is_everywhere(noun, other.text):
                    continue
                yield Joined(
                    shape="aggregation",
                    query=f"What do {one.subject} and {other.subject} each have to do with {noun}?",
                    parts=place_holders(one.evidence, other.evidence),
                    answer=f"{one.text} {other.text}",
                    score=1.5,
                    why=f"each ties something else to {noun}",
                )


def _is_cut(clause: Clause) -> bool:
    """In "surveys of pit remains in France show" the verb is still to come: they are many, and "remains" is of one."""
    head = re.split(r" (?:of|for|in|on|from|with|at|by) ", clause.subject, maxsplit=1)[0].split()[-1]
    many = head.endswith("s") and not head.endswith(("ss", "us", "is", "ics")) and head.islower()
    return clause.kind == "present" and many and not clause.plural


def _sort(subject: str) -> str:
    """People go with people, names with names, kinds with kinds."""
    if _CAPITALS.fullmatch(subject.removeprefix("the ")):
        return "person" if is_person(subject, "") else "name"
    described = re.fullmatch(r"(?:the )?(?:[a-z][\w-]* )+(?P<name>[A-ZÀ-Þ].*)", subject)
    return "person" if described and is_person(described["name"], "") else "kind"


def _is_everywhere(noun: str, text: str) -> bool:
    """A place or a body that much has to do with, or merely where something is or happens."""
    if _CATCH_ALL.fullmatch(noun):
        return True
    return noun[0].isupper() and re.search(rf"\b{_WHERE} (?:the )?{re.escape(noun)}\b", text) is not None


def _says_the_same(one: str, other: str) -> bool:
    mine, others = set(content(one)), set(content(other))
    return len(mine & others) > 0.5 * min(len(mine), len(others))
