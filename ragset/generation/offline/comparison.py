"""Queries that need two chunks: two like facts set beside each other, two dated events or two things of one kind."""

import re
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from ragset.generation.offline.facts import Fact, facts
from ragset.generation.offline.text import content

COMPARISON = re.compile(r"Which came first, .+ or .+\?|How (?:does|do) .+ differ from .+\?")
"""The forms of these queries: nothing less than both facts answers one."""


class Pair(NamedTuple):
    """A comparison with the fact of each side."""

    query: str
    sides: tuple[tuple[int, Fact], tuple[int, Fact]]
    """The place of the chunk, from 0, and its fact."""
    answer: str


@lru_cache(maxsize=256)
def pairs(chunks: tuple[str, ...]) -> tuple[Pair, ...]:
    """Every comparison that two of the chunks answer together and none answers alone."""
    found: dict[str, Pair] = {}
    alone: set[str] = set()
    # Ordered by query, so that a pair reads the same whatever the order of its chunks.
    placed = [(place, fact) for place, chunk in enumerate(chunks) for fact in facts(chunk)]
    placed.sort(key=lambda one: (one[1].query, one[0]))
    for (place, fact), (other_place, other) in combinations(placed, 2):
        query, verdict = _compared(fact, other)
        if query and place == other_place:
            alone.add(query)
        elif query:
            pair = Pair(query, ((place, fact), (other_place, other)), f"{verdict}{fact.answer} {other.answer}")
            found.setdefault(query, pair)
    return tuple(pair for pair in found.values() if pair.query not in alone)


def _compared(fact: Fact, other: Fact) -> tuple[str, str]:
    """The query and the first words of its answer; empty where the two are not alike."""
    if set(content(fact.about)) & set(content(other.about)) == set(content(fact.about)):
        return "", ""
    if fact.event and other.event and fact.when and other.when:
        first = fact if fact.when.before(other.when) else other if other.when.before(fact.when) else None
        if first:
            said = first.event[0].upper() + first.event[1:]
            return f"Which came first, {fact.event} or {other.event}?", f"{said} came first. "
    if fact.genus and fact.genus == other.genus:
        do = "do" if fact.query.startswith("What are") else "does"
        return f"How {do} {fact.about} differ from {other.about}?", ""
    return "", ""
