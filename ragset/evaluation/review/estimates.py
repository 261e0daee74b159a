"""What people's judgements of a random part of the goldens say about the systems of a benchmark."""

import math
from collections.abc import Callable, Mapping, Sequence
from itertools import takewhile
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

import numpy as np

from ragset.dataset.review.estimates import agreement
from ragset.dataset.review.file import read_reviews
from ragset.dataset.review.order import read_plan
from ragset.dataset.review.records import GRADES, Kind, Review, by_item, guidelines_used, standing
from ragset.errors import InputError
from ragset.evaluation.metrics.holm import ALPHA
from ragset.evaluation.metrics.ppi import corrected
from ragset.evaluation.metrics.registry import find_metric
from ragset.evaluation.metrics.resample import Floats
from ragset.evaluation.results.corrected import CorrectedDifference, CorrectedMean, CorrectedMetric, Judged
from ragset.evaluation.results.folder import MANIFEST, REPORT, StoredResults, manifest_text, read_results
from ragset.evaluation.results.report.people import with_people
from ragset.evaluation.results.standings import finite, table_of
from ragset.evaluation.review.pool import DEPTH, Pool, read_pool
from ragset.settings.whole_file import replace_text

RELEVANT = 2
"""The least grade of a relevant passage: it answers a part of the query or more."""


class _Measure(NamedTuple):
    """A metric, and how it follows from what people say of the items of one golden."""

    metric: str
    judge: str
    items: int
    """It is of the first so many."""
    value: Callable[[int, Sequence[float]], float]
    """Of that number and their scores, best first; those that are missing count 0."""


_RANKINGS: Mapping[str, Callable[[int, Sequence[float]], float]] = {
    "precision@{k}": lambda k, relevant: math.fsum(relevant) / k,
    "hit_rate@{k}": lambda _, relevant: max(relevant, default=0.0),
}
"""What follows from the grades of the first k passages alone; recall and nDCG ask for all relevant ones."""


def _only(_: int, scores: Sequence[float]) -> float:
    return math.fsum(scores)


def judged(stored: StoredResults, pool: Pool, lines: Sequence[Review]) -> tuple[Judged, ...]:
    """By kind, under the newest guideline of each; `lines` are those of `reviews.jsonl`."""
    measured = list(map(str, dict.fromkeys(stored.scores["metric"])))
    # Where no model judged the answers, the overlap of words says something about people's grades too.
    judge = next((name for name in ("correctness", "token_f1") if name in measured), None)
    rankings = {name: one for name in measured if (one := find_metric(name)) and one[0].name in _RANKINGS}
    k = max((k for _, k in rankings.values() if k <= DEPTH), default=0)
    measures: dict[Kind, list[_Measure]] = {
        "answer": [_Measure("correctness", judge, 1, _only)] if judge else [],
        "relevance": [_Measure(name, name, k, _RANKINGS[one.name]) for name, (one, at) in rankings.items() if at == k],
    }
    return tuple(found for kind, of in measures.items() if (found := _judged(kind, of, stored, pool, lines)))


def _judged(
    kind: Kind, measures: Sequence[_Measure], stored: StoredResults, pool: Pool, lines: Sequence[Review]
) -> Judged | None:
    lines = [line for line in lines if line.kind == kind and line.item in pool.items]
    used = guidelines_used(lines, kind)
    if not used or not measures:
        return None
    guideline, *_ = used
    reviews = standing(lines, kind, guideline)
    said = by_item(reviews)
    looked = {review.item for review in reviews}
    low, high = GRADES[kind]
    alike = agreement([[one.grade or 0 for one in of] for of in said.values()], range(low, high + 1), "ordinal")
    people = _People(kind, pool, {item: fmean(map(_score, of)) for item, of in said.items()}, looked)
    metrics = tuple(found for one in measures if (found := _corrected(one, stored, people)))
    return Judged(
        kind=kind,
        guideline=guideline,
        others={other: number for other, number in used.items() if other != guideline},
        judgements=sum(map(len, said.values())),
        people=len({review.reviewer for of in said.values() for review in of}),
        skipped=len(looked - said.keys()),
        shared=alike.items,
        raw=finite(alike.raw),
        alpha=finite(alike.alpha),
        ac2=finite(alike.ac),
        metrics=metrics,
    )


