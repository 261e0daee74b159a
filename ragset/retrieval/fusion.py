"""Several rankings into one."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple


class Hit(NamedTuple):
    """One retrieved chunk and its score; higher is better, and the scale is the search's own."""

    id: str
    score: float


def reciprocal_rank_fusion(rankings: Sequence[Sequence[Hit]], limit: int, constant: int = 60) -> list[Hit]:
    """At most `limit` hits by the sum of 1 / (constant + rank) over the rankings that hold them; ranks count from 1.

    Method and constant of Cormack, Clarke and Büttcher, "Reciprocal Rank Fusion outperforms Condorcet and individual Rank
    Learning Methods" (2009).
    """
    sums: dict[str, float] = {}
    for ranking in rankings:
        for rank, hit in enumerate(ranking, start=1):
            sums[hit.id] = sums.get(hit.id, 0.0) + 1 / (constant + rank)
    return _best(sums, limit)


def weighted_sum(rankings: Sequence[Sequence[Hit]], weights: Sequence[float], limit: int) -> list[Hit]:
    """At most `limit` hits by the weighted sum of their scores, each ranking scaled from 0 (its last) to 1 (its first).

    A hit that a ranking lacks has 0 in it. A ranking whose scores are all equal counts as 1 throughout.
    """
    sums: dict[str, float] = {}
    for ranking, weight in zip(rankings, weights, strict=True):
        best = max((hit.score for hit in ranking), default=0.0)
        span = best - min((hit.score for hit in ranking), default=0.0)
        for hit in ranking:
            scaled = 1.0 if span == 0 else 1 - (best - hit.score) / span
            sums[hit.id] = sums.get(hit.id, 0.0) + weight * scaled
    return _best(sums, limit)


def _best(sums: Mapping[str, float], limit: int) -> list[Hit]:
    return sorted((Hit(*pair) for pair in sums.items()), key=lambda hit: (-hit.score, hit.id))[:limit]
