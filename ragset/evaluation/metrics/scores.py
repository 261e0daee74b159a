"""One value of one metric, and what it could be where it is not known for certain.

A judgement that failed, a query that a run file leaves out, a passage that is not found in the corpus: the score of that
golden lies between two bounds, and so does the mean. A value that is NaN and has no bounds lies between 0 and 1.
"""

from typing import TYPE_CHECKING, NamedTuple

from ragset.models import Model

if TYPE_CHECKING:
    import pandas as pd


class Bounds(Model):
    """The lowest and the highest that a score, a mean or a difference could be."""

    worst: float
    best: float


UNKNOWN = Bounds(worst=0.0, best=1.0)
"""Of a score of which nothing is known: every metric with a mean lies between 0 and 1."""


class Score(NamedTuple):
    """A metric of one golden."""

    golden: str
    metric: str
    value: float
    """NaN where it could not be judged."""
    bounds: Bounds | None = None
    """None: it is the value, or anything from 0 to 1 if that is NaN."""


def with_bounds(scores: "pd.DataFrame") -> "pd.DataFrame":
    """`scores` with the columns `worst` and `best` filled: by the value, or by 0 and 1 where it is NaN."""
    worst = scores["worst"] if "worst" in scores else scores["value"]
    best = scores["best"] if "best" in scores else scores["value"]
    return scores.assign(
        worst=worst.fillna(scores["value"]).fillna(UNKNOWN.worst),
        best=best.fillna(scores["value"]).fillna(UNKNOWN.best),
    )
