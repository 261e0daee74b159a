"""Holm's correction of the p values of several tests."""

import math
from collections.abc import Sequence
from typing import NamedTuple

ALPHA = 0.05
"""A difference counts where its corrected p is below."""


class Corrected(NamedTuple):
    """A corrected p value, and the number of tests at which Holm's procedure decided on it."""

    p: float
    tests: int


def holm(p_values: Sequence[float], counts: Sequence[int] | None = None) -> list[Corrected]:
    """Correct p values: Holm, "A Simple Sequentially Rejective Multiple Test Procedure" (1979).

    The smallest is multiplied by the first of `counts` (n, n - 1, …, 1 if not given), and so on. NaN is no test.
    """
    corrected = [Corrected(math.nan, 0)] * len(p_values)
    order = sorted((p, place) for place, p in enumerate(p_values) if not math.isnan(p))
    last = (counts or range(len(p_values), 0, -1))[len(p_values) - len(order) :]
    highest, stopped = 0.0, 0
    for count, (p, place) in zip(last, order, strict=True):
        highest = max(highest, min(1.0, count * p))
        if not stopped and not highest < ALPHA:
            stopped = count
        corrected[place] = Corrected(highest, stopped or count)
    return corrected
