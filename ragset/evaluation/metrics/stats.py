"""How sure a mean is, and how many queries a difference needs.

Goldens of one document are not independent, so documents are drawn as clusters where there are ten or more. With fewer,
goldens are drawn one by one, and the result holds for other queries about these documents, not for other documents.
"""

import math
from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ragset.evaluation.metrics.paired import ALPHA, FEWEST, POWER, SAME
from ragset.evaluation.metrics.resample import DRAWS, Floats, drawn_totals, rows_alike, totals

if TYPE_CHECKING:
    import pandas as pd

CAUTIOUS = 0.5
"""A standard deviation of paired differences where theirs is not known: as where one query in four has another hit."""
_LEAST_SPREAD = 0.05


class Interval(NamedTuple):
    """A mean and where it could lie; NaN where nothing was judged, and of one value its bounds."""

    mean: float
    low: float
    high: float
    n: int
    """Values in the mean."""
    missing: int
    """Values that were NaN, and are not in it."""


def interval(
    values: Sequence[float] | Floats,
    clusters: Sequence[Hashable] | None = None,
    level: float = 0.95,
    draws: int = DRAWS,
    seed: int = 0,
) -> Interval:
    """The mean with its bootstrap interval: percentiles over resampled clusters, or over values without clusters.

    The percentiles are wider ones where there are few to draw, as a bootstrap alone understates their spread: Hesterberg,
    "What Teachers Should Know About the Bootstrap" (2015), the expanded percentile interval. NaN are left out and
    counted. `clusters` are labels beside the values, as the document of each. Values that are all the same have an interval
    of no width, however few they are; a single one has none.
    """
    return intervals(np.asarray(values, dtype=np.float64)[None, :], clusters, level, draws, seed)[0]


def intervals(
    rows: Floats,
    clusters: Sequence[Hashable] | None = None,
    level: float = 0.95,
    draws: int = DRAWS,
    seed: int = 0,
) -> list[Interval]:
    """The `interval` of each row, configurations × goldens."""
    width = rows.shape[1]
    found = [Interval(math.nan, math.nan, math.nan, 0, width)] * len(rows)
    for members, values, by in rows_alike(rows, clusters):
        n = values.shape[1]
        drawn = drawn_totals(totals(np.column_stack([values.T, np.ones(n)]), by), draws, seed)
        for place, row in enumerate(members):
            low, high = _percentiles(drawn[:, place] / drawn[:, -1], level, by.number)
            found[row] = Interval(float(values[place].mean()), low, high, n, width - n)
    return found


def _percentiles(drawn: Floats, level: float, number: int) -> tuple[float, float]:
    from scipy.stats import norm, t

    if number < 2:
        return math.nan, math.nan
    tail = float(norm.cdf(math.sqrt(number / (number - 1)) * t.ppf((1 - level) / 2, number - 1)))
    low, high = np.quantile(drawn, [tail, 1 - tail])
    return float(low), float(high)


def spread(scores: "pd.DataFrame") -> float | None:
    """The standard deviation of paired differences, golden by golden, between the best configuration and another.

    `scores` has configurations as rows and goldens as columns. The variances of all others are averaged, but of those
    that score as the best does on all but five goldens or fewer. None where that is so of all, or where the result is
    under 0.05: the scores hardly differ from query to query, and say nothing about other configurations.
    """
    means = scores.mean(axis=1).dropna().sort_values(ascending=False, kind="stable")
    if len(means) < 2:
        return None
    best = means.index[0]
    differences = (scores.loc[means.index[1:]] - scores.loc[best]).to_numpy(dtype=np.float64)
    telling = differences[(np.abs(differences) > SAME).sum(axis=1) >= FEWEST]
    if not len(telling):
        return None
    sd = math.sqrt(float(np.nanvar(telling, axis=1, ddof=1).mean()))
    return sd if sd >= _LEAST_SPREAD else None


def queries_needed(difference: float, sd: float, power: float = POWER, alpha: float = ALPHA) -> int:
    """How many queries show a true mean difference as significant, two-sided, with a chance of `power`.

    `sd` is that of the paired differences. By the normal approximation for independent queries, rounded up; at least 2.
    """
    from scipy.stats import norm

    if not difference:
        raise ValueError("difference: no number of queries shows one of 0")
    z = float(norm.ppf(1 - alpha / 2) + norm.ppf(power))
    # Rounded first, so that a whole number does not come out one too many.
    return max(2, math.ceil(round((z * sd / difference) ** 2, 6)))
