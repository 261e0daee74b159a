"""Trains a linear adapter of queries: q' = normalise(W q), with W near the identity. Passages stay as they are indexed."""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Self

import numpy as np
from numpy.typing import NDArray

from ragset.dataset.relevance.qrels import Gold
from ragset.errors import InputError
from ragset.evaluation.results.model import Run
from ragset.models import Golden
from ragset.retrieval.embedding import Vectors, normalised
from ragset.retrieval.fusion import Hit
from ragset.retrieval.index import Index
from ragset.training.early_stop import CUTOFF, EarlyStop, RelevantRows, judge, ndcg, relevant_rows
from ragset.training.examples import TrainingExample
from ragset.training.info_nce import QuerySet, epochs
from ragset.training.sides import Sides

EPOCHS, PATIENCE = 40, 5
_AT_ONCE = 64
"""Queries that are compared with all passages at once, which bounds the memory."""


@dataclass(frozen=True)
class Validation:
    """Queries that decide which candidate is kept."""

    vectors: Vectors
    relevant: RelevantRows


@dataclass(frozen=True)
class TrainedAdapter:
    """What training came to."""

    matrix: Vectors | None
    """None: no candidate was better than no change."""
    stop: EarlyStop


def train_adapter(queries: QuerySet, validation: Validation, passages: Vectors, seed: int = 0) -> TrainedAdapter:
    """The matrix of the epoch with the best nDCG@10 of validation queries over all passages, if the gain is above chance.

    There is at least one query for training and one for validation; vectors are normalised.
    """
    base = _scores(validation, passages, None)
    best: tuple[float, Vectors | None] = (float(base.mean()), None)
    values: list[NDArray[np.float64]] = []
    since = 0
    for matrix in islice(epochs(queries, passages, seed), EPOCHS):
        values.append(_scores(validation, passages, matrix))
        since += 1
        if (mean := float(values[-1].mean())) > best[0]:
            best, since = (mean, matrix), 0
        if since == PATIENCE:
            break
    stop = judge(base, values)
    return TrainedAdapter(best[1] if stop.kept else None, stop)


def best_rows(queries: Vectors, passages: Vectors, k: int = CUTOFF) -> Iterator[list[int]]:
    """For each query the rows of the `k` passages with the highest cosine, best first."""
    k = min(k, len(passages))
    for start in range(0, len(queries), _AT_ONCE):
        cosines = queries[start : start + _AT_ONCE] @ passages.T
        top = np.argpartition(cosines, -k, axis=1)[:, -k:]
        order = np.argsort(-np.take_along_axis(cosines, top, axis=1), axis=1, kind="stable")
        yield from np.take_along_axis(top, order, axis=1).tolist()


def _scores(validation: Validation, passages: Vectors, matrix: Vectors | None) -> NDArray[np.float64]:
    vectors = validation.vectors if matrix is None else normalised(validation.vectors @ matrix.T)
    return ndcg(best_rows(vectors, passages), validation.relevant)


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
