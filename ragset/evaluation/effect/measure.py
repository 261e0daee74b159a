"""Measures what a change did to retrieval: one paired test for the verdict, others for metrics and groups of goldens."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from ragset.dataset.labels import labels_of
from ragset.dataset.relevance.qrels import gold_of, grades_of
from ragset.documents.corpus import Corpus
from ragset.errors import InputError
from ragset.evaluation.effect.model import Effect, GroupChange, LearningPoint, MetricChange, Validation, Verdict
from ragset.evaluation.effect.moved import Retrieved, moved_queries
from ragset.evaluation.golden_groups import Groups, by_document, by_label, by_overlap, members_of
from ragset.evaluation.metrics.holm import ALPHA
from ragset.evaluation.metrics.paired import KnownScores, differences
from ragset.evaluation.metrics.resample import Floats, clusters_of
from ragset.evaluation.results.model import Run
from ragset.evaluation.results.standings import finite
from ragset.evaluation.scoring import score_retrieval, token_counter
from ragset.models import Golden

TEST = "test"
CUTOFFS = (1, 3, 5, 10)
BUDGET = 512
PRIMARY = "ndcg@10"
"""The metric of the verdict."""

Scores = Mapping[str, Mapping[str, float]]
"""By metric and golden id."""


@dataclass(frozen=True)
class EvaluationSet:
    """The goldens of the test split that have evidence, and the chunks that are searched."""

    goldens: tuple[Golden, ...]
    corpus: Corpus
    chunks: Sequence[str]
    seed: int = 0

    @classmethod
    def of(cls, goldens: Iterable[Golden], corpus: Corpus, chunks: Sequence[str], *, seed: int = 0) -> Self:
        """Of any goldens, those for testing; `chunks` are the ids of all chunks of the index.

        Raises:
            InputError: none is for testing.
        """
        held = tuple(golden for golden in goldens if golden.split == TEST and golden.evidence)
        if not held:
            raise InputError(
                "goldens: none of the test split has evidence, so nothing can be measured; split the dataset"
            )
        return cls(held, corpus, chunks, seed)

    def scores(self, run: Run) -> Scores:
        """Every metric of rankings of every golden; a golden without hits scores 0."""
        found: dict[str, dict[str, float]] = {}
        for golden, metric, value, _ in score_retrieval(
            run,
            gold_of(self.goldens, self.corpus),
            self.chunks,
            cutoffs=CUTOFFS,
            budgets=(BUDGET,),
            tokens=token_counter(self.corpus),
            grades=grades_of(self.goldens),
        ):
            found.setdefault(metric, {})[golden] = value
        return found

    def mean(self, run: Run) -> float:
        """The mean of the primary metric."""
        return float(np.mean([*self.scores(run)[PRIMARY].values()]))


_OTHERS = (*(f"recall@{k}" for k in CUTOFFS), f"recall@{BUDGET}tokens")
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
    metrics = tuple(
        change for tested in ([PRIMARY], _OTHERS) for change in _changes(evaluation_set, first, then, tested)
    )
    sides = (
        [
            Retrieved(run.get(one.id, ()), scores[PRIMARY][one.id], scores[_RANK][one.id])
            for one in evaluation_set.goldens
        ]
        for run, scores in ((before, first), (after, then))
    )
    moved = moved_queries(evaluation_set.goldens, evaluation_set.corpus, *sides)
    return Effect(
        changed=changed,
        verdict=_verdict(metrics[0]),
        primary=PRIMARY,
        goldens=len(evaluation_set.goldens),
        documents=len({span.doc_id for golden in evaluation_set.goldens for span in golden.evidence}),
        trained_with=trained_with,
        metrics=metrics,
        groups=tuple(_groups(evaluation_set, first[PRIMARY], then[PRIMARY])),
        **moved,
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
        names = list(members_of(groups, title))
        if len(names) < 2:
            continue
        names = names[:_MOST_GROUPS]
        before, after = (
            np.array(
                [
                    [side[one.id] if name in groups.get(one.id, ()) else np.nan for one in evaluation_set.goldens]
                    for name in names
                ]
            )
            for side in (first, then)
        )
        changes = _paired(evaluation_set, before, after, [PRIMARY] * len(names))
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


SHARES = (0.25, 0.5)
DRAWS = 3


def learning_curve(
    evaluation_set: EvaluationSet,
    before: Run,
    after: Run,
    trained_with: Sequence[str],
    fit: Callable[[frozenset[str]], Run],
) -> tuple[LearningPoint, ...]:
    """The primary metric without training, after training with parts of the goldens, and with all of them.

    `trained_with` are ids of the goldens of the training split. `fit` trains with those that it is given, and returns the run on
    the goldens held out. Each draw has one random order, of which a smaller part is the beginning of a larger one.
    """
    ids = sorted(set(trained_with))
    orders = [np.random.default_rng((evaluation_set.seed, draw)).permutation(len(ids)) for draw in range(DRAWS)]
    sizes = [size for size in dict.fromkeys(round(share * len(ids)) for share in SHARES) if 0 < size < len(ids)]
    parts = [
        _point(size, [evaluation_set.mean(fit(frozenset(ids[place] for place in order[:size]))) for order in orders])
        for size in sizes
    ]
    return (_point(0, [evaluation_set.mean(before)]), *parts, _point(len(ids), [evaluation_set.mean(after)]))


def _point(goldens: int, means: Sequence[float]) -> LearningPoint:
    return LearningPoint(
        goldens=goldens, draws=len(means), mean=float(np.mean(means)), lowest=min(means), highest=max(means)
    )
