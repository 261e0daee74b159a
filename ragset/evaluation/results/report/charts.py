"""Charts of the report: which values they show, and where. The template draws them."""

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ragset.evaluation.metrics.registry import find_metric
from ragset.evaluation.results.model import Comparison, Results
from ragset.evaluation.results.report.axis import Axis, apart, axis_over
from ragset.evaluation.results.report.board import Board, Entry

RANKS = ("rank 1", "2–3", "4–5", "6–10", "beyond 10", "missed")
_LAST_RANKS = (1, 3, 5, 10)
_GAP = 14
"""Pixels between the numbers at the ends of lines."""
_ROW = 20
"""Pixels of height for each line, in a chart of many."""
_COLOURS, _DASHES = 8, 4


def bar_axis(board: Board) -> Axis:
    """For means with their intervals in the primary metric, from 0."""
    standings = [entry.standing for entry in board.entries]
    return axis_over(value for one in standings for value in (one.mean, one.low, one.high) if value is not None)


class Forest(NamedTuple):
    """All comparisons with one configuration, in the order of the board."""

    against: str
    roles: tuple[str, ...]
    """`best`, `baseline`, or both."""
    axis: Axis
    rows: tuple[Comparison, ...]


def forests(results: Results, board: Board) -> list[Forest]:
    """Of the primary metric, first with the best and then with the baseline, all to one scale."""
    compared = [one for one in results.comparisons if one.metric == results.primary]
    axis = axis_over(value for one in compared for value in (one.difference, one.low, one.high) if value is not None)
    places = {entry.name: entry.place for entry in board.entries}
    compared.sort(key=lambda one: (places.get(one.against, 0), one.against, places.get(one.configuration, 0)))
    found: list[Forest] = []
    for name in dict.fromkeys(one.against for one in compared):
        roles = (("best", places.get(name) == 1), ("baseline", name == results.baseline))
        found.append(
            Forest(
                board.labels.get(name, name),
                tuple(role for role, there in roles if there),
                axis,
                tuple(one for one in compared if one.against == name),
            )
        )
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


def lines(board: Board) -> Lines | None:
    """None where fewer than two budgets were measured. Budgets stand on a logarithmic scale."""
    found = [find_metric(metric) for metric in dict.fromkeys(metric for _, metric in board.standings)]
    budgets = sorted({one.k for one in found if one and one.metric.name == "recall@{k}tokens"})
    if len(budgets) < 2:
        return None
    steps = [math.log(budget / budgets[0]) / math.log(budgets[-1] / budgets[0]) for budget in budgets]
    across = {budget: round(100 * step, 2) for budget, step in zip(budgets, steps, strict=True)}
    drawn: list[tuple[Entry, list[tuple[int, float]]]] = []
    for entry in board.entries:
        means = [(budget, board.standings.get((entry.name, f"recall@{budget}tokens"))) for budget in budgets]
        points = [(budget, one.mean) for budget, one in means if one is not None and one.mean is not None]
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
    second = board.varying.index("retrieval") if "retrieval" in board.varying[1:] else 1
    firsts = [entry.parts[0] if entry.parts else entry.name for entry in entries]
    seconds = [entry.parts[second] if len(entry.parts) > second else "" for entry in entries]
    colours = _order(firsts)
    dashes = _order(value for entry, value in zip(entries, seconds, strict=True) if len(entry.parts) > second)
    return [
        (colours[one] % _COLOURS, dashes.get(other, 0) % _DASHES) for one, other in zip(firsts, seconds, strict=True)
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
    chunkings, retrievals = (tuple(sorted({key[part] for key in means})) for part in (0, 1))
    if min(len(chunkings), len(retrievals)) < 2:
        return None
    best = [max(found) for found in means.values()]

    def cell(key: tuple[str, str]) -> Cell | None:
        found = means.get(key)
        return Cell(max(found), shade(max(found), best), len(found)) if found else None

    rows = ((chunking, tuple(cell((chunking, retrieval)) for retrieval in retrievals)) for chunking in chunkings)
    return Heat(retrievals, tuple(rows))


def shade(value: float, values: Sequence[float]) -> int:
    """From 0 for the lowest of `values` to 100 for the highest; 50 where all are equal."""
    low, high = min(values), max(values)
    return round(100 * (value - low) / (high - low)) if high > low else 50


class RankPart(NamedTuple):
    """A piece of a bar, in percent of it."""

    name: str
    number: int
    start: float
    width: float
    goldens: int


class RankBar(NamedTuple):
    """At which ranks one configuration found the first relevant chunk; pieces that are empty are left out."""

    entry: Entry
    n: int
    parts: tuple[RankPart, ...]

    @property
    def told(self) -> str:
        """All of it in words."""
        return ", ".join(f"{part.name}: {part.width:.0f} %" for part in self.parts)


def rank_bars(results: Results, board: Board) -> list[RankBar]:
    """A bar for each configuration with ranks. A golden without evidence has nothing to find, and is not counted."""
    ranks = results.values_of("gold_rank")
    sought = [golden.id for golden in results.goldens if golden.evidence]
    found = (
        (entry, [ranks[entry.name, one] for one in sought if (entry.name, one) in ranks]) for entry in board.entries
    )
    return [RankBar(entry, len(of), _parts(of)) for entry, of in found if of]


def _parts(ranks: list[float]) -> tuple[RankPart, ...]:
    counts = [0] * len(RANKS)
    for rank in ranks:
        missed = math.isnan(rank)
        counts[len(_LAST_RANKS) + 1 if missed else sum(rank > last for last in _LAST_RANKS)] += 1

    def share(of: list[int]) -> float:
        return round(100 * sum(of) / len(ranks), 2)

    return tuple(
        RankPart(name, number, share(counts[:number]), share([count]), count)
        for number, (name, count) in enumerate(zip(RANKS, counts, strict=True))
        if count
    )
