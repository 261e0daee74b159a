"""How alike two datasets rank the configurations: a point for each in the scores of both, and a verdict."""

import math
from typing import Literal, NamedTuple

from ragset.evaluation.results.model import DatasetAgreement, Results
from ragset.evaluation.results.report.axis import Axis, axis_over
from ragset.evaluation.results.report.board import Board, Entry
from ragset.evaluation.results.report.charts import looks

ALIKE = 0.5
"""Of tau-b: rankings are alike where the whole interval is above, as then three of four pairs are in the same order."""
_LONGEST = 40
"""Characters of a dataset's name that an axis has room for."""

Alike = Literal["alike", "partly", "untold", "opposite", "unsure", "undefined"]


class Dot(NamedTuple):
    """One configuration with its mean on the one dataset and on the other."""

    entry: Entry
    one: float
    other: float
    colour: int


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
    dots: tuple[Dot, ...]
    """Of the configurations that have a mean on both."""
    axis: Axis
    """Of both means."""


def pairs(results: Results, board: Board) -> list[Pair]:
    """One for each agreement, in its metric."""
    datasets = {golden.id: golden.metadata.get("dataset") for golden in results.goldens}
    colours = [colour for colour, _ in looks(board, board.entries)]
    found: list[Pair] = []
    for one in results.agreements:
        scores = {key: score for key, score in results.values_of(one.metric).items() if not math.isnan(score)}
        judged = {golden for _, golden in scores}
        sides: list[Side] = []
        means: list[list[float]] = []
        for name in (one.one, one.other):
            goldens = [golden for golden, of in datasets.items() if of == name and golden in judged]
            short = name if len(name) <= _LONGEST else f"{name[: _LONGEST - 1]}…"
            sides.append(Side(name, short, len(goldens)))
            means.append([_mean([scores.get((entry.name, id_)) for id_ in goldens]) for entry in board.entries])
        dots = tuple(
            Dot(entry, across, up, colour)
            for entry, across, up, colour in zip(board.entries, *means, colours, strict=True)
            if not math.isnan(across + up)
        )
        axis = axis_over((value for dot in dots for value in (dot.one, dot.other)), zero=False)
        found.append(Pair(sides[0], sides[1], one, how_alike(one), dots, axis))
    return found


def _mean(values: list[float | None]) -> float:
    known = [value for value in values if value is not None]
    return math.fsum(known) / len(known) if known else math.nan


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
