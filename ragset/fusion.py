"""Several rankings into one."""

from collections.abc import Sequence
from typing import NamedTuple

RANK_CONSTANT = 60
"""As Cormack, Clarke and Büttcher found it; Milvus and Elasticsearch take it too."""


class Hit(NamedTuple):
    """One retrieved chunk and its score; higher is better, and the scale is the search's own."""

    id: str
    score: float


def reciprocal_rank_fusion(rankings: Sequence[Sequence[Hit]], limit: int, constant: int = RANK_CONSTANT) -> list[Hit]:
    """At most `limit` hits by the sum of 1 / (constant + rank) over the rankings that hold them.

    Ranks count from 1, and equal sums stand in the order of ids. Cormack, Clarke and Büttcher, "Reciprocal
    Rank Fusion outperforms Condorcet and individual Rank Learning Methods" (SIGIR 2009).
    """
    scores: dict[str, float] = {}
    for ranking in rankings:
        for rank, hit in enumerate(ranking, start=1):
            scores[hit.id] = scores.get(hit.id, 0.0) + 1 / (constant + rank)
    fused = (Hit(key, score) for key, score in scores.items())
    return sorted(fused, key=lambda hit: (-hit.score, hit.id))[:limit]
