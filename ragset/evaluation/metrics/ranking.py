"""Retrieval as a ranking: what ir-measures computes from a run and the relevant chunks.

Where chunks overlap, or a text stands in many places, more chunks are relevant, and `recall@k`, `map` and `ndcg@k` ask for
all of them. So these compare ways to search the same chunks; chunkings are compared by `ragset.evaluation.metrics.spans`.

Where several sets of passages suffice, each metric is taken of every set, and the best counts: who finds one set has
found the answer, and is not asked for the others. So it is not of their union, which asks for all, nor with the gains of
all and the ideal of the smallest, where half of one set would score as much as a whole other one. Precision alone, which
asks for nothing, counts a chunk that is relevant to any set.
"""

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ragset.evaluation.metrics.qrels import Qrels, Relevant
from ragset.evaluation.metrics.score import Score
from ragset.retrieval.fusion import Hit

if TYPE_CHECKING:
    from ir_measures import Measure


def ranking_scores(run: Mapping[str, Sequence[Hit]], qrels: Qrels, cutoffs: Sequence[int]) -> list[Score]:
    """Scores of every golden of `qrels`, in its order: at each cutoff `hit_rate@k`, `recall@k`, `precision@k` and `ndcg@k`; `mrr`, `map`, `gold_rank`.

    They are ir-measures' Success@k, R@k, P@k, nDCG@k, RR and AP, computed by trec_eval: recall and map divide by all
    relevant chunks, precision by k, even where fewer were retrieved; `mrr` and `map` look at the whole run. nDCG takes
    the grade itself as the gain (linear, as trec_eval does and BEIR publishes; not 2^grade - 1) and discounts by
    log2(rank + 1); the ideal ranking is cut at k too. `gold_rank` counts from 1 to the first relevant chunk and is NaN
    where there is none.

    The order of hits is what counts, not their scores; of a chunk that comes twice the first stands. A golden that is
    not in the run, or has no relevant chunk, scores 0 and is not left out.
    """
    from ir_measures import AP, RR, P, R, Success, nDCG

    if any(cutoff < 1 for cutoff in cutoffs):
        raise ValueError(f"cutoffs must be 1 or more: {list(cutoffs)}")
    best_of_sets: dict[Measure, str] = {RR: "mrr", AP: "map"}
    of_any_set: dict[Measure, str] = {}
    names = [*best_of_sets.values()]
    for cutoff in dict.fromkeys(cutoffs):
        best_of_sets[Success @ cutoff] = f"hit_rate@{cutoff}"
        best_of_sets[R @ cutoff] = f"recall@{cutoff}"
        of_any_set[P @ cutoff] = f"precision@{cutoff}"
        best_of_sets[nDCG @ cutoff] = f"ndcg@{cutoff}"
        names += [f"{name}@{cutoff}" for name in ("hit_rate", "recall", "precision", "ndcg")]
    rankings = {golden: list(dict.fromkeys(hit.id for hit in run.get(golden, ()))) for golden in qrels}
    found = {golden: [dict(one) for one in sets if one] for golden, sets in qrels.items() if rankings[golden]}
    single = {golden: sets for golden, sets in found.items() if len(sets) == 1}
    several = {golden: sets for golden, sets in found.items() if len(sets) > 1}
    any_set = {golden: [_union(sets)] for golden, sets in several.items()}
    values = _best({**best_of_sets, **of_any_set}, single, rankings)
    values |= _best(best_of_sets, several, rankings)
    values |= _best(of_any_set, any_set, rankings)
    scores: list[Score] = []
    for golden, sets in qrels.items():
        scores.extend(Score(golden, name, values.get((golden, name), 0.0)) for name in names)
        scores.append(Score(golden, "gold_rank", _gold_rank(rankings[golden], _union(sets))))
    return scores


def _best(
    names: Mapping["Measure", str], sets: Mapping[str, Sequence[Relevant]], rankings: Mapping[str, Sequence[str]]
) -> dict[tuple[str, str], float]:
    """By golden and name, the highest value of the measure over its sets."""
    import ir_measures

    if not sets or not names:
        return {}
    judged = {f"{place} {golden}": one for golden, of in sets.items() for place, one in enumerate(of)}
    # trec_eval sorts by score, and equal ones by id: scores that fall with the rank keep the order.
    falling = {golden: {chunk: float(-rank) for rank, chunk in enumerate(rankings[golden])} for golden in sets}
    run = {key: falling[_golden(key)] for key in judged}
    values: dict[tuple[str, str], float] = {}
    for found in ir_measures.iter_calc(list(names), judged, run):
        key = (_golden(found.query_id), names[found.measure])
        values[key] = max(float(found.value), values.get(key, 0.0))
    return values


def _golden(key: str) -> str:
    """Of the number of a set and a golden's id."""
    return key.partition(" ")[2]


def _union(sets: Sequence[Relevant]) -> Relevant:
    return sets[0] if len(sets) == 1 else {chunk: grade for one in sets for chunk, grade in one.items()}


def _gold_rank(ranking: Sequence[str], relevant: Relevant) -> float:
    return next((float(rank) for rank, chunk in enumerate(ranking, start=1) if relevant.get(chunk, 0) > 0), math.nan)
