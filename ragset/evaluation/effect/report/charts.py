"""Charts of the page: which values they show. The template draws them."""

from collections.abc import Sequence
from typing import NamedTuple

from ragset.evaluation.effect.model import Effect, MetricChange, Validation
from ragset.evaluation.results.report.charts import Axis, axis_of_changes, axis_over


class Forest(NamedTuple):
    """Changes with their intervals, to one scale."""

    axis: Axis
    rows: tuple[tuple[str, MetricChange], ...]


def forest(rows: Sequence[tuple[str, MetricChange]]) -> Forest:
    """The changes by their labels."""
    axis = axis_of_changes(value for _, one in rows for value in (one.difference, one.low, one.high))
    return Forest(axis, tuple(rows))


class Point(NamedTuple):
    """A value over its place in percent of the width, with the range of values it is the mean of."""

    at: float
    text: str
    value: float
    low: float
    high: float
    chosen: bool = False


class Plot(NamedTuple):
    """A line, and the value before training as another."""

    axis: Axis
    points: tuple[Point, ...]
    labels: tuple[tuple[float, str], ...]
    """Of the horizontal axis: percent of the width, and a text."""
    before: float
    unit: str


def learning_plot(effect: Effect) -> Plot | None:
    """The primary metric over goldens for training; None where no part of them was tried."""
    if len(effect.curve) < 3:
        return None
    most = effect.curve[-1].goldens
    points = tuple(
        Point(round(100 * one.goldens / most, 2), f"{one.goldens:,}", one.mean, one.lowest, one.highest)
        for one in effect.curve
    )
    labels = tuple((one.at, one.text) for one in points)
    return _plot(points, labels, "goldens for training")


_MOST_LABELS = 8


def validation_plot(validation: Validation) -> Plot:
    """The metric by step of the training."""
    last = max(1, len(validation.values) - 1)
    points = tuple(
        Point(round(100 * step / last, 2), str(step), value, value, value, step == validation.chosen)
        for step, value in enumerate(validation.values)
    )
    every = -(-len(points) // _MOST_LABELS)
    return _plot(points, tuple((one.at, one.text) for one in points[::every]), "step of training")


def _plot(points: tuple[Point, ...], labels: tuple[tuple[float, str], ...], unit: str) -> Plot:
    axis = axis_over((value for one in points for value in (one.low, one.high)), zero=False)
    return Plot(axis, points, labels, points[0].value, unit)
