"""One value of one metric."""

from typing import NamedTuple


class Score(NamedTuple):
    """A metric of one golden: a row of `pandas.DataFrame(scores)`."""

    golden: str
    metric: str
    value: float
    """NaN where there is none to give."""
