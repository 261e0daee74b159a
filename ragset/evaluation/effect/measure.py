"""Measures what a change did to retrieval: one paired test for the verdict, others for metrics and groups of goldens."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np

from ragset.dataset.labels import labels_of
from ragset.documents.corpus import Corpus
from ragset.evaluation.effect.evaluation_set import BUDGET, CUTOFFS, PRIMARY, EvaluationSet, Scores
from ragset.evaluation.effect.model import Effect, GroupChange, LearningPoint, MetricChange, Validation, Verdict
from ragset.evaluation.effect.moved import Retrieved, moved_queries
from ragset.evaluation.golden_groups import ORDER, Groups, by_document, by_label, by_overlap
from ragset.evaluation.metrics.holm import ALPHA
from ragset.evaluation.metrics.paired import KnownScores, differences
from ragset.evaluation.metrics.resample import Floats, clusters_of
from ragset.evaluation.results.model import Run
from ragset.evaluation.results.standings import finite
from ragset.models import Golden

_SHOWN = (PRIMARY, *(f"recall@{k}" for k in CUTOFFS), f"recall@{BUDGET}tokens")
_RANK = "gold_rank"
_MOST_GROUPS = 8
_GROUPED: Mapping[str, Callable[[Sequence[Golden], Corpus], Groups]] = {
    "hardness": lambda goldens, _: by_label(goldens, lambda golden: labels_of(golden).hardness),
    "overlap": lambda goldens, _: by_overlap(goldens),
    "document": by_document,
}


def measure_effect(
    evaluation_set: EvaluationSet,
    before: Run,
    after: Run,
    *,
    changed: str = "change",
    trained_with: int = 0,
    curve: Sequence[LearningPoint] = (),
    validation: Validation | None = None,
) -> Effect:
    """Compare two runs over the same chunks, paired by golden.

    The verdict rests on one test in the primary metric; `changed` names what made the difference, such as `adapter`.
    """
    first, then = evaluation_set.scores(before), evaluation_set.scores(after)
    primary = evaluation_set.primary
    others = [metric for metric in _SHOWN if metric != primary]
    metrics = (*_changes(evaluation_set, first, then, [primary]), *_changes(evaluation_set, first, then, others))
    sides = (
        [
            Retrieved(run.get(one.id, ()), scores[primary][one.id], scores[_RANK][one.id])
            for one in evaluation_set.goldens
        ]
        for run, scores in ((before, first), (after, then))
    )
    moved = moved_queries(evaluation_set.goldens, evaluation_set.corpus, *sides)
    return Effect(
        changed=changed,
        verdict=_verdict(metrics[0]),
        primary=primary,
        goldens=len(evaluation_set.goldens),
        documents=len({span.doc_id for golden in evaluation_set.goldens for span in golden.evidence}),
        trained_with=trained_with,
        metrics=metrics,
        groups=tuple(_groups(evaluation_set, first[primary], then[primary])),
        **moved._asdict(),
        curve=tuple(curve),
        validation=validation,
        seed=evaluation_set.seed,
    )


def _verdict(change: MetricChange) -> Verdict:
    if not change.p < ALPHA or not change.difference:
        return "no difference seen"
    return "helps" if change.difference > 0 else "harms"


def _changes(
    evaluation_set: EvaluationSet, first: Scores, then: Scores, metrics: Sequence[str]
) -> Iterator[MetricChange]:
    """Of each metric, tested together."""
    before, after = (
        np.array([[side[metric][golden.id] for golden in evaluation_set.goldens] for metric in metrics])
        for side in (first, then)
    )
    return _paired(evaluation_set, before, after, metrics)


def _groups(
    evaluation_set: EvaluationSet, first: Mapping[str, float], then: Mapping[str, float]
) -> Iterator[GroupChange]:
    """The largest groups of each property, tested together; none where all goldens are in one group."""
    for title, grouped in _GROUPED.items():
        groups = grouped(evaluation_set.goldens, evaluation_set.corpus)
        sizes = Counter(name for of in groups.values() for name in of)
        if len(sizes) < 2:
            continue
        order = {value: place for place, value in enumerate(ORDER.get(title, ()))}
        largest = sorted(sizes, key=lambda name: (order.get(name.partition(",")[0], len(order)), -sizes[name], name))
        names = largest[:_MOST_GROUPS]
        before, after = (
            np.array(
                [
                    [side[one.id] if name in groups.get(one.id, ()) else np.nan for one in evaluation_set.goldens]
                    for name in names
                ]
            )
            for side in (first, then)
        )
        changes = _paired(evaluation_set, before, after, [evaluation_set.primary] * len(names))
        for name, change in zip(names, changes, strict=True):
            yield GroupChange(property=title, group=name, change=change)


def _paired(
    evaluation_set: EvaluationSet, before: Floats, after: Floats, metrics: Sequence[str]
) -> Iterator[MetricChange]:
    clusters = clusters_of(evaluation_set.goldens)
    labels = [clusters[golden.id] for golden in evaluation_set.goldens]
    found = differences(KnownScores.of(after), KnownScores.of(before), labels, seed=evaluation_set.seed)
    for metric, first, then, one in zip(metrics, before, after, found, strict=True):
        yield MetricChange(
            metric=metric,
            before=float(np.nanmean(first)),
            after=float(np.nanmean(then)),
            difference=one.mean,
            low=finite(one.low),
            high=finite(one.high),
            p=one.p_holm,
            smallest=finite(one.smallest),
            goldens=one.n,
        )
