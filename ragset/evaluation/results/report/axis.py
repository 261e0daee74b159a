"""Places on an axis, in percent of its length, so that a chart fits any width with letters of one size."""

import math
from collections.abc import Iterable
from decimal import Decimal
from typing import NamedTuple


class Tick(NamedTuple):
    """A line across the chart."""

    at: float
    text: str

    @property
    def anchor(self) -> str:
        """Which end of its text stands at the line: text at the edges stays inside."""
        return "start" if self.at < 4 else "end" if self.at > 96 else "middle"


class Axis(NamedTuple):
    """From `low` to `high`."""

    low: float
    high: float
    ticks: tuple[Tick, ...]

    def at(self, value: float) -> float:
        """Percent of the axis; what lies outside stands at its edge."""
        share = (value - self.low) / (self.high - self.low)
        return round(100 * min(1.0, max(0.0, share)), 2)

    def place(self, value: float | None) -> float | None:
        """As `at`; None for what is not known."""
        return None if value is None or math.isnan(value) else self.at(value)


def axis_over(values: Iterable[float | None], *, zero: bool = True) -> Axis:
    """Round numbers around all known `values`, and around 0 where `zero`, in 3 to 7 ticks."""
    finite = [value for value in values if value is not None and math.isfinite(value)] + ([0.0] if zero else [])
    low, high = min(finite, default=0.0), max(finite, default=1.0)
    if high - low < 1e-9:
        low, high = (low - 0.1, high + 0.1) if low else (0.0, 1.0)
    rough = (high - low) / 5
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(size * power for size in (1, 2, 2.5, 5, 10) if size * power >= rough * (1 - 1e-9))
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    decimals = max(0, -int(Decimal(f"{step:.6g}").normalize().as_tuple().exponent))
    ticks = tuple(
        Tick(round(100 * (number - first) / (last - first), 2), f"{number * step:.{decimals}f}".replace("-", "−"))
        for number in range(first, last + 1)
    )
    return Axis(first * step, last * step, ticks)
