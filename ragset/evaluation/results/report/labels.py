"""Room for the numbers of points, so that none covers another."""

import math
from collections.abc import Sequence
from typing import NamedTuple

_DIGIT, _HEIGHT = 7.0, 11.0
"""Pixels of a digit's width and of a number's height."""
_GAP = 3.0
"""Pixels between numbers that stand side by side, which else would read as one."""
_AWAY = (11.0, 18.0, 26.0, 35.0, 45.0, 56.0, 68.0, 81.0)
"""Pixels from a point to the middle of its number: the nearest that is free."""
_DIRECTIONS = 16
_LINED = 14.0
"""Pixels, beyond which a line leads from the point to its number."""

Place = tuple[float, float]
"""Pixels from the left and from the top."""


class Label(NamedTuple):
    """Where the middle of a number stands."""

    x: float
    y: float
    lead: bool
    """Whether it stands so far from its point that a line should lead there."""


def label_points(
    points: Sequence[Place], texts: Sequence[str], width: float, height: float, radius: float
) -> list[Label]:
    """A label for each point, clear of all points and of the other labels as far as there is room within the field."""
    placed: list[tuple[float, float, float]] = []
    labels: list[Label] = []
    for (x, y), text in zip(points, texts, strict=True):
        half = _DIGIT * len(text) / 2
        chosen: tuple[float, float, float] | None = None
        fewest = math.inf
        for away in _AWAY:
            for number in range(_DIRECTIONS):
                # to the upper right first, then on around the point
                angle = math.pi / 4 - 2 * math.pi * number / _DIRECTIONS
                at_x, at_y = x + away * math.cos(angle), y - away * math.sin(angle)
                if not (half <= at_x <= width - half and _HEIGHT / 2 <= at_y <= height - _HEIGHT / 2):
                    continue
                covered = sum(_covers(at_x, at_y, half, point, radius) for point in points)
                covered += sum(_overlap(at_x, at_y, half, other) for other in placed)
                if covered < fewest:
                    chosen, fewest = (at_x, at_y, away), covered
            if not fewest:
                break
        at_x, at_y, away = chosen or (x, y, 0.0)
        placed.append((at_x, at_y, half))
        labels.append(Label(round(at_x, 1), round(at_y, 1), away > _LINED))
    return labels


def _covers(x: float, y: float, half: float, point: Place, radius: float) -> bool:
    return abs(x - point[0]) < half + radius and abs(y - point[1]) < _HEIGHT / 2 + radius


def _overlap(x: float, y: float, half: float, other: tuple[float, float, float]) -> bool:
    return abs(x - other[0]) < half + other[2] + _GAP and abs(y - other[1]) < _HEIGHT