def _score(review: Review) -> float:
    """From 0 to 1, as the metric of the kind has it."""
    grade = review.grade or 0
    return (grade - 1) / 4 if review.kind == "answer" else float(grade >= RELEVANT)


class _People(NamedTuple):
    """What people said, from 0 to 1, of the items of one kind."""

    kind: Kind
    pool: Pool
    said: Mapping[str, float]
    looked: set[str]

    def labels(self, configuration: str, measure: _Measure, goldens: Sequence[str]) -> Floats:
        """A value for each golden, NaN where nobody judged.

        The random part ends at the first golden with an item that nobody has looked at: what was judged behind it may have been
        chosen for a reason. A system that gave nothing is wrong, and a passage that is in no document is irrelevant.
        """
        asked = self.pool.asked[self.kind]
        given = {
            golden: asked.get((configuration, golden), ())[: measure.items] for golden in self.pool.drawn[self.kind]
        }
        counted = takewhile(lambda of: all(item is None or item in self.looked for item in of[1]), given.items())
        values = {
            golden: measure.value(measure.items, [0.0 if item is None else self.said[item] for item in items])
            for golden, items in counted
            if all(item is None or item in self.said for item in items)
        }
        return np.array([values.get(golden, math.nan) for golden in goldens], dtype=np.float64)


def _corrected(measure: _Measure, stored: StoredResults, people: _People) -> CorrectedMetric | None:
    table = table_of(stored.scores, measure.judge)
    goldens, names = list(map(str, table.columns)), list(map(str, table.index))
    clusters = [stored.documents[golden] for golden in goldens]
    scores = dict(zip(names, table.to_numpy(dtype=np.float64), strict=True))
    labels = {name: people.labels(name, measure, goldens) for name in names}
    means = {name: corrected(labels[name], scores[name], clusters) for name in names}
    order = sorted((name for name in names if means[name].labels), key=lambda name: -means[name].mean)
    if not order:
        return None
    plain = measure.metric == measure.judge

    def difference(name: str, against: str, tests: int) -> CorrectedDifference | None:
        labelled, scored = labels[name] - labels[against], scores[name] - scores[against]
        one = corrected(labelled, scored, clusters, least=-1.0, level=1 - ALPHA / tests)
        if not one.labels:
            return None
        return CorrectedDifference(
            configuration=name,
            against=against,
            plain=_mean(scored) if plain else None,
            difference=one.mean,
            low=finite(one.low),
            high=finite(one.high),
            labels=one.labels,
        )

    # Any could have been the best one, so that one is compared in as many tests as there are pairs.
    several = {order[0]: len(order) * (len(order) - 1) // 2}
    if stored.benchmark.baseline in order:
        several.setdefault(stored.benchmark.baseline, len(order) - 1)
    found = (
        difference(name, against, tests) for against, tests in several.items() for name in order if name != against
    )
    return CorrectedMetric(
        metric=measure.metric,
        judge=measure.judge,
        goldens=len(goldens),
        means=tuple(
            CorrectedMean(
                configuration=name,
                plain=_mean(scores[name]) if plain else None,
                mean=one.mean,
                low=finite(one.low),
                high=finite(one.high),
                weight=one.weight,
                labels=one.labels,
                labels_to_halve=one.labels_to_halve,
            )
            for name, one in ((name, means[name]) for name in order)
        ),
        differences=tuple(one for one in found if one),
    )


def _mean(values: Floats) -> float | None:
    known = values[~np.isnan(values)]
    return float(known.mean()) if len(known) else None


def correct_results(folder: Path) -> tuple[Judged, ...]:
    """Estimate anew from all judgements beside the results; nothing where nobody judged.

    The manifest is written last, so that it says what the report says.
    """
    stored = read_results(folder)
    found = judged(stored, read_pool(folder, read_plan(folder)), read_reviews(folder).lines)
    if found == stored.benchmark.judged:
        return found
    benchmark = stored.benchmark.model_copy(update={"judged": found})
    try:
        page = (folder / REPORT).read_text(encoding="utf-8")
        for name, text in {REPORT: with_people(page, benchmark), MANIFEST: manifest_text(benchmark)}.items():
            replace_text(folder / name, text)
    except OSError as error:
        raise InputError(f"{folder}: cannot be written ({error.strerror})") from None
    return found
