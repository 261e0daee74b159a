"""How a cost grows with a size: y − y₀ = a·xᵏ, fitted to the logarithms, with the interval of k and of what it predicts."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy import stats

LEAST_RISE = 0.2
"""A cost that is less than this share above that of the smallest size is noise of the start-up, and not fitted."""

LEAST_SIZES = 3
"""Two have no interval; that of three reaches 12.7 standard errors to each side."""


class Interval(NamedTuple):
    """An estimate with the ends of its 95 % interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Growth:
    """The line through the logarithms of sizes and costs."""

    start: float
    """Cost of start-up, which the smallest size shows."""
    exponent: Interval
    sizes: int
    """Those that the line was fitted to."""
    _intercept: float
    _centre: float
    _spread: float
    _noise: float

    def at(self, size: float) -> Interval:
        """The mean cost that the line predicts at `size`."""
        x = math.log(size)
        line = self._intercept + self.exponent.value * x
        width = _quantile(self.sizes) * self._noise * math.sqrt(1 / self.sizes + (x - self._centre) ** 2 / self._spread)
        return Interval(*(self.start + math.exp(line + side) for side in (0.0, -width, width)))


def fitted(sizes: Sequence[float], costs: Sequence[float]) -> Growth | None:
    """Growth above the first cost, which is that of start-up; None where fewer than three others rise above it."""
    start = costs[0]
    rising = [(x, y - start) for x, y in zip(sizes[1:], costs[1:], strict=True) if y - start > LEAST_RISE * start]
    if len(rising) < LEAST_SIZES:
        return None
    x, y = np.log(np.array(rising)).T
    line = stats.linregress(x, y)
    width = _quantile(len(x)) * float(np.nan_to_num(line.stderr))  # none where all costs are the same
    noise = math.sqrt(float(np.sum((y - line.intercept - line.slope * x) ** 2)) / (len(x) - 2))
    exponent = Interval(line.slope, line.slope - width, line.slope + width)
    return Growth(start, exponent, len(x), line.intercept, float(x.mean()), float(np.sum((x - x.mean()) ** 2)), noise)


def _quantile(sizes: int) -> float:
    return float(stats.t.ppf(0.975, sizes - 2))
