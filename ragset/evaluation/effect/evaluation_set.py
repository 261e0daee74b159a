"""Goldens held out for testing, and how a run scores on them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np

from ragset.dataset.relevance.qrels import Gold, gold_of, grades_of
from ragset.documents.corpus import Corpus
from ragset.errors import InputError
from ragset.evaluation.results.model import Run
from ragset.evaluation.scoring import score_retrieval, token_counter
from ragset.models import Golden, Span

TEST = "test"
CUTOFFS = (1, 3, 5, 10)
BUDGET = 512
PRIMARY = "ndcg@10"

Scores = Mapping[str, Mapping[str, float]]
"""By metric and golden id."""


@dataclass(frozen=True)
class EvaluationSet:
    """The goldens of the test split that have evidence, and the chunks that are searched."""

    goldens: tuple[Golden, ...]
    corpus: Corpus
    chunks: Sequence[str]
    primary: str = PRIMARY
    """The metric of the verdict: nDCG, recall or another metric of rankings at 1, 3, 5 or 10, or recall@512tokens."""
    seed: int = 0

    @classmethod
    def of(
        cls, goldens: Iterable[Golden], corpus: Corpus, chunks: Sequence[str], *, primary: str = PRIMARY, seed: int = 0
    ) -> Self:
        """Of any goldens, those for testing; `chunks` are the ids of all chunks of the index.

        Raises:
            InputError: none is for testing.
        """
        held = tuple(golden for golden in goldens if golden.split == TEST and golden.evidence)
        if not held:
            raise InputError(
                "goldens: none of the test split has evidence, so nothing can be measured; split the dataset"
            )
        return cls(held, corpus, chunks, primary, seed)

    @cached_property
    def _gold(self) -> Gold:
        return gold_of(self.goldens, self.corpus)

    @cached_property
    def _tokens(self) -> Callable[[Span], int]:
        return token_counter(self.corpus)

    def scores(self, run: Run) -> Scores:
        """Every metric of rankings of every golden; a golden without hits scores 0."""
        found: dict[str, dict[str, float]] = {}
        for golden, metric, value, _ in score_retrieval(
            run,
            self._gold,
            self.chunks,
            cutoffs=CUTOFFS,
            budgets=(BUDGET,),
            tokens=self._tokens,
            grades=grades_of(self.goldens),
        ):
            found.setdefault(metric, {})[golden] = value
        if self.primary not in found:
            raise InputError(
                f"primary: nothing was scored in {self.primary!r}; choose one of {', '.join(sorted(found))}"
            )
        return found

    def mean(self, run: Run) -> float:
        """The mean of the primary metric."""
        return float(np.mean([*self.scores(run)[self.primary].values()]))
