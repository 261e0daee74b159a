"""What one thing has to do with another, where two chunks each say something of both."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from ragset.llm.offline.answer import content
from ragset.llm.offline.candidates import told
from ragset.llm.offline.clause import parse
from ragset.llm.offline.joined import Joined, place_holders
from ragset.llm.offline.nouns import VAGUE
from ragset.llm.offline.text import Sentence
from ragset.llm.offline.verbs import BASES, PARTICIPLE, PAST, SINGULAR

_BARE = re.compile(
    r"(?<=[a-z] )(?<!the )(?<!a )(?<!an )(?P<noun>[a-z]{4,}(?:[- ][a-z]{4,})?)(?=[,.;:]| (?:and|in|on|of|to|by|for|from|with|is|are|was|were|than|or|at|that|which)\b)"
)
_BEFORE_BARE = frozenset(
    "of by with in from for than to as on into against between through without about".split()  # noqa: SIM905
)


class Said(NamedTuple):
    """A sentence with its subject and the things that it names without an article."""

    subject: str
    plural: bool
    named: frozenset[str]
    stems: frozenset[str]
    evidence: tuple[Sentence, ...]
    answer: str


@lru_cache(maxsize=64)
def said(chunk: str) -> tuple[Said, ...]:
    """In the order of the text."""
    found: list[Said] = []
    for text, evidence in told(chunk):
        clause = parse(text, chunk)
        if clause is None or clause.standing < 2 or len(clause.subject.split()) > 4:
            continue
        found.append(Said(clause.subject, clause.plural, bare(clause.rest), frozenset(content(text)), evidence, text))
    return tuple(found)


def bare(text: str) -> frozenset[str]:
    """Nouns that stand behind a preposition without an article: `gravity`, `leap seconds`."""
    found: set[str] = set()
    words = re.findall(r"[\w'’-]+|[^\w\s]", text)
    for place, word in enumerate(words[1:], 1):
        if words[place - 1] not in _BEFORE_BARE or not re.fullmatch(r"[a-z]{4,}", word):
            continue
        after = words[place + 1] if place + 1 < len(words) else "."
        if re.fullmatch(r"[\w-]+", after) and after not in _BEFORE_BARE | {"and", "or", "is", "are", "was", "were"}:
            continue
        if word in VAGUE or word in BASES or word in PARTICIPLE or word in PAST or word in SINGULAR:
            continue
        found.add(word)
    return frozenset(found)


def tied(first: str, second: str) -> Iterator[Joined]:
    """Queries like `What does gravity have to do with a pendulum?`."""
    for one in said(first):
        for other in said(second):
            for noun in sorted(one.named & other.named):
                subject = one.subject
                if not set(content(subject)) <= other.stems or set(content(noun)) & set(content(subject)):
                    continue
                if one.answer == other.answer:
                    continue
                do = "do" if noun.endswith("s") and not noun.endswith("ss") else "does"
                yield Joined(
                    shape="aggregation",
                    query=f"What {do} {noun} have to do with {subject}?",
                    parts=place_holders(one.evidence, other.evidence),
                    answer=f"{one.answer} {other.answer}",
                    score=2.0 + 0.2 * len(one.stems & other.stems),
                    why="each says something of both",
                )
