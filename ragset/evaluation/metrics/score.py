"""One value of one metric."""

from typing import NamedTuple

from ragset.evaluation.metrics.bounds import Bounds


class Score(NamedTuple):
    """A metric of one golden: a row of `pandas.DataFrame(scores)`."""

    golden: str
    metric: str
    value: float
    """NaN where there is none to give."""
    bounds: Bounds | None = None
    """What the value could be, where it is not known for certain. None: it is the value, or anything from 0 to 1 if that is NaN."""
