"""What a ranking could score where nobody knows whether some of its passages hold evidence."""

from collections.abc import Mapping, Sequence

from ragset.evaluation.metrics.bounds import HIGHEST, LOWEST, Bounds
from ragset.evaluation.metrics.layout import unaligned_in
from ragset.evaluation.metrics.qrels import Qrels
from ragset.evaluation.metrics.ranking import ranking_scores
from ragset.evaluation.metrics.score import Score
from ragset.retrieval.fusion import Hit

_RANK = "gold_rank"
"""It has no mean, and so no bounds."""


def with_unaligned(
    scores: Sequence[Score], run: Mapping[str, Sequence[Hit]], qrels: Qrels, cutoffs: Sequence[int]
) -> list[Score]:
    """The `ranking_scores` with their best values, had the unaligned passages of a golden been relevant.

    Each metric is highest when the first few of them are relevant and the others not; how many is tried out. As far as
    the largest cutoff: beyond it only `map` could rise, which is then said to be 1 at best.
    """
    unaligned = {
        golden: ids for golden in qrels if (ids := [hit.id for hit in run.get(golden, ()) if unaligned_in(hit.id)])
    }
    most = max(cutoffs, default=1)
    best: dict[tuple[str, str], float] = {}
    for count in range(1, min(most, max(map(len, unaligned.values()), default=0)) + 1):
        hopeful = {
            golden: tuple(
                {**relevant, **dict.fromkeys(ids[:count], max(relevant.values(), default=1))}
                for relevant in qrels[golden]
            )
            for golden, ids in unaligned.items()
            if len(ids) >= count
        }
        for score in ranking_scores(run, hopeful, cutoffs):
            key = score.golden, score.metric
            best[key] = max(best.get(key, 0.0), score.value)
    for golden, ids in unaligned.items():
        if len(ids) > most:
            best[golden, "map"] = HIGHEST
    return [
        score._replace(bounds=Bounds(worst=score.value, best=max(score.value, best[score.golden, score.metric])))
        if (score.golden, score.metric) in best and score.metric != _RANK
        else score
        for score in scores
    ]


def with_unanswered(scores: Sequence[Score], run: Mapping[str, Sequence[Hit]]) -> list[Score]:
    """Goldens that are not in the run count as 0, and could be anything."""
    return [
        score
        if score.golden in run or score.metric == _RANK
        else score._replace(bounds=Bounds(worst=LOWEST, best=HIGHEST))
        for score in scores
    ]
