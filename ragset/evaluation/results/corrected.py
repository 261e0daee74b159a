"""Means and differences of a benchmark as people's judgements of a random part correct them; none where nobody judged."""

from pydantic import Field

from ragset.dataset.review.records import Kind
from ragset.models import Model


class CorrectedMean(Model):
    """One configuration in one metric: what people would find on average if they judged all goldens."""

    configuration: str
    plain: float | None
    """The mean that the benchmark has without people; None where it does not measure the metric itself."""
    mean: float
    low: float | None
    """None where a single golden was judged."""
    high: float | None
    weight: float
    """How much the scores count that are corrected: 0, people's judgements alone, to 1."""
    labels: int
    """Goldens that people judged."""
    labels_to_halve: int | None
    """As many judged goldens in all would halve the interval; None where judging every golden would not."""


class CorrectedDifference(Model):
    """One configuration less another, golden by golden; the interval allows for the number of comparisons."""

    configuration: str
    against: str
    plain: float | None
    difference: float
    low: float | None
    high: float | None
    labels: int

    @property
    def told(self) -> str:
        """`better`, `worse`, or empty where the data do not tell the two apart."""
        if self.low is None or self.high is None or self.low <= 0 <= self.high:
            return ""
        return "better" if self.low > 0 else "worse"


class CorrectedMetric(Model):
    """One metric by people's judgements."""

    metric: str
    judge: str
    """The metric whose scores of all goldens are corrected."""
    goldens: int
    means: tuple[CorrectedMean, ...]
    """The best first."""
    differences: tuple[CorrectedDifference, ...]


class Judged(Model):
    """What people judged of a benchmark, of one kind, and what follows from it."""

    kind: Kind
    guideline: str
    others: dict[str, int] = Field(default_factory=dict)
    """Judgements under other versions of the guideline, which are not counted."""
    judgements: int
    people: int
    skipped: int
    """Items that were looked at and not judged."""
    shared: int
    """Items that two people or more judged; the three figures below are of them, and None without any."""
    raw: float | None
    alpha: float | None
    ac2: float | None
    metrics: tuple[CorrectedMetric, ...]
