"""Retrieval as a ranking: what ir-measures and our own functions compute from a run and the relevant chunks.

Where chunks overlap, or a text stands in many places, more chunks are relevant, and `recall@k`, `map` and `ndcg@k` ask
for all of them. So these compare ways to search the same chunks; `ragset.evaluation.metrics.spans` compares chunkings.

Where several sets of passages suffice, each metric is taken of every set, and the best counts: who finds one set has
found the answer. Precision counts a chunk that is relevant to any set.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ragset.dataset.relevance.qrels import UNALIGNED, places_of
from ragset.evaluation.metrics.registry import at_sizes, has_mean, metrics_of
from ragset.evaluation.metrics.scores import UNKNOWN, Bounds, Score
from ragset.retrieval.fusion import Hit

if TYPE_CHECKING:
    from ir_measures import Measure

Relevant = Mapping[str, int]
"""The chunks relevant to one set of evidence with their grade, from 1."""

Qrels = Mapping[str, Sequence[Relevant]]
"""By golden id, the relevant chunks of each set that suffices."""


def ranking_scores(run: Mapping[str, Sequence[Hit]], qrels: Qrels, cutoffs: Sequence[int]) -> list[Score]:
    """The metrics that need chunks, of every golden of `qrels` in its order; 0 without a run or a relevant chunk.

    trec_eval computes ir-measures' Success, R, P, nDCG, RR and AP: recall and map divide by all relevant chunks, precision
    by k. nDCG has a linear gain, the grade itself, and discounts by log2(rank + 1); the ideal ranking is cut at k too.
    The order of hits counts, not their scores; of a chunk that comes twice the first counts.
    """
    measured = list(at_sizes((metric for metric in metrics_of("chunks") if metric.measure), cutoffs))
    computed = list(at_sizes((metric for metric in metrics_of("chunks") if metric.compute), cutoffs))
    rankings = {golden: list(dict.fromkeys(hit.id for hit in run.get(golden, ()))) for golden in qrels}
    found = {golden: [one for one in sets if one] for golden, sets in qrels.items() if rankings[golden]}
    values: dict[tuple[str, str], float] = {}
    for any_set in (False, True):
        measures = {m.measure.replace("{k}", str(k)): name for name, m, k in measured if m.any_set == any_set}
        sets = {golden: [union_of(of)] for golden, of in found.items() if of} if any_set else found
        values |= _best(measures, sets, rankings)
    scores: list[Score] = []
    for golden, sets in qrels.items():
        scores += (Score(golden, name, values.get((golden, name), 0.0)) for name, _, _ in measured)
        scores += (Score(golden, name, m.compute(rankings[golden], sets, k)) for name, m, k in computed if m.compute)
    return scores


def union_of(sets: Sequence[Relevant]) -> Relevant:
    """What is relevant to any set."""
    return {chunk: grade for one in sets for chunk, grade in one.items()}


def _best(
    measures: Mapping[str, str], sets: Mapping[str, Sequence[Relevant]], rankings: Mapping[str, Sequence[str]]
) -> dict[tuple[str, str], float]:
    """By golden and name of the metric, the highest value of its measure over the golden's sets."""
    import ir_measures

    judged = {f"{place} {golden}": dict(one) for golden, of in sets.items() for place, one in enumerate(of)}
    if not judged or not measures:
        return {}
    # trec_eval sorts by score, and equal ones by id: scores that fall with the rank keep the order.
    falling = {golden: {chunk: float(-rank) for rank, chunk in enumerate(rankings[golden])} for golden in sets}
    run = {key: falling[key.partition(" ")[2]] for key in judged}
    names: dict[Measure, str] = {ir_measures.parse_measure(measure): name for measure, name in measures.items()}
    values: dict[tuple[str, str], float] = {}
    for found in ir_measures.iter_calc(list(names), judged, run):
        key = found.query_id.partition(" ")[2], names[found.measure]
        values[key] = max(float(found.value), values.get(key, 0.0))
    return values


def with_unaligned(
    scores: Sequence[Score], run: Mapping[str, Sequence[Hit]], qrels: Qrels, cutoffs: Sequence[int]
) -> list[Score]:
    """The `ranking_scores` with their best values, had unaligned passages been relevant.

    Each metric is highest when the first few of them are relevant and the others not; how many is tried out, as far as
    the largest cutoff. Beyond it only `map` could rise, which is then said to be 1 at best.
    """
    unaligned = {golden: [hit.id for hit in run.get(golden, ()) if _is_unaligned(hit.id)] for golden in qrels}
    most = max(cutoffs, default=1)
    best: dict[tuple[str, str], float] = {}
    for count in range(1, min(most, max(map(len, unaligned.values()), default=0)) + 1):
        hopeful = {
            golden: [{**one, **dict.fromkeys(ids[:count], max(one.values(), default=1))} for one in qrels[golden]]
            for golden, ids in unaligned.items()
            if len(ids) >= count
        }
        for score in ranking_scores(run, hopeful, cutoffs):
            key = score.golden, score.metric
            best[key] = max(best.get(key, 0.0), score.value)
    best |= {(golden, "map"): UNKNOWN.best for golden, ids in unaligned.items() if len(ids) > most}
    return [
        score._replace(bounds=Bounds(worst=score.value, best=max(score.value, best[score.golden, score.metric])))
        if (score.golden, score.metric) in best and has_mean(score.metric)
        else score
        for score in scores
    ]


def _is_unaligned(id_: str) -> bool:
    return UNALIGNED in id_ and any(place.doc_id.startswith(UNALIGNED) for place in places_of(id_))
