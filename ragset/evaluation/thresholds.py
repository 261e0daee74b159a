"""Whether a mean reaches what is asked of it, or falls short by more than noise."""

import math
from collections.abc import Hashable, Mapping
from typing import TYPE_CHECKING

import numpy as np

from ragset.evaluation.metrics.resample import intervals

if TYPE_CHECKING:
    import pandas as pd


def check_least(
    metric: str, least: float, scores: "pd.DataFrame", clusters: Mapping[str, Hashable], *, surely: bool = False
) -> str:
    """Why the mean of a metric is too low, in a phrase; empty where it is not.

    It is too low if its 95 % interval lies below `least`; `surely`, if the interval begins below it. `scores` has a row for
    each golden (golden, value, worst, best): unknown scores count as the best that they could be, or `surely` the worst.
    With a single golden or document there is no interval, and the mean itself counts.
    """
    goldens = [str(golden) for golden in scores["golden"]]
    known = scores[["value", "worst" if surely else "best"]].to_numpy(dtype=np.float64).T
    measured, counted = intervals(known, [clusters[golden] for golden in goldens])
    end = counted.low if surely else counted.high
    if not (counted.mean if math.isnan(end) else end) < least:
        return ""
    goldens_told = f"{measured.n:,} golden{'s'[: measured.n != 1]}"
    between = "" if math.isnan(measured.low) else f" (95 % interval {measured.low:.3f} to {measured.high:.3f})"
    mean = "not known" if math.isnan(measured.mean) else f"{measured.mean:.3f}"
    what = "which may be below" if surely else "which is below"
    return f"{metric} is {mean}{between} on {goldens_told}, {what} {least:g}"
