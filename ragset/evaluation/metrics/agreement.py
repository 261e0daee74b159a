"""Whether two test sets rank the same configurations alike, beside how alike two parts of one of them do."""

import math
from collections.abc import Hashable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ragset.evaluation.metrics.resample import DRAWS, Floats, drawn_totals, totals, units_of

if TYPE_CHECKING:
    import pandas as pd

CEILING_DRAWS = 200
_DIGITS = 12
"""Means that differ beyond these are the same, summed in another order."""


class Agreement(NamedTuple):
    """Rank correlations from -1 to 1 with their 95 % intervals; NaN where they are not defined."""

    tau_b: float
    spearman: float
    tau_low: float
    tau_high: float
    rho_low: float
    rho_high: float
    configurations: int
    ceiling: "Ceiling"

    @property
    def ratio(self) -> float:
        """Of the ceiling; NaN where one of the two is not defined, or the ceiling is not above 0."""
        return self.tau_b / self.ceiling.mean if self.ceiling.mean > 0 else math.nan


class Ceiling(NamedTuple):
    """Tau-b between random goldens of a test set and the rest of it: the mean, and the range of 95 % of the draws."""

    mean: float
    low: float
    high: float
    goldens: int
    """How many are drawn."""


def agreement(
    a: "pd.DataFrame",
    b: "pd.DataFrame",
    clusters: Mapping[str, Hashable] | None = None,
    draws: int = DRAWS,
    seed: int = 0,
) -> Agreement:
    """Compare the rankings of the configurations that two test sets, tables of configurations × goldens, both score.

    The intervals come from drawing the goldens of each set again, by cluster. The ceiling is that of as many goldens of `b`
    as `a` has. Correlations are not defined for fewer than two configurations, nor where a test set scores all alike.
    """
    means = a.mean(axis=1).to_frame("a").join(b.mean(axis=1).rename("b")).dropna()
    if len(means) < 2:
        nothing = Ceiling(math.nan, math.nan, math.nan, 0)
        return Agreement(*(math.nan,) * 6, configurations=len(means), ceiling=nothing)
    # The goldens of the two sets are drawn independently.
    seeds = np.random.SeedSequence(seed).generate_state(2).tolist()
    drawn = [
        _drawn_means(table.loc[means.index], clusters, draws, own) for table, own in zip((a, b), seeds, strict=True)
    ]
    tau, rho = _correlations(*means.round(_DIGITS).to_numpy().T)
    goldens = int(a.loc[means.index].notna().any().sum())
    top = ceiling(b.loc[means.index], goldens, seed=seed)
    return Agreement(tau, rho, *_interval(row_taus(*drawn)), *_interval(row_rhos(*drawn)), len(means), top)


def ceiling(table: "pd.DataFrame", goldens: int, draws: int = CEILING_DRAWS, seed: int = 0) -> Ceiling:
    """What `goldens` of a test set, but at most half of them, reach against the rest of it."""
    values = table.loc[:, table.notna().any()].to_numpy(dtype=np.float64)
    number = values.shape[1]
    size = min(goldens, number // 2)
    if size < 1 or len(values) < 2:
        return Ceiling(math.nan, math.nan, math.nan, size)
    order = np.random.default_rng(seed).permuted(np.tile(np.arange(number), (draws, 1)), axis=1)
    chosen = np.zeros((draws, number))
    np.put_along_axis(chosen, order[:, :size], 1.0, axis=1)
    taus = row_taus(_weighted_means(values, chosen), _weighted_means(values, 1 - chosen))
    taus = taus[~np.isnan(taus)]
    return Ceiling(float(taus.mean()) if len(taus) else math.nan, *_interval(taus), size)


def _weighted_means(values: Floats, weights: Floats) -> Floats:
    """For each row of `weights` (a number for each golden) the mean of each configuration; NaN where none is judged."""
    judged = ~np.isnan(values)
    total, count = weights @ np.where(judged, values, 0.0).T, weights @ judged.T.astype(np.float64)
    return np.divide(total, count, out=np.full_like(total, np.nan), where=count > 0)


def _correlations(x: Floats, y: Floats) -> tuple[float, float]:
    from scipy.stats import kendalltau, spearmanr

    if np.ptp(x) == 0 or np.ptp(y) == 0:
        return math.nan, math.nan
    tau: Any = kendalltau(x, y)
    rho: Any = spearmanr(x, y)
    return float(tau.statistic), float(rho.statistic)


def _drawn_means(table: "pd.DataFrame", clusters: Mapping[str, Hashable] | None, draws: int, seed: int) -> Floats:
    values = table.to_numpy(dtype=np.float64).T
    judged = ~np.isnan(values)
    units = units_of(len(values), None if clusters is None else [clusters[golden] for golden in table.columns])
    sums = totals(np.hstack([np.where(judged, values, 0.0), judged.astype(np.float64)]), units)
    total, count = np.hsplit(drawn_totals(sums, draws, seed), 2)
    return np.divide(total, count, out=np.full_like(total, np.nan), where=count > 0)


def row_taus(x: Floats, y: Floats) -> Floats:
    """Kendall's tau-b of each row of `x` with that of `y`."""
    x, y = np.round(x, _DIGITS), np.round(y, _DIGITS)
    left, right = np.triu_indices(x.shape[1], 1)
    size = max(1, 4_000_000 // len(left))
    blocks = (slice(start, start + size) for start in range(0, len(x), size))
    return np.concatenate(
        [_cosine(np.sign(x[rows, left] - x[rows, right]), np.sign(y[rows, left] - y[rows, right])) for rows in blocks]
    )


def row_rhos(x: Floats, y: Floats) -> Floats:
    """Spearman's rho of each row of `x` with that of `y`; NaN where a row has one value throughout."""
    from scipy.stats import rankdata

    one, other = (rankdata(np.round(rows, _DIGITS), axis=1) for rows in (x, y))
    return _cosine(one - one.mean(axis=1, keepdims=True), other - other.mean(axis=1, keepdims=True))


def _cosine(one: Floats, other: Floats) -> Floats:
    """Of each row with that of the other; NaN where one is 0 throughout."""
    product, squares = (one * other).sum(axis=1), (one**2).sum(axis=1) * (other**2).sum(axis=1)
    return np.divide(product, np.sqrt(squares), out=np.full_like(product, np.nan), where=squares > 0)


def _interval(values: Floats) -> tuple[float, float]:
    values = values[~np.isnan(values)]
    if not len(values):
        return math.nan, math.nan
    low, high = np.quantile(values, [(1 - 0.95) / 2, (1 + 0.95) / 2])
    return float(low), float(high)
