"""What a mean could be, where some of the values behind it are not known for certain.

A judgement that could not be had, a query that a run file leaves out, a passage that cannot be found in the corpus: the
score of that golden lies somewhere between two bounds, and so does the mean. A value that is NaN and says nothing more
lies between 0 and 1, as all metrics that have a mean do.
"""

from typing import TYPE_CHECKING

from ragset.models import Model

if TYPE_CHECKING:
    import pandas as pd

LOWEST, HIGHEST = 0.0, 1.0
"""Of every metric that has a mean."""


class Bounds(Model):
    """The lowest and the highest that a score, a mean or a difference could be."""

    worst: float
    best: float


def with_bounds(scores: "pd.DataFrame") -> "pd.DataFrame":
    """`scores` with the columns `worst` and `best`, filled where they are not given: the value, or 0 and 1 where it is NaN."""
    worst = scores["worst"] if "worst" in scores else scores["value"]
    best = scores["best"] if "best" in scores else scores["value"]
    return scores.assign(
        worst=worst.fillna(scores["value"]).fillna(LOWEST), best=best.fillna(scores["value"]).fillna(HIGHEST)
    )
