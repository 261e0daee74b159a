"""Bars with whiskers, paired differences, lines and a heat map: what the template draws, as places and texts."""

import math
import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ragset.evaluation.metrics.paired import ALPHA
from ragset.evaluation.results.model import Comparison, Results
from ragset.evaluation.results.report.axis import Axis, apart, axis_over
from ragset.evaluation.results.report.board import Board, Entry

_GAP = 14
"""Pixels between the numbers at the ends of lines."""
_ROW = 20
"""Pixels of height for each line, in a chart of many."""
_COLOURS, _DASHES = 8, 4


class Bar(NamedTuple):
    """Places in percent of the axis."""

    entry: Entry
    end: float | None
    low: float | None
    high: float | None


class Bars(NamedTuple):
    """One for each configuration."""

    axis: Axis
    rows: tuple[Bar, ...]


def bars(board: Board) -> Bars:
    """Of the primary metric, from 0."""
    standings = [entry.standing for entry in board.entries]
    axis = axis_over(value for one in standings for value in (one.mean, one.low, one.high) if value is not None)
    rows = (
        Bar(entry, axis.place(entry.standing.mean), axis.place(entry.standing.low), axis.place(entry.standing.high))
        for entry in board.entries
    )
    return Bars(axis, tuple(rows))


class Difference(NamedTuple):
    """A configuration less the one it is compared with."""

    label: str
    number: int
    comparison: Comparison
    at: float | None
    """Places are None where the two share no golden."""
    low: float | None
    high: float | None

    @property
    def told(self) -> str:
        """`better`, `worse`, or empty where the data do not tell them apart."""
        if not self.comparison.p_holm < ALPHA or not self.comparison.difference:
            return ""
        return "better" if self.comparison.difference > 0 else "worse"


class Forest(NamedTuple):
    """All comparisons with one configuration."""

    against: str
    roles: tuple[str, ...]
    """`best`, `baseline`, or both."""
    axis: Axis
    zero: float
    rows: tuple[Difference, ...]


def forests(results: Results, board: Board) -> list[Forest]:
    """Of the primary metric, first with the best and then with the baseline, all to one scale."""
    compared = [one for one in results.comparisons if one.metric == results.primary]
    axis = axis_over(value for one in compared for value in (one.difference, one.low, one.high) if value is not None)
    places = {entry.name: entry.place for entry in board.entries}
    found: list[Forest] = []
    against = sorted({one.against for one in compared}, key=lambda name: (places.get(name, 0), name))
    for name in against:
        roles = [
            role for role, there in (("best", places.get(name) == 1), ("baseline", name == results.baseline)) if there
        ]
        rows = sorted(
            (one for one in compared if one.against == name), key=lambda one: places.get(one.configuration, 0)
        )
        differences = tuple(
            Difference(
                label=board.labels.get(one.configuration, one.configuration),
                number=places.get(one.configuration, 0),
                comparison=one,
                at=axis.place(one.difference),
                low=axis.place(one.low),
                high=axis.place(one.high),
            )
            for one in rows
        )
        found.append(Forest(board.labels.get(name, name), tuple(roles), axis, axis.at(0), differences))
    return found


class Line(NamedTuple):
    """One configuration over all budgets."""

    entry: Entry
    colour: int
    dash: int
    points: tuple[tuple[float, float], ...]
    """Percent of the width, pixels from the top."""
    label: float
    """Pixels from the top of the number at its end."""
    last: float
    """The value there."""

    @property
    def segments(self) -> list[tuple[tuple[float, float], tuple[float, float]]]:
        """From point to point."""
        return [*zip(self.points, self.points[1:], strict=False)]


class Lines(NamedTuple):
    """Recall over budgets of retrieved tokens."""

    height: int
    budgets: tuple[tuple[float, str], ...]
    values: tuple[tuple[float, str], ...]
    rows: tuple[Line, ...]


_BUDGET = re.compile(r"recall@(\d+)tokens")


