"""Configurations scored golden by golden, and what their scores say about which is better."""

import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from ragset.errors import InputError
from ragset.metrics.agreement import agreement
from ragset.metrics.bounds import Bounds, with_bounds
from ragset.metrics.qrels import Gold, qrels
from ragset.metrics.ranking import ranking_scores
from ragset.metrics.score import Score
from ragset.metrics.spans import recall_at_tokens, span_scores
from ragset.metrics.stats import (
    CAUTIOUS,
    FEWEST,
    Difference,
    compared,
    holm,
    interval,
    smallest_difference,
    spread,
    ties,
)
from ragset.metrics.unaligned import with_unaligned, with_unanswered
from ragset.models import Span
from ragset.results.model import Comparison, DatasetAgreement, Run, Standing

if TYPE_CHECKING:
    import pandas as pd

GOLD_RANK = "gold_rank"
"""NaN in it is a miss and not a value that could not be had, so it has no mean."""


class Conclusions(NamedTuple):
    """What follows from scores."""

    standings: tuple[Standing, ...]
    comparisons: tuple[Comparison, ...]
    smallest_difference: float | None
    spread_assumed: bool = False
    """Whether scores hardly differ from query to query, so that the smallest difference is by a cautious guess."""


def score_retrieval(
    run: Run,
    gold: Gold,
    chunk_ids: Sequence[str] | None,
    *,
    cutoffs: Sequence[int],
    budgets: Sequence[int],
    tokens: Callable[[Span], int],
) -> list[Score]:
    """Ranking, span and token-budget metrics of every golden with evidence.

    `chunk_ids` are all chunks of the index; None of somebody else's system, where what was retrieved is all that is known:
    it has no span_precision_omega, and its recall is of the relevant passages that it returned for any query. Its goldens
    without a reply, and its passages that are in no document, have bounds.
    """
    known = chunk_ids if chunk_ids is not None else sorted({hit.id for hits in run.values() for hit in hits})
    relevant = qrels(gold, known)
    scores = ranking_scores(run, relevant, cutoffs)
    if chunk_ids is None:
        scores = with_unaligned(scores, run, relevant, cutoffs)
    for place, cutoff in enumerate(cutoffs):
        scores += span_scores(run, gold, cutoff, chunk_ids if place == 0 else None)
    for budget in budgets:
        scores += recall_at_tokens(run, gold, budget, tokens)
    return with_unanswered(scores, run) if chunk_ids is None else scores


def conclude(
    scores: "pd.DataFrame", clusters: Mapping[str, Hashable], *, primary: str, baseline: str = "", seed: int = 0
) -> Conclusions:
    """Means with intervals in every metric, and paired comparisons in the primary one with the best and the baseline.

    `scores` has the columns configuration, golden, metric, value.

    Raises:
        InputError: nothing was scored in the primary metric, or there is no such baseline.
    """
    names = list(dict.fromkeys(scores["configuration"]))
    if baseline and baseline not in names:
        raise InputError(f"baseline: there is no configuration {baseline!r}; choose one of {'; '.join(names)}")
    metrics = [metric for metric in dict.fromkeys(scores["metric"]) if metric != GOLD_RANK]
    if primary not in metrics:
        raise InputError(f"primary: nothing was scored in {primary!r}; choose one of {', '.join(metrics)}")
    standings: list[Standing] = []
    scores = with_bounds(scores)
    for metric in metrics:
        table = table_of(scores, metric)
        tied = ties(table, clusters, seed=seed)
        labels = [clusters[golden] for golden in table.columns]
        worst, best = (table_of(scores, metric, end).mean(axis=1) for end in ("worst", "best"))
        for name in [name for name in names if name in table.index]:
            found = interval(table.loc[name].to_numpy(dtype=float), labels, seed=seed)
            standings.append(
                Standing(
                    configuration=name,
                    metric=metric,
                    mean=_known(found.mean),
                    low=_known(found.low),
                    high=_known(found.high),
                    n=found.n,
                    missing=found.missing,
                    bounds=_bounds(float(worst[name]), float(best[name])),
                    tied=len(tied) > 1 and name in tied,
                )
            )
    return Conclusions(tuple(standings), *_comparisons(scores, clusters, primary, baseline, seed))


def agreements(
    scores: "pd.DataFrame", datasets: Mapping[str, str], clusters: Mapping[str, Hashable], metric: str, seed: int = 0
) -> tuple[DatasetAgreement, ...]:
    """How alike each two datasets rank the configurations in `metric`; `datasets` by golden. None for a single dataset."""
    table = table_of(scores, metric)
    names = list(dict.fromkeys(datasets.values()))
    parts = {name: table[[golden for golden in table.columns if datasets[str(golden)] == name]] for name in names}
    found: list[DatasetAgreement] = []
    for one, other in combinations((name for name in names if not parts[name].empty), 2):
        alike = agreement(parts[one], parts[other], clusters, seed=seed)
        found.append(
            DatasetAgreement(
                one=one,
                other=other,
                metric=metric,
                tau_b=_known(alike.tau_b),
                tau_low=_known(alike.tau_low),
                tau_high=_known(alike.tau_high),
                spearman=_known(alike.spearman),
                rho_low=_known(alike.rho_low),
                rho_high=_known(alike.rho_high),
                configurations=alike.n,
            )
        )
    return tuple(found)


def table_of(scores: "pd.DataFrame", metric: str, of: str = "value") -> "pd.DataFrame":
    """Configurations as rows and goldens as columns; `of` may be a bound, `worst` or `best`."""
    return scores[scores["metric"] == metric].pivot_table(
        index="configuration", columns="golden", values=of, dropna=False, sort=False
    )


def _comparisons(
    scores: "pd.DataFrame", clusters: Mapping[str, Hashable], primary: str, baseline: str, seed: int
) -> tuple[tuple[Comparison, ...], float | None, bool]:
    table = table_of(scores, primary)
    means = table.mean(axis=1).dropna().sort_values(ascending=False, kind="stable")
    if len(means) < 2:
        return (), None, False
    best = str(means.index[0])
    found: list[Comparison] = []
    for against in dict.fromkeys(filter(None, (best, baseline))):
        differences = {name: one for name, one in compared(table, against, clusters, seed=seed).items() if one.n}
        corrected = holm([one.p for one in differences.values()])
        found += [
            _comparison(name, against, primary, one, p)
            for (name, one), p in zip(differences.items(), corrected, strict=True)
        ]
    count = len(table.columns)
    if count < FEWEST:
        return tuple(found), None, False
    sd = spread(table)
    return tuple(found), smallest_difference(CAUTIOUS if sd is None else sd, count), sd is None


def _comparison(name: str, against: str, metric: str, found: Difference, p_holm: float) -> Comparison:
    return Comparison(
        configuration=name,
        against=against,
        metric=metric,
        difference=found.mean,
        low=found.low,
        high=found.high,
        p=found.p,
        p_holm=p_holm,
    )


def _bounds(worst: float, best: float) -> Bounds | None:
    return None if math.isclose(worst, best) else Bounds(worst=worst, best=best)


def _known(value: float) -> float | None:
    return None if math.isnan(value) else value
