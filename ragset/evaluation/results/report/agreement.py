"""How alike two datasets rank the configurations: a point for each in the scores of both, and what that comes to."""

import math
from typing import Literal, NamedTuple

from ragset.evaluation.results.model import DatasetAgreement, Results
from ragset.evaluation.results.report.axis import Axis, axis_over
from ragset.evaluation.results.report.board import Board, Entry
from ragset.evaluation.results.report.charts import looks
from ragset.evaluation.results.report.labels import Label, label_points
from ragset.evaluation.results.report.scores import Scores, mean, scores_of

ALIKE = 0.5
"""Of tau-b: rankings are alike where the whole interval is above, as then three of four pairs are in the same order."""
FIELD = 350
"""Pixels of each side of the field of a plot."""
RADIUS = 4.5
_LONGEST = 40
"""Characters of a dataset's name that an axis has room for."""

Alike = Literal["alike", "partly", "untold", "opposite", "unsure", "undefined"]


class Dot(NamedTuple):
    """One configuration; places are pixels from the left and the top of the field."""

    entry: Entry
    one: float
    """Its mean on the one dataset."""
    other: float
    colour: int
    x: float
    y: float
    label: Label


class Scatter(NamedTuple):
    """The one dataset across, the other upwards, both on one scale."""

    across: tuple[tuple[float, str], ...]
    """Ticks, in pixels from the left."""
    up: tuple[tuple[float, str], ...]
    """The same, in pixels from the top."""
    dots: tuple[Dot, ...]


class Side(NamedTuple):
    """One of the two datasets."""

    name: str
    short: str
    """As an axis has room for."""
    n: int
    """Goldens that some configuration was scored on in the metric."""


class Pair(NamedTuple):
    """Two datasets."""

    one: Side
    other: Side
    found: DatasetAgreement
    alike: Alike
    scatter: Scatter | None
    """None where no configuration has a mean on both."""


def pairs(results: Results, board: Board) -> list[Pair]:
    """One for each agreement, in its metric."""
    datasets = {golden.id: golden.metadata.get("dataset") for golden in results.goldens}
    found: list[Pair] = []
    for one in results.agreements:
        scores = scores_of(results, one.metric)
        judged = {golden for (_, golden), score in scores.items() if not math.isnan(score)}
        goldens = {
            name: [golden for golden, of in datasets.items() if of == name and golden in judged]
            for name in (one.one, one.other)
        }
        sides = [Side(name, _short(name), len(goldens[name])) for name in (one.one, one.other)]
        scatter = _scatter(board, scores, goldens[one.one], goldens[one.other])
        found.append(Pair(sides[0], sides[1], one, how_alike(one), scatter))
    return found


def how_alike(found: DatasetAgreement) -> Alike:
    """As the interval of tau-b says: `untold` where it holds 0, `unsure` where there is none, `undefined` without tau."""
    tau, low, high = found.tau_b, found.tau_low, found.tau_high
    if tau is None or math.isnan(tau):
        return "undefined"
    if low is None or high is None or math.isnan(low + high):
        return "unsure"
    if low <= 0:
        return "opposite" if high < 0 else "untold"
    return "alike" if low > ALIKE else "partly"


def _scatter(board: Board, scores: Scores, one: list[str], other: list[str]) -> Scatter | None:
    drawn: list[tuple[Entry, int, float, float]] = []
    for entry, (colour, _) in zip(board.entries, looks(board, board.entries), strict=True):
        across, up = _mean(scores, entry, one), _mean(scores, entry, other)
        if across is not None and up is not None:
            drawn.append((entry, colour, across, up))
    if not drawn:
        return None
    axis = axis_over((value for _, _, *both in drawn for value in both), zero=False)
    points = [(_pixels(axis, across), round(FIELD - _pixels(axis, up), 1)) for _, _, across, up in drawn]
    labels = label_points(points, [str(entry.place) for entry, *_ in drawn], FIELD, FIELD, RADIUS)
    dots = (
        Dot(entry, across, up, colour, *point, label)
        for (entry, colour, across, up), point, label in zip(drawn, points, labels, strict=True)
    )
    ticks = [(round(FIELD * tick.at / 100, 1), tick.text) for tick in axis.ticks]
    return Scatter(tuple(ticks), tuple((round(FIELD - at, 1), text) for at, text in ticks), tuple(dots))


def _mean(scores: Scores, entry: Entry, goldens: list[str]) -> float | None:
    return mean([scores[entry.name, golden] for golden in goldens if (entry.name, golden) in scores])


def _pixels(axis: Axis, value: float) -> float:
    return round(FIELD * axis.at(value) / 100, 1)


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST else f"{name[: _LONGEST - 1]}…"
