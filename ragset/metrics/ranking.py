"""Retrieval as a ranking: what ir-measures computes from a run and the relevant chunks.

Where chunks overlap, or a text stands in many places, more chunks are relevant, and `recall@k`, `map` and `ndcg@k` ask for
all of them. So these compare ways to search the same chunks; chunkings are compared by `ragset.metrics.spans`.
"""

import math
from collections.abc import Mapping, Sequence

from ragset.fusion import Hit
from ragset.metrics.score import Score


def ranking_scores(
    run: Mapping[str, Sequence[Hit]], qrels: Mapping[str, Mapping[str, int]], cutoffs: Sequence[int]
) -> list[Score]:
    """Scores of every golden of `qrels`, in its order: at each cutoff `hit_rate@k`, `recall@k`, `precision@k` and `ndcg@k`; `mrr`, `map`, `gold_rank`.

    They are ir-measures' Success@k, R@k, P@k, nDCG@k, RR and AP, computed by trec_eval: recall and map divide by all
    relevant chunks, precision by k, even where fewer were retrieved; `mrr` and `map` look at the whole run. nDCG takes
    the grade itself as the gain (as all grades are 1, exponential gain would be the same) and discounts by
    log2(rank + 1); the ideal ranking is cut at k too. `gold_rank` counts from 1 to the first relevant chunk and is NaN
    where there is none.

    The order of hits is what counts, not their scores; of a chunk that comes twice the first stands. A golden that is
    not in the run, or has no relevant chunk, scores 0 and is not left out.
    """
    import ir_measures
    from ir_measures import AP, RR, Measure, P, R, Success, nDCG

    if any(cutoff < 1 for cutoff in cutoffs):
        raise ValueError(f"cutoffs must be 1 or more: {list(cutoffs)}")
    names: dict[Measure, str] = {RR: "mrr", AP: "map"}
    for cutoff in dict.fromkeys(cutoffs):
        names[Success @ cutoff] = f"hit_rate@{cutoff}"
        names[R @ cutoff] = f"recall@{cutoff}"
        names[P @ cutoff] = f"precision@{cutoff}"
        names[nDCG @ cutoff] = f"ndcg@{cutoff}"
    rankings = {golden: list(dict.fromkeys(hit.id for hit in run.get(golden, ()))) for golden in qrels}
    judged = {golden: dict(qrels[golden]) for golden, ranking in rankings.items() if ranking and qrels[golden]}
    values: dict[tuple[str, str], float] = {}
    if judged:
        # trec_eval sorts by score, and equal ones by id: scores that fall with the rank keep the order.
        falling = {golden: {chunk: float(-rank) for rank, chunk in enumerate(rankings[golden])} for golden in judged}
        for found in ir_measures.iter_calc(list(names), judged, falling):
            values[found.query_id, names[found.measure]] = float(found.value)
    scores: list[Score] = []
    for golden, relevant in qrels.items():
        scores.extend(Score(golden, name, values.get((golden, name), 0.0)) for name in names.values())
        scores.append(Score(golden, "gold_rank", _gold_rank(rankings[golden], relevant)))
    return scores


def _gold_rank(ranking: Sequence[str], relevant: Mapping[str, int]) -> float:
    return next((float(rank) for rank, chunk in enumerate(ranking, start=1) if relevant.get(chunk, 0) > 0), math.nan)
