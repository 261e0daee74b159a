"""Configurations scored golden by golden, and what their scores say about which is better."""

import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ragset.errors import InputError
from ragset.evaluation.metrics.agreement import agreement
from ragset.evaluation.metrics.bounds import Bounds, with_bounds
from ragset.evaluation.metrics.paired import Known, compared, ranked, ties
from ragset.evaluation.metrics.qrels import NO_GRADES, Gold, Grades, qrels
from ragset.evaluation.metrics.ranking import ranking_scores
from ragset.evaluation.metrics.score import Score
from ragset.evaluation.metrics.spans import recall_at_tokens, span_scores
from ragset.evaluation.metrics.stats import intervals
from ragset.evaluation.metrics.unaligned import with_unaligned, with_unanswered
from ragset.evaluation.results.model import Comparison, DatasetAgreement, Run, Standing
from ragset.models import Span

if TYPE_CHECKING:
    import pandas as pd

GOLD_RANK = "gold_rank"
"""NaN in it is a miss and not a value that could not be had, so it has no mean."""


class Conclusions(NamedTuple):
    """What follows from scores."""

    standings: tuple[Standing, ...]
    comparisons: tuple[Comparison, ...]


def score_retrieval(
    run: Run,
    gold: Gold,
    chunk_ids: Sequence[str] | None,
    *,
    cutoffs: Sequence[int],
    budgets: Sequence[int],
    tokens: Callable[[Span], int],
    grades: Grades = NO_GRADES,
) -> list[Score]:
    """Ranking, span and token-budget metrics of every golden with evidence.

    `chunk_ids` are all chunks of the index; None of somebody else's system, where what was retrieved is all that is known:
    it has no span_precision_omega, and its recall is of the relevant passages that it returned for any query. Its goldens
    without a reply, and its passages that are in no document, have bounds. Of the metrics nDCG alone looks at `grades`; to the
    others what has a grade is relevant.
    """
    known = chunk_ids if chunk_ids is not None else sorted({hit.id for hits in run.values() for hit in hits})
    relevant = qrels(gold, known, grades)
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
        known = known_of(scores, metric)
        there = [str(name) for name in table.index]
        labels = [clusters[golden] for golden in table.columns]
        tied = ties(known, there, labels, seed=seed)
        found = dict(zip(there, intervals(known.values, labels, seed=seed), strict=True))
        for name in [name for name in names if name in there]:
            place, one = there.index(name), found[name]
            asked = ~np.isnan(known.worst[place])
            worst, best = (float(part[place][asked].mean()) for part in (known.worst, known.best))
            standings.append(
                Standing(
                    configuration=name,
                    metric=metric,
                    mean=_known(one.mean),
                    low=_known(one.low),
                    high=_known(one.high),
                    n=one.n,
                    missing=int(asked.sum()) - one.n,
                    bounds=None if math.isclose(worst, best) else Bounds(worst=worst, best=best),
                    tied=len(tied) > 1 and name in tied,
                )
            )
    return Conclusions(tuple(standings), _comparisons(scores, clusters, primary, baseline, seed))


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


def known_of(scores: "pd.DataFrame", metric: str, goldens: list[str] | None = None) -> Known:
    """The rows and columns of `table_of`, with their bounds."""
    tables = (table_of(scores, metric, of) for of in ("value", "worst", "best"))
    chosen = (table if goldens is None else table.reindex(columns=goldens) for table in tables)
    return Known(*(table.to_numpy(dtype=np.float64) for table in chosen))


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
            low=_known(one.low),
            high=_known(one.high),
            p=one.p,
            p_holm=one.p_holm,
            smallest=_known(one.smallest),
        )
        for against in dict.fromkeys(filter(None, (order[0], baseline)))
        for name, one in compared(known, names, against, labels, chosen=against == order[0], seed=seed).items()
        if one.n
    )


def _known(value: float) -> float | None:
    """None where it is NaN or infinite, which is no JSON."""
    return value if math.isfinite(value) else None
