"""Which of several candidates to keep, by nDCG@10 on validation queries; none where the gain may be chance."""

from collections.abc import Iterable, Mapping, Sequence
from math import inf, log2

import numpy as np
from numpy.typing import NDArray

from ragset.dataset.relevance.qrels import Gold, grades_of, qrels
from ragset.evaluation.effect.model import Validation
from ragset.models import Golden, Model
from ragset.retrieval.index import Index

CUTOFF = 10
BEST_OF_SEVERAL = 2.0
"""By how many standard errors the best of several candidates must gain. Of 36 adapters trained on shuffled labels, 12 gained more
than 1, two more than 2."""
SINGLE = 1.0
"""By how many a single candidate must: it is not chosen for its luck. (docs/training.md has what 2 would refuse.)"""

RelevantRows = Sequence[Sequence[Mapping[int, int]]]
"""For each query the sets of passages of which each suffices, as grades by row."""


class EarlyStop(Model):
    """The mean nDCG@10 of validation queries without a change, and of each candidate."""

    goldens: int
    base: float
    candidates: tuple[float, ...]
    """In the order in which they were made, such as epochs."""
    gain: float
    """Of the best candidate, the first of equal ones."""
    error: float
    """The standard error of that gain."""

    @property
    def needed(self) -> float:
        """The gain above which the best candidate is kept."""
        return (BEST_OF_SEVERAL if len(self.candidates) > 1 else SINGLE) * self.error

    @property
    def best(self) -> int:
        """Which candidate is the best, from 1; 0: there is none."""
        return int(np.argmax(self.candidates)) + 1 if self.candidates else 0

    @property
    def kept(self) -> bool:
        """Whether the best candidate gains more than chance may give; else nothing is changed."""
        return self.gain > self.needed

    @property
    def validation(self) -> Validation:
        """The decision as effects report it."""
        return Validation(
            metric=f"ndcg@{CUTOFF}",
            goldens=self.goldens,
            values=(self.base, *self.candidates),
            chosen=self.best if self.kept else 0,
        )

    @property
    def told(self) -> str:
        """The decision with its figures."""
        figures = f"nDCG@{CUTOFF} {self.base:.3f} before, {self.base + self.gain:.3f} at best ({self.gain:+.3f})"
        decision = "kept" if self.kept else f"not kept: chance may give {self.needed:.3f}"
        return f"{self.goldens:,} validation goldens: {figures}; {decision}"


def relevant_rows(goldens: Sequence[Golden], gold: Gold, index: Index) -> RelevantRows:
    """The chunks of the index that are relevant to each golden; `gold` has at least these goldens."""
    relevant = qrels({golden.id: gold[golden.id] for golden in goldens}, index.ids, grades_of(goldens))
    rows = index.rows
    return [[{rows[id_]: grade for id_, grade in one.items()} for one in relevant[golden.id]] for golden in goldens]


def judge(base: NDArray[np.float64], candidates: Sequence[NDArray[np.float64]]) -> EarlyStop:
    """Compare the values of the same queries without a change and with each candidate, at least one."""
    means = tuple(float(one.mean()) for one in candidates)
    gains = candidates[int(np.argmax(means))] - base
    # Of a single query nothing is known.
    error = float(gains.std(ddof=1) / len(gains) ** 0.5) if len(gains) > 1 else inf
    return EarlyStop(
        goldens=len(base), base=float(base.mean()), candidates=means, gain=float(gains.mean()), error=error
    )


def ndcg(rankings: Iterable[Sequence[int]], relevant: RelevantRows) -> NDArray[np.float64]:
    """nDCG@10 of each query, as benchmarks have it: the gain is the grade, and of several sets the best counts."""
    pairs = zip(rankings, relevant, strict=True)
    return np.array([max((_ndcg(rows, one) for one in sets if one), default=0.0) for rows, sets in pairs])


def _ndcg(rows: Sequence[int], grades: Mapping[int, int]) -> float:
    ideal = sorted(grades.values(), reverse=True)
    return _dcg(grades.get(row, 0) for row in rows[:CUTOFF]) / _dcg(ideal[:CUTOFF])


def _dcg(gains: Iterable[int]) -> float:
    return sum(gain / log2(rank + 1) for rank, gain in enumerate(gains, start=1) if gain)
