"""What a query takes of each configuration, and quality against it: the table and the charts."""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from ragset.evaluation.efficiency import STEPS, TOTAL, Efficiency, Percentiles
from ragset.evaluation.results.report.board import Board, Entry
from ragset.evaluation.results.report.charts import Axis, Tick, axis_over

_WIDE = 20
"""Times the lowest value from which a logarithmic scale shows more."""


class Row(NamedTuple):
    """A configuration in the table."""

    entry: Entry
    seconds: Sequence[Percentiles | None]
    tokens: float | None
    cost: float | None
    """Of a thousand queries."""


class Point(NamedTuple):
    """A configuration in a chart; places in percent of the axes."""

    entry: Entry
    x: float
    y: float
    low: float | None
    high: float | None
    takes: str
    front: bool
    """Whether no other configuration is at least as good in both, and better in one."""


class TradeOff(NamedTuple):
    """Quality against what it takes."""

    title: str
    unit: str
    x: Axis
    y: Axis
    points: tuple[Point, ...]
    left_out: tuple[str, ...]
    """Configurations of which it is not known."""

    @property
    def front(self) -> list[Point]:
        """The Pareto front, cheapest first."""
        return sorted((point for point in self.points if point.front), key=lambda point: (point.x, -point.y))


def efficiency_section(board: Board) -> dict[str, Any] | None:
    """What its template shows; None where nothing is known of any configuration. `few`: some percentiles are of few queries."""
    known = {entry.name: entry.system.efficiency for entry in board.entries if entry.system.efficiency}
    if not known:
        return None
    steps = tuple(step for step in (*STEPS, TOTAL) if any(step in one.seconds for one in known.values()))
    steps = steps[:1] if steps[1:] == (TOTAL,) else steps  # of one step alone, the total is that step
    costs = {name: None if one.cost is None else 1000 * one.cost for name, one in known.items()}
    took = [(entry, known.get(entry.name, Efficiency(seconds={}))) for entry in board.entries]
    if any(costs.values()):
        spent = _trade_off(board, "cost", "US dollars per 1,000 queries", costs)
    else:
        spent = _trade_off(board, "tokens", "tokens a query", {name: one.tokens for name, one in known.items()})
    medians = {name: one.seconds[TOTAL].p50 for name, one in known.items() if TOTAL in one.seconds}
    return {
        "steps": steps,
        "rows": [
            Row(entry, [one.seconds.get(step) for step in steps], one.tokens, costs.get(entry.name))
            for entry, one in took
        ],
        "trade_offs": list(filter(None, (spent, _trade_off(board, "latency", "seconds a query, median", medians)))),
        "few": any(one.queries < 100 for of in known.values() for one in of.seconds.values()),
    }


def _trade_off(board: Board, title: str, unit: str, takes: Mapping[str, float | None]) -> TradeOff | None:
    """None where fewer than two configurations can be placed, or all take the same."""
    placed = [
        (entry, value, mean)
        for entry in board.entries
        if (value := takes.get(entry.name)) is not None and (mean := entry.standing.mean) is not None
    ]
    if len({value for _, value, _ in placed}) < 2:
        return None
    x, place = _axis_of([value for _, value, _ in placed])
    standings = [entry.standing for entry, _, _ in placed]
    y = axis_over((value for one in standings for value in (one.mean, one.low, one.high)), zero=False)
    best = pareto_front([(value, mean) for _, value, mean in placed])
    points = tuple(
        Point(
            entry,
            place(value),
            y.at(mean),
            y.place(entry.standing.low),
            y.place(entry.standing.high),
            f"{value:.3g}",
            front,
        )
        for (entry, value, mean), front in zip(placed, best, strict=True)
    )
    shown = {entry.name for entry, _, _ in placed}
    return TradeOff(title, unit, x, y, points, tuple(entry.label for entry in board.entries if entry.name not in shown))


def pareto_front(points: Sequence[tuple[float, float]]) -> list[bool]:
    """Of (what it takes, quality): whether no other takes as little or less and is as good or better, and not the same in both."""
    return [
        not any(less <= takes and better >= quality and (less, better) != (takes, quality) for less, better in points)
        for takes, quality in points
    ]


def _axis_of(values: Sequence[float]) -> tuple[Axis, Callable[[float], float]]:
    """From 0, or logarithmic where the values are far apart; with the place of a value in percent."""
    low, high = min(values), max(values)
    if low <= 0 or high / low < _WIDE:
        axis = axis_over(values)
        return axis, axis.at
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    steps = (1, 2, 5) if last - first < 3 else (1,)
    marks = [
        size * 10.0**power for power in range(first, last + 1) for size in steps if size * 10.0**power <= 10.0**last
    ]
    ticks = tuple(Tick(round(100 * (math.log10(one) - first) / (last - first), 2), f"{one:g}") for one in marks)
    axis = Axis(first, last, ticks)
    return axis, lambda value: axis.at(math.log10(value))
