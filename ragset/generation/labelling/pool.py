"""The pool: the passages of several rankings that are graded for a query, each with its rank in each ranking."""

from collections.abc import Mapping, Sequence
from itertools import zip_longest

from ragset.dataset.relevance.qrels import is_relevant
from ragset.models import Span

Ranking = Sequence[Sequence[Span]]
"""At each rank the places of a hit: one for a chunk of ours, perhaps several for a passage of another system."""
Pool = Mapping[Span, Mapping[str, int]]
"""Passages in the order in which they came, each with its best rank, from 1, in the rankings that hold it, by their names."""


def pool_passages(rankings: Mapping[str, Ranking], depth: int) -> dict[Span, dict[str, int]]:
    """The passages of the first `depth` ranks of all rankings: all of rank 1, then all of rank 2, and so on.

    A passage that shares half of the shorter of the two with one that came before counts as that one. Test collections are
    pooled so since TREC (Spärck Jones and van Rijsbergen, 1975).
    """
    pool: dict[Span, dict[str, int]] = {}
    for rank, level in enumerate(zip_longest(*(ranking[:depth] for ranking in rankings.values())), start=1):
        for name, places in zip(rankings, level, strict=True):
            for place in places or ():
                same = next((known for known in pool if _same(known, place)), place)
                pool.setdefault(same, {}).setdefault(name, rank)
    return pool


def _same(one: Span, other: Span) -> bool:
    return one.doc_id == other.doc_id and is_relevant(one.start, one.end, other)
