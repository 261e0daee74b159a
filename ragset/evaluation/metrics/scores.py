"""One value of one metric, and the bounds between which it lies where it is not known for certain.

A score is uncertain after a failed judgement, a query without a reply, or a passage that is not found in the corpus.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from ragset.models import Model

if TYPE_CHECKING:
    import pandas as pd


class Bounds(Model):
    """The lowest and the highest that a score, a mean or a difference could be."""

    worst: float
    best: float


UNKNOWN = Bounds(worst=0.0, best=1.0)
"""Every metric with a mean lies between 0 and 1."""


class Score(NamedTuple):
    """A metric of one golden."""

    golden: str
    metric: str
    value: float
    """NaN where it could not be judged."""
    bounds: Bounds | None = None


def score_frame(rows: Iterable[tuple[str, str, str, float | None, Bounds | None]]) -> "pd.DataFrame":
    """Scores (configuration, golden, metric, value, bounds) as a table, with the bounds `worst` and `best` of each."""
    import pandas as pd

    cells = [(*row[:4], row[4] and row[4].worst, row[4] and row[4].best) for row in rows]
    frame = pd.DataFrame(cells, columns=["configuration", "golden", "metric", "value", "worst", "best"])
    return with_bounds(frame.astype({"value": float, "worst": float, "best": float}))


def with_bounds(scores: "pd.DataFrame") -> "pd.DataFrame":
    """`scores` with the columns `worst` and `best` filled: by the value, or by 0 and 1 where it is NaN."""
    filled = {
        name: (scores[name] if name in scores else scores["value"]).fillna(scores["value"]).fillna(unknown)
        for name, unknown in UNKNOWN
    }
    return scores.assign(**filled)
