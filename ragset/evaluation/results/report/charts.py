"""Charts of the report: which values they show. The template draws them."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from ragset.evaluation.metrics.registry import find_metric
from ragset.evaluation.results.model import Comparison, Results
from ragset.evaluation.results.report.axis import Axis, axis_over
from ragset.evaluation.results.report.board import Board, Entry

_COLOURS, _DASHES = 8, 4


def bar_axis(board: Board) -> Axis:
    """For means with their intervals in the primary metric, from 0."""
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
    axis = axis_over(value for one in results.comparisons for value in (one.difference, one.low, one.high))
    places = {entry.name: entry.place for entry in board.entries}
    compared = sorted(
        results.comparisons, key=lambda one: (places.get(one.against, 0), places.get(one.configuration, 0))
    )
    return [
        Forest(
            board.labels.get(name, name),
            ("best",) * (places.get(name) == 1) + ("baseline",) * (name == results.baseline),
            axis,
            tuple(one for one in compared if one.against == name),
        )
        for name in dict.fromkeys(one.against for one in compared)
    ]


class Line(NamedTuple):
    """One configuration over the budgets that it has a mean at: percent of the width, and the mean."""

    entry: Entry
    colour: int
    dash: int
    points: tuple[tuple[float, float], ...]


class Lines(NamedTuple):
    """Recall over budgets of retrieved tokens."""

    axis: Axis
    budgets: dict[int, float]
    rows: tuple[Line, ...]


def lines(board: Board) -> Lines | None:
    """None where fewer than two budgets were measured."""
    found = [find_metric(metric) for metric in dict.fromkeys(metric for _, metric in board.standings)]
    sizes = sorted({one.k for one in found if one and one.metric.name == "recall@{k}tokens"})
    if len(sizes) < 2:
        return None
    span = math.log(sizes[-1] / sizes[0])
    budgets = {size: round(100 * math.log(size / sizes[0]) / span, 2) for size in sizes}
    rows: list[Line] = []
    for entry, look in zip(board.entries, _looks(board), strict=True):
        means = [(at, board.standings.get((entry.name, f"recall@{size}tokens"))) for size, at in budgets.items()]
        points = tuple((at, one.mean) for at, one in means if one is not None and one.mean is not None)
        if points:
            rows.append(Line(entry, *look, points))
    axis = axis_over((mean for line in rows for _, mean in line.points), zero=False)
    return Lines(axis, budgets, tuple(rows))


def _looks(board: Board) -> list[tuple[int, int]]:
    """Colour and dash: of the first part that varies and of the retrieval, or else of the second part."""
    second = board.varying.index("retrieval") if "retrieval" in board.varying[1:] else 1
    firsts = [entry.parts[0] if entry.parts else entry.name for entry in board.entries]
    seconds = [entry.parts[second] if len(entry.parts) > second else "" for entry in board.entries]
    colours, dashes = sorted(set(firsts)), sorted(set(seconds) - {""})
    return [
        (colours.index(one) % _COLOURS, dashes.index(other) % _DASHES if other else 0)
        for one, other in zip(firsts, seconds, strict=True)
    ]


def shade(value: float, values: Sequence[float]) -> int:
    """From 0 for the lowest of `values` to 100 for the highest; 50 where all are equal."""
    low, high = min(values), max(values)
    return round(100 * (value - low) / (high - low)) if high > low else 50
