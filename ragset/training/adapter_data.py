"""A split test set as vectors over an index: what an adapter is trained with, and retrieval with it."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Self

from ragset.dataset.relevance.qrels import Gold
from ragset.errors import InputError
from ragset.evaluation.results.model import Run
from ragset.models import Golden
from ragset.retrieval.embedding import Vectors, normalised
from ragset.retrieval.fusion import Hit
from ragset.retrieval.index import Index
from ragset.training.adapter import TrainedAdapter, Validation, best_rows, train_adapter
from ragset.training.early_stop import relevant_rows
from ragset.training.examples import TrainingExample
from ragset.training.query_set import QuerySet
from ragset.training.sides import Sides

DEPTH = 30
"""Chunks that are retrieved for a test query."""


@dataclass(frozen=True)
class AdapterData:
    """Queries of all three sides, and the passages of the index by row."""

    train: QuerySet
    validation: Validation
    test: tuple[str, ...]
    """Ids of the goldens."""
    test_vectors: Vectors
    chunks: Sequence[str]
    passages: Vectors
    seed: int

    @classmethod
    def of(
        cls,
        examples: Sequence[TrainingExample],
        sides: Sides,
        gold: Gold,
        index: Index,
        embed: Callable[[Sequence[str]], Vectors],
        seed: int,
    ) -> Self:
        """Of the examples of the train side; `gold` has the goldens of the other two, and `embed` embeds queries.

        Raises:
            InputError: a side has nothing to train or to choose with.
        """
        validation, test = (tuple(one for one in side if one.evidence) for side in (sides.validation, sides.test))
        for side, found in (("train", examples), ("validation", validation), ("test", test)):
            if not found:
                raise InputError(f"dataset: no golden of the {side} side has evidence in a chunk; make more goldens")
        return cls(
            train=QuerySet.of(examples, embed([one.query for one in examples]), index.rows),
            validation=Validation(embed(_queries(validation)), relevant_rows(validation, gold, index)),
            test=tuple(golden.id for golden in test),
            test_vectors=embed(_queries(test)),
            chunks=index.ids,
            passages=index.vectors,
            seed=seed,
        )

    def fit(self, goldens: Collection[str] | None = None) -> TrainedAdapter:
        """An adapter trained with these goldens of the train side; None: with all."""
        queries = self.train if goldens is None else self.train.part(goldens)
        return train_adapter(queries, self.validation, self.passages, self.seed)

    def retrieve(self, matrix: Vectors | None) -> Run:
        """The best chunks for the test goldens by cosine, with the adapter or without."""
        vectors = self.test_vectors if matrix is None else normalised(self.test_vectors @ matrix.T)
        found = zip(self.test, vectors, best_rows(vectors, self.passages, DEPTH), strict=True)
        return {
            golden: tuple(Hit(self.chunks[row], float(self.passages[row] @ vector)) for row in rows)
            for golden, vector, rows in found
        }


def _queries(goldens: Sequence[Golden]) -> list[str]:
    return [golden.query for golden in goldens]
