"""The report of an effect: one page in one file, without scripts, which asks nothing of the network."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

from ragset.dataset import versions
from ragset.dataset.report.page import HERE, flat, template_of
from ragset.evaluation.effect.model import Effect, MetricChange, Validation
from ragset.evaluation.metrics.registry import meaning
from ragset.evaluation.results import report
from ragset.evaluation.results.report.charts import Axis, axis_of_changes, axis_over
from ragset.evaluation.results.report.filters import FILTERS


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


EFFECT = "effect.json"
REPORT = "report.html"
_HERE = Path(__file__).parent
_STYLES = (HERE / "page.css", Path(report.__file__).parent / "results.css", _HERE / "effect.css")


def effect_files(effect: Effect, name: str, parameters: Mapping[str, Any], grid_file: str = "") -> dict[str, str]:
    """Texts of the files of an effect by their names: the figures and the page, which names the file beside it that holds a grid."""
    return {
        EFFECT: effect.model_dump_json(indent=2) + "\n",
        REPORT: render_effect(effect, name, parameters, grid_file),
    }


def render_effect(effect: Effect, name: str, parameters: Mapping[str, Any], grid_file: str = "") -> str:
    """The page as HTML; `name` is that of the dataset. Text from documents is shown, never run."""
    properties = groupby(effect.groups, key=lambda one: one.property)
    groups = [(title, forest([(one.group, one.change) for one in of])) for title, of in properties]
    return _template().render(
        effect=effect,
        name=name,
        grid_file=grid_file,
        metrics=forest([(one.metric, one) for one in effect.metrics]),
        groups=groups,
        learning=learning_plot(effect),
        validation=validation_plot(effect.validation) if effect.validation else None,
        moves=[("Gained", effect.gained, effect.gained_count), ("Lost", effect.lost, effect.lost_count)],
        meanings=[(one.metric, meaning(one.metric)) for one in effect.metrics],
        parameters=list(flat(dict(parameters))),
        versions=versions(),
        style="\n".join(path.read_text(encoding="utf-8") for path in _STYLES),
    )


@lru_cache(maxsize=1)
def _template() -> Any:
    return template_of(_HERE / "effect.html.jinja", FILTERS)
