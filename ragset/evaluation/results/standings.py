"""Means, paired comparisons and agreements of datasets: what follows from the scores of single goldens."""

import math
from collections.abc import Hashable, Mapping
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ragset.errors import InputError
from ragset.evaluation.metrics.agreement import agreement
from ragset.evaluation.metrics.paired import KnownScores, compared, discrimination, ranked, ties
from ragset.evaluation.metrics.registry import has_mean, ranks
from ragset.evaluation.metrics.resample import intervals
from ragset.evaluation.metrics.scores import Bounds, with_bounds
from ragset.evaluation.results.facts import DatasetAgreement, DatasetDiscrimination
from ragset.evaluation.results.model import Comparison, Standing

if TYPE_CHECKING:
    import pandas as pd


class Conclusions(NamedTuple):
    """Standings and comparisons."""

    standings: tuple[Standing, ...]
    comparisons: tuple[Comparison, ...]


def conclude(
    scores: "pd.DataFrame", clusters: Mapping[str, Hashable], *, primary: str, baseline: str = "", seed: int = 0
) -> Conclusions:
    """Means with intervals in every metric, and paired comparisons in the primary one with the best and the baseline.

    `scores` has the columns configuration, golden, metric, value.
    """
    names = list(dict.fromkeys(scores["configuration"]))
    if baseline and baseline not in names:
        raise InputError(f"baseline: there is no configuration {baseline!r}; choose one of {'; '.join(names)}")
    metrics = [metric for metric in dict.fromkeys(scores["metric"]) if has_mean(metric)]
    if primary not in filter(ranks, metrics):
        raise InputError(
            f"primary: nothing was scored in {primary!r}; choose one of {', '.join(filter(ranks, metrics))}"
        )
    scores = with_bounds(scores)
    standings = [one for metric in metrics for one in _standings(scores, names, metric, clusters, seed)]
    return Conclusions(tuple(standings), _comparisons(scores, clusters, primary, baseline, seed))


def _standings(
    scores: "pd.DataFrame", names: list[str], metric: str, clusters: Mapping[str, Hashable], seed: int
) -> list[Standing]:
    table, known = table_of(scores, metric), known_of(scores, metric)
    there = [str(name) for name in table.index]
    labels = [clusters[golden] for golden in table.columns]
    rising = known if ranks(metric) else KnownScores(-known.values, -known.best, -known.worst)
    tied = ties(rising, there, labels, seed=seed)
    values = zip(intervals(known.values, labels, seed=seed), known.worst, known.best, strict=True)
    found = dict(zip(there, values, strict=True))
    standings: list[Standing] = []
    for name in filter(found.__contains__, names):
        one, lowest, highest = found[name]
        asked = ~np.isnan(lowest)
        worst, best = float(lowest[asked].mean()), float(highest[asked].mean())
        standings.append(
            Standing(
                configuration=name,
                metric=metric,
                mean=finite(one.mean),
                low=finite(one.low),
                high=finite(one.high),
                n=one.n,
                missing=int(asked.sum()) - one.n,
                bounds=None if math.isclose(worst, best) else Bounds(worst=worst, best=best),
                tied=len(tied) > 1 and name in tied,
            )
        )
    return standings


def _comparisons(
    scores: "pd.DataFrame", clusters: Mapping[str, Hashable], primary: str, baseline: str, seed: int
) -> tuple[Comparison, ...]:
    table, known = table_of(scores, primary), known_of(scores, primary)
    names, labels = [str(name) for name in table.index], [clusters[golden] for golden in table.columns]
    order = ranked(known, names)
    if len(order) < 2:
        return ()
    return tuple(
        Comparison(
            configuration=name,
            against=against,
            metric=primary,
            difference=one.mean,
            low=finite(one.low),
            high=finite(one.high),
            p=one.p,
            p_holm=one.p_holm,
            smallest=finite(one.smallest),
        )
        for against in dict.fromkeys(filter(None, (order[0], baseline)))
        for name, one in compared(known, names, against, labels, chosen=against == order[0], seed=seed).items()
        if one.n
    )


def agreements(
    scores: "pd.DataFrame", datasets: Mapping[str, str], clusters: Mapping[str, Hashable], metric: str, seed: int = 0
) -> tuple[DatasetAgreement, ...]:
    """How alike each two datasets rank the configurations in `metric`; `datasets` by golden. None for a single dataset."""
    table = table_of(scores, metric)
    of = table.columns.map(datasets)
    parts = [(name, table.loc[:, of == name]) for name in dict.fromkeys(datasets.values()) if (of == name).any()]
    return tuple(
        agreement_of(one, other, metric, ours, theirs, clusters, seed)
        for (one, ours), (other, theirs) in combinations(parts, 2)
    )


def agreement_of(
    one: str,
    other: str,
    metric: str,
    ours: "pd.DataFrame",
    theirs: "pd.DataFrame",
    clusters: Mapping[str, Hashable],
    seed: int = 0,
) -> DatasetAgreement:
    """How alike two datasets rank the configurations, by their tables of scores."""
    alike = agreement(ours, theirs, clusters, seed=seed)
    mean, low, high, goldens = alike.ceiling
    figures = {**alike._asdict(), "ceiling": mean, "ceiling_low": low, "ceiling_high": high, "ratio": alike.ratio}
    names = {"one": one, "other": other, "metric": metric, "ceiling_goldens": goldens}
    return DatasetAgreement.model_validate({**names, **{name: finite(value) for name, value in figures.items()}})


def discriminations(
    scores: "pd.DataFrame", datasets: Mapping[str, str], clusters: Mapping[str, Hashable], metric: str, seed: int = 0
) -> tuple[DatasetDiscrimination, ...]:
    """How many pairs of configurations each dataset tells apart in `metric`; `datasets` by golden."""
    table, scores = table_of(scores, metric), with_bounds(scores)
    found: list[DatasetDiscrimination] = []
    for name in dict.fromkeys(datasets.values()):
        goldens = [golden for golden in table.columns if datasets[golden] == name]
        if len(table) > 1 and goldens:
            known = known_of(scores, metric, list(table.index), goldens)
            told = discrimination(known, [clusters[golden] for golden in goldens], seed=seed)
            found.append(DatasetDiscrimination(dataset=name, metric=metric, goldens=len(goldens), **told._asdict()))
    return tuple(found)


def table_of(scores: "pd.DataFrame", metric: str, of: str = "value") -> "pd.DataFrame":
    """Configurations as rows and goldens as columns; `of` may be a bound, `worst` or `best`."""
    return scores[scores["metric"] == metric].pivot_table(
        index="configuration", columns="golden", values=of, dropna=False, sort=False
    )


def known_of(
    scores: "pd.DataFrame", metric: str, names: list[str] | None = None, goldens: list[str] | None = None
) -> KnownScores:
    """The rows and columns of `table_of`, or those given, with their bounds."""
    tables = (table_of(scores, metric, of).reindex(names, columns=goldens) for of in ("value", "worst", "best"))
    return KnownScores(*(table.to_numpy(dtype=np.float64) for table in tables))


def finite(value: float) -> float | None:
    """None where it is NaN or infinite, which is no JSON."""
    return value if math.isfinite(value) else None
