"""Estimates from few judgements: a share with its interval, and how well a score predicts a verdict."""

import math
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

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
