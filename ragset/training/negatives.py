"""Hard negatives: chunks that a search puts near the answer of a query and that do not answer it.

A chunk that scores nearly as high as the answer is often an answer that nobody labelled, so those above a share of the positive's
score are left out (Moreira et al., "NV-Retriever", 2024: `TopK-PercPos`, with a margin of 0.05).
"""

from collections.abc import Callable, Sequence
from itertools import zip_longest
from typing import Literal, NamedTuple

from pydantic import Field

from ragset.models import Model
from ragset.retrieval.fusion import Hit
from ragset.settings import Settings

Source = Literal["bm25", "dense"]
SOURCES: tuple[Source, ...] = ("bm25", "dense")
DEPTH = 100
"""Ranks of each search among which negatives are looked for."""


class HardNegative(Model):
    """A chunk that a search found for a query and that does not answer it."""

    chunk: str
    """Id of the chunk."""
    score: float
    """In the search that found it."""
    source: Source


class NegativeSettings(Settings):
    """Which passages are hard negatives of a query."""

    most: int = Field(default=10, ge=0, le=10, title="Hard negatives")
    """Hard negatives of a query at most; 0: none."""
    margin: float = Field(default=0.05, ge=0, lt=1, title="Margin")
    """A passage is no negative if a search scores it above this share less than the passage with the answer: 0.05 leaves out
    those above 95 % of its score."""


class Ranking(NamedTuple):
    """What one search found for one query."""

    source: Source
    hits: Sequence[Hit]
    """Best first."""
    positive: float
    """The highest score of a positive, found or not; 0 where it shares no word with the query."""


def hard_negatives(
    rankings: Sequence[Ranking], refused: Callable[[str], bool], settings: NegativeSettings
) -> tuple[HardNegative, ...]:
    """The best hits of each ranking in turn, without those that are `refused` or that a ranking has above the margin."""
    unsure = {hit.id for one in rankings for hit in one.hits if hit.score > _highest(one, settings.margin)}
    columns: list[list[tuple[Hit, Source]]] = [
        [(hit, one.source) for hit in one.hits if hit.id not in unsure] for one in rankings
    ]
    found: dict[str, HardNegative] = {}
    for hit, source in (one for row in zip_longest(*columns) for one in row if one is not None):
        if len(found) == settings.most:
            break
        if hit.id not in found and not refused(hit.id):
            found[hit.id] = HardNegative(chunk=hit.id, score=hit.score, source=source)
    return tuple(found.values())


def _highest(ranking: Ranking, margin: float) -> float:
    """The score up to which a hit may be a negative."""
    return ranking.positive - margin * abs(ranking.positive)