def lines(board: Board) -> Lines | None:
    """None where fewer than two budgets were measured. Budgets stand on a logarithmic scale."""
    budgets = sorted({int(found[1]) for _, metric in board.standings if (found := _BUDGET.fullmatch(metric))})
    if len(budgets) < 2:
        return None
    steps = [math.log(budget / budgets[0]) / math.log(budgets[-1] / budgets[0]) for budget in budgets]
    across = {budget: round(100 * step, 2) for budget, step in zip(budgets, steps, strict=True)}
    drawn: list[tuple[Entry, list[tuple[int, float]]]] = []
    for entry in board.entries:
        found = [(budget, board.standings.get((entry.name, f"recall@{budget}tokens"))) for budget in budgets]
        points = [(budget, one.mean) for budget, one in found if one is not None and one.mean is not None]
        if points:
            drawn.append((entry, points))
    axis = axis_over((value for _, points in drawn for _, value in points), zero=False)
    height = max(300, _ROW * len(drawn))

    def down(value: float) -> float:
        return round(height * (1 - axis.at(value) / 100), 2)

    labels = apart([down(points[-1][1]) for _, points in drawn], _GAP, height)
    styles = looks(board, [entry for entry, _ in drawn])
    rows = (
        Line(entry, *look, tuple((across[budget], down(value)) for budget, value in points), label, points[-1][1])
        for (entry, points), label, look in zip(drawn, labels, styles, strict=True)
    )
    ticks = tuple((round(height * (1 - tick.at / 100), 2), tick.text) for tick in axis.ticks)
    return Lines(height, tuple((across[budget], f"{budget:,}") for budget in budgets), ticks, tuple(rows))


def looks(board: Board, entries: Sequence[Entry]) -> list[tuple[int, int]]:
    """Colour and dash: of the first part that varies and of the retrieval, or else of the second part."""
    first = _order(entry.parts[0] if entry.parts else entry.name for entry in entries)
    second = board.varying.index("retrieval") if "retrieval" in board.varying[1:] else 1
    kinds = _order(entry.parts[second] for entry in entries if len(entry.parts) > second)
    return [
        (
            first[entry.parts[0] if entry.parts else entry.name] % _COLOURS,
            kinds[entry.parts[second]] % _DASHES if len(entry.parts) > second else 0,
        )
        for entry in entries
    ]


def _order(values: Iterable[str]) -> dict[str, int]:
    return {value: number for number, value in enumerate(sorted(set(values)))}


class Cell(NamedTuple):
    """The best configuration of a chunking and a retrieval."""

    mean: float
    shade: int
    """From 0, the lowest in the map, to 100, the highest."""
    of: int
    """Configurations of that chunking and retrieval."""


class Heat(NamedTuple):
    """A row for each chunking, a column for each retrieval."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Cell | None, ...]], ...]


def heat(board: Board) -> Heat | None:
    """None where there are not at least two of each."""
    means: dict[tuple[str, str], list[float]] = {}
    for entry in board.entries:
        system = entry.system
        if system.chunking and system.retrieval and entry.standing.mean is not None:
            means.setdefault((system.chunking, system.retrieval), []).append(entry.standing.mean)
    chunkings = tuple(sorted({chunking for chunking, _ in means}))
    retrievals = tuple(sorted({retrieval for _, retrieval in means}))
    if min(len(chunkings), len(retrievals)) < 2:
        return None
    best = [max(found) for found in means.values()]

    def cell(found: list[float] | None) -> Cell | None:
        return Cell(max(found), shade(max(found), best), len(found)) if found else None

    rows = (
        (chunking, tuple(cell(means.get((chunking, retrieval))) for retrieval in retrievals)) for chunking in chunkings
    )
    return Heat(retrievals, tuple(rows))


def shade(value: float, values: Sequence[float]) -> int:
    """From 0 for the lowest of `values` to 100 for the highest; 50 where all are equal."""
    low, high = min(values), max(values)
    return round(100 * (value - low) / (high - low)) if high > low else 50
