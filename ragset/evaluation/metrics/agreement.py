"""Whether two test sets rank the same configurations alike."""

import math
from collections.abc import Hashable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ragset.evaluation.metrics.resample import DRAWS, Floats, drawn_totals, totals, units_of

if TYPE_CHECKING:
    import pandas as pd

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


def agreement(
    a: "pd.DataFrame",
    b: "pd.DataFrame",
    clusters: Mapping[str, Hashable] | None = None,
    draws: int = DRAWS,
    seed: int = 0,
) -> Agreement:
    """Compare the rankings of the configurations that two test sets, tables of configurations × goldens, both score.

    The intervals come from drawing the goldens of each set again, by cluster. Correlations are not defined for fewer than
    two configurations, nor where a test set scores all alike.
    """
    means = a.mean(axis=1).to_frame("a").join(b.mean(axis=1).rename("b")).dropna()
    if len(means) < 2:
        return Agreement(*(math.nan,) * 6, configurations=len(means))
    # The goldens of the two sets are drawn independently.
    seeds = np.random.SeedSequence(seed).generate_state(2).tolist()
    drawn = [
        _drawn_means(table.loc[means.index], clusters, draws, own) for table, own in zip((a, b), seeds, strict=True)
    ]
    tau, rho = _correlations(*means.round(_DIGITS).to_numpy().T)
    return Agreement(tau, rho, *_interval(row_taus(*drawn)), *_interval(row_rhos(*drawn)), len(means))


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
