"""Charts of the report: which values they show. The template draws them."""

import math
from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import NamedTuple

from ragset.evaluation.metrics.registry import find_metric
from ragset.evaluation.results.model import Comparison, Results
from ragset.evaluation.results.report.board import Board, Entry


class Tick(NamedTuple):
    """A line across the chart, with its place in percent."""

    at: float
    text: str

    @property
    def anchor(self) -> str:
        """Which end of its text stands at the line: text at the edges stays inside."""
        return "start" if self.at < 4 else "end" if self.at > 96 else "middle"


class Axis(NamedTuple):
    """Places in percent of its length, so that a chart fits any width with letters of one size."""

    low: float
    high: float
    ticks: tuple[Tick, ...]

    def at(self, value: float) -> float:
        """Percent of the axis; what lies outside stands at its edge."""
        share = (value - self.low) / (self.high - self.low)
        return round(100 * min(1.0, max(0.0, share)), 2)

    def place(self, value: float | None) -> float | None:
        """The same, or None for what is not known."""
        return None if value is None or math.isnan(value) else self.at(value)


def axis_over(values: Iterable[float | None], *, zero: bool = True) -> Axis:
    """Round numbers around all known `values`, and around 0 where `zero`, in 3 to 7 ticks."""
    finite = [value for value in values if value is not None and math.isfinite(value)] + ([0.0] if zero else [])
    low, high = min(finite, default=0.0), max(finite, default=1.0)
    if high - low < 1e-9:
        # A mean of at most 1 has no room above that.
        low, high = (low - 0.1, max(high, min(1.0, high + 0.1))) if low else (0.0, 1.0)
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


def axis_of_changes(values: Iterable[float | None]) -> Axis:
    """An axis around all known changes and 0; to both sides of it if nothing changed."""
    known = [value for value in values if value]
    return axis_over(known or (-0.1, 0.1))


def bar_axis(board: Board) -> Axis:
    """The axis of means with their intervals in the primary metric, from 0."""
    standings = [entry.standing for entry in board.entries]
    return axis_over(value for one in standings for value in (one.mean, one.low, one.high))


class Forest(NamedTuple):
    """All comparisons with one configuration, in the order of the board."""

    against: str
    roles: tuple[str, ...]
    axis: Axis
    rows: tuple[Comparison, ...]


def forests(results: Results, board: Board) -> list[Forest]:
    """First with the best and then with the baseline, all to one scale."""
    axis = axis_of_changes(value for one in results.comparisons for value in (one.difference, one.low, one.high))
    places = {entry.name: entry.place for entry in board.entries}
    compared = sorted(results.comparisons, key=lambda c: (places.get(c.against, 0), places.get(c.configuration, 0)))
    return [
        Forest(
            board.labels.get(name, name),
            ("best",) * (places.get(name) == 1) + ("baseline",) * (name == results.baseline),
            axis,
            tuple(one for one in compared if one.against == name),
        )
        for name in dict.fromkeys(one.against for one in compared)
    ]


class Lines(NamedTuple):
    """Recall over budgets of retrieved tokens."""

    axis: Axis
    budgets: dict[int, float]
    """Percent of the width by budget, on a logarithmic scale."""
    rows: list[tuple[Entry, list[tuple[float, float]]]]
    """The points of each configuration: percent of the width, and the mean."""


def lines(board: Board) -> Lines | None:
    """None where fewer than two budgets were measured."""
    found = [find_metric(metric) for metric in dict.fromkeys(metric for _, metric in board.standings)]
    sizes = sorted({one[1] for one in found if one and one[0].name == "recall@{k}tokens"})
    if len(sizes) < 2:
        return None
    span = math.log(sizes[-1] / sizes[0])
    budgets = {size: round(100 * math.log(size / sizes[0]) / span, 2) for size in sizes}
    rows: list[tuple[Entry, list[tuple[float, float]]]] = []
    for entry in board.entries:
        means = [(at, board.standings.get((entry.name, f"recall@{size}tokens"))) for size, at in budgets.items()]
        if points := [(at, one.mean) for at, one in means if one is not None and one.mean is not None]:
            rows.append((entry, points))
    return Lines(axis_over((mean for _, points in rows for _, mean in points), zero=False), budgets, rows)


def shade(value: float, values: Sequence[float]) -> int:
    """From 0 for the lowest of `values` to 100 for the highest; 50 where all are equal."""
    low, high = min(values), max(values)
    return round(100 * (value - low) / (high - low)) if high > low else 50
