"""How sure a mean is: bootstrap intervals over other goldens of the same kind.

Documents are drawn as clusters where there are ten or more. With fewer, goldens are drawn one by one, and the interval
holds for other queries about these documents, not for other documents.
"""

import math
from collections.abc import Hashable, Sequence
from typing import NamedTuple

import numpy as np

from ragset.evaluation.metrics.resample import DRAWS, Floats, drawn_totals, rows_alike, totals


class Interval(NamedTuple):
    """A mean and its interval; NaN where nothing was judged, and the interval of a single value."""

    mean: float
    low: float
    high: float
    n: int
    """Values in the mean."""
    missing: int
    """Values that were NaN."""


def intervals(
    rows: Floats,
    clusters: Sequence[Hashable] | None = None,
    level: float = 0.95,
    draws: int = DRAWS,
    seed: int = 0,
) -> list[Interval]:
    """The mean of each row (configurations × goldens) with its bootstrap interval.

    The percentiles are those of Hesterberg's expanded percentile interval ("What Teachers Should Know About the
    Bootstrap", 2015), since a bootstrap of few values understates their spread. `clusters` has a label for each golden.
    """
    width = rows.shape[1]
    found = [Interval(math.nan, math.nan, math.nan, 0, width)] * len(rows)
    for members, values, units in rows_alike(rows, clusters):
        n = values.shape[1]
        sums = totals(np.column_stack([values.T, np.ones(n)]), units)
        drawn = drawn_totals(sums, draws, seed)
        for place, row in enumerate(members):
            low, high = _percentiles(drawn[:, place] / drawn[:, -1], level, len(sums))
            found[row] = Interval(float(values[place].mean()), low, high, n, width - n)
    return found


def _percentiles(drawn: Floats, level: float, number: int) -> tuple[float, float]:
    from scipy.stats import norm, t

    if number < 2:
        return math.nan, math.nan
    tail = float(norm.cdf(math.sqrt(number / (number - 1)) * t.ppf((1 - level) / 2, number - 1)))
    low, high = np.quantile(drawn, [tail, 1 - tail])
    return float(low), float(high)
