"""The funnel as a picture: a taper for each stage, as wide as what entered it, down to what went on."""

from collections.abc import Sequence
from typing import NamedTuple

from ragset.dataset.manifest import FunnelRow

_WIDTH = 300.0
_HEIGHT = 46.0
_GAP = 6.0
_LEAST = 3.0

_STAGES = {
    "chunk": "cut into chunks",
    "sample": "sampled",
    "rules": "free rules",
    "judge": "judged by the critic",
    "draft": "query drafted",
    "evolve": "query evolved",
    "answer": "answered with quotes",
    "critique": "critiqued",
    "keep": "kept",
}


class Taper(NamedTuple):
    """One stage of the picture, in its units."""

    row: FunnelRow
    title: str
    points: str
    """Of the polygon, for SVG."""
    middle: float
    """Where its labels stand, from the top."""


class Picture(NamedTuple):
    """All of it."""

    tapers: list[Taper]
    before: list[FunnelRow]
    """Stages before anything was tried: their numbers are of another size, and said in words."""
    width: float
    height: float


def funnel_picture(rows: Sequence[FunnelRow]) -> Picture:
    """The picture of a funnel, scaled to the stage that most entered."""
    before = [row for row in rows if row.stage in {"chunk", "sample"}]
    drawn = [row for row in rows if row not in before]
    most = max((row.entered for row in drawn), default=1) or 1
    tapers: list[Taper] = []
    for number, row in enumerate(drawn):
        top = number * (_HEIGHT + _GAP)
        above, below = _wide(row.entered, most), _wide(row.left, most)
        centre = _WIDTH / 2
        corners = [(-above, 0.0), (above, 0.0), (below, _HEIGHT), (-below, _HEIGHT)]
        points = " ".join(f"{centre + x / 2:.1f},{top + y:.1f}" for x, y in corners)
        title = _STAGES.get(row.stage, row.stage)
        tapers.append(Taper(row=row, title=title, points=points, middle=top + _HEIGHT / 2))
    return Picture(tapers, before, _WIDTH, max(len(drawn) * (_HEIGHT + _GAP) - _GAP, 1.0))


def _wide(count: int, most: int) -> float:
    return max(_LEAST, _WIDTH * count / most) if count else _LEAST
