"""What a change did to retrieval, as plain data."""

from typing import Literal

from ragset.evaluation.metrics.paired import FEWEST
from ragset.models import Model

Verdict = Literal["helps", "no difference seen", "harms"]


class MetricChange(Model):
    """One metric before and after, over the same goldens."""

    metric: str
    before: float
    after: float
    difference: float
    low: float | None
    """With `high` the interval of the difference, which excludes 0 only where `p` is below 0.05. None: too few goldens."""
    high: float | None
    p: float
    """Of the paired test, corrected for the number of tests that were made together."""
    smallest: float | None
    """The true difference that would show in 4 of 5 measurements; None where that is not known."""
    goldens: int

    @property
    def told(self) -> str:
        """The figures in words."""
        between = "" if self.low is None or self.high is None else f", {self.low:+.3f} to {self.high:+.3f}"
        return f"{self.metric} {self.before:.3f} before, {self.after:.3f} after ({self.difference:+.3f}{between})"


class GroupChange(Model):
    """The primary metric of a group of goldens."""

    property: str
    """What the goldens have in common: document, hardness or overlap."""
    group: str
    change: MetricChange


class TopPassage(Model):
    """The first passage that was retrieved."""

    text: str
    relevant: bool


class MovedQuery(Model):
    """A query whose primary metric changed."""

    golden: str
    query: str
    evidence: str
    before: float
    after: float
    rank_before: int | None
    """Of the first relevant chunk, from 1; None where none was retrieved."""
    rank_after: int | None
    top_before: TopPassage | None
    """None where nothing was retrieved."""
    top_after: TopPassage | None


class LearningPoint(Model):
    """The primary metric after training with a part of the goldens."""

    goldens: int
    """For training; 0: before."""
    draws: int
    """How many parts of this size were drawn."""
    mean: float
    lowest: float
    highest: float


class Validation(Model):
    """How training chose what to keep: a metric of the validation goldens, step by step."""

    metric: str
    goldens: int
    values: tuple[float, ...]
    """At each step, the first before training."""
    chosen: int
    """The step that was kept; 0: none raised the metric by more than chance may, and nothing changed."""


class Effect(Model):
    """A change measured on goldens that it was not trained with. Before and after are paired by golden."""

    changed: str
    """What was changed, such as `adapter`."""
    verdict: Verdict
    """By the primary metric alone."""
    primary: str
    goldens: int
    documents: int
    trained_with: int
    """Goldens; 0: not trained."""
    metrics: tuple[MetricChange, ...]
    """The primary one first, tested alone. The others are tested together."""
    groups: tuple[GroupChange, ...]
    """Those of one property are tested together."""
    gained: tuple[MovedQuery, ...]
    """The queries that gained most, the first most."""
    lost: tuple[MovedQuery, ...]
    gained_count: int
    lost_count: int
    curve: tuple[LearningPoint, ...] = ()
    """Fewest goldens first; empty where it was not measured."""
    validation: Validation | None = None
    """None where nothing was chosen by validation goldens."""
    seed: int = 0

    @property
    def told(self) -> str:
        """The verdict with its figures, as sentences."""
        change = self.metrics[0]
        if self.validation and not self.validation.chosen:
            goldens = f"{self.validation.goldens:,} validation golden{'' if self.validation.goldens == 1 else 's'}"
            kept = f"no step of the training raised {self.validation.metric} of {goldens} by more than chance may"
            return f"The {self.changed} is not used: {kept}. Retrieval stays as it was ({change.metric} {change.before:.3f})."
        goldens = f"{self.goldens:,} test golden{'' if self.goldens == 1 else 's'}"
        if self.verdict != "no difference seen":
            return f"The {self.changed} {self.verdict}: {change.told} on {goldens}."
        seen = f"No difference seen with {goldens}: {change.told}."
        if change.smallest is None:
            return f"{seen} A difference can show only where {FEWEST} or more goldens differ; measure with more."
        return f"{seen} A true difference of {change.smallest:.3f} would show in 4 of 5 measurements."
