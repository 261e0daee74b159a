"""How far people agree who judged the same items: raw, Krippendorff's alpha, Gwet's AC1 and AC2.

Alpha takes the chance of agreement from how often each value was given at all, so where nearly everything is good it is low
although people agree; AC1 (Gwet 2008) is not. Neither is told without the other, nor without the base rate.
"""

import math
from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Level = Literal["nominal", "ordinal"]


class Agreement(NamedTuple):
    """1 is full agreement and 0 what chance would give; NaN where it is not defined."""

    items: int
    """Judged by two people or more."""
    raw: float
    """Share of the pairs of judgements of one item that are the same."""
    alpha: float
    """Krippendorff's: ordinal for grades, else nominal."""
    ac: float
    """Gwet's AC2 with quadratic weights for grades, else AC1."""


def agreement(judgements: Iterable[Sequence[int]], values: Sequence[int], level: Level = "nominal") -> Agreement:
    """Of the judgements of each item, by however many people; `values` are all that could be given, in order."""
    place = {value: number for number, value in enumerate(values)}
    rows = [np.bincount([place[value] for value in of], minlength=len(values)) for of in judgements if len(of)]
    counts = np.array(rows, dtype=np.float64).reshape(len(rows), len(values))
    paired = counts[counts.sum(axis=1) > 1]
    if not len(paired):
        return Agreement(0, math.nan, math.nan, math.nan)
    same = np.eye(len(values))
    raw = _agreeing(paired, same)
    steps = np.subtract.outer(np.arange(len(values)), np.arange(len(values)))
    weights = same if level == "nominal" else 1 - (steps / (len(values) - 1)) ** 2
    return Agreement(len(paired), raw, _alpha(paired, level), _ac(counts, paired, weights))


def _agreeing(counts: Floats, weights: Floats) -> float:
    """The mean over items of how far each two judgements agree."""
    people = counts.sum(axis=1)
    pairs = (counts * (counts @ weights - np.diag(weights))).sum(axis=1)
    return float((pairs / (people * (people - 1))).mean())


def _alpha(counts: Floats, level: Level) -> float:
    """Krippendorff, "Computing Krippendorff's Alpha-Reliability" (2011): 1 - observed / expected disagreement."""
    people = counts.sum(axis=1, keepdims=True)
    observed = (counts / (people - 1)).T @ counts - np.diag((counts / (people - 1)).sum(axis=0))
    total = observed.sum(axis=1)
    if level == "nominal":
        far = 1 - np.eye(len(total))
    else:
        middle = np.cumsum(total) - total / 2
        far = np.subtract.outer(middle, middle) ** 2
    expected = (np.outer(total, total) - np.diag(total)) / (total.sum() - 1)
    by_chance = float((expected * far).sum())
    return 1 - float((observed * far).sum()) / by_chance if by_chance else math.nan


def _ac(counts: Floats, paired: Floats, weights: Floats) -> float:
    """Gwet, "Handbook of Inter-Rater Reliability" (2014)."""
    agreeing = _agreeing(paired, weights)
    share = (counts / counts.sum(axis=1, keepdims=True)).mean(axis=0)
    q = len(share)
    chance = float(weights.sum() / (q * (q - 1)) * (share * (1 - share)).sum())
    return (agreeing - chance) / (1 - chance)
