"""Estimates from few judgements: a share with its interval, how well a score predicts a verdict, and how far people agree."""

import math
from collections.abc import Iterable, Sequence
from typing import Any, Literal, NamedTuple

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
    """Of the judgements of each item, by however many people; `values` are all that could be given, in order.

    Alpha takes the chance of agreement from how often each value was given at all, so where nearly everything is good it is low
    although people agree; AC1 (Gwet 2008) is not. Neither is told without the other, nor without the base rate.
    """
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


_Z = 1.959963984540054  # of 95 %
_NEAR = 1e-9


class Share(NamedTuple):
    """A share with its 95 % interval; NaN where nothing was judged."""

    share: float
    low: float
    high: float
    n: int


class Prediction(NamedTuple):
    """The chance that a score is higher for a good golden than for a bad one (AUC); 0.5 is what a coin reaches."""

    auc: float
    low: float
    high: float
    good: int
    bad: int


def share_of(values: Iterable[float]) -> Share:
    """The mean of values from 0 to 1, such as whether each golden is good, with Wilson's interval (1927)."""
    values = [*values]
    n = len(values)
    if not n:
        return Share(math.nan, math.nan, math.nan, 0)
    share, z2 = math.fsum(values) / n, _Z**2
    middle = (share + z2 / (2 * n)) / (1 + z2 / n)
    half = _Z / (1 + z2 / n) * math.sqrt(share * (1 - share) / n + z2 / (4 * n * n))
    return Share(share, max(0.0, middle - half), min(1.0, middle + half), n)


def prediction(good: Sequence[float], bad: Sequence[float]) -> Prediction | None:
    """By the scores of good and of bad goldens; None where one of the two has none.

    The interval is Newcombe's method 5 (Statistics in Medicine 25, 2006), which holds for few and for perfect scores too.
    """
    from scipy.optimize import brentq
    from scipy.stats import rankdata

    m, n = len(good), len(bad)
    if not m or not n:
        return None
    above = float(rankdata([*good, *bad])[:m].sum()) - m * (m + 1) / 2
    auc, half = above / (m * n), (m + n) / 2 - 1

    def outside(at: float) -> float:
        spread = at * (1 - at) * (1 + half * (1 - at) / (2 - at) + half * at / (1 + at)) / (m * n)
        return (auc - at) ** 2 - _Z**2 * spread

    # At a perfect score itself nothing spreads: the end of the interval is the other root.
    low: Any = 0 if auc == 0 else brentq(outside, 0.0, auc - _NEAR)
    high: Any = 1 if auc == 1 else brentq(outside, auc + _NEAR, 1.0)
    return Prediction(auc, float(low), float(high), m, n)
