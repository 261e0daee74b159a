"""Trains a linear adapter of queries: q' = normalise(W q), with W near the identity. Passages stay as they are indexed."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from ragset.retrieval.embedding import Vectors, normalised
from ragset.training.early_stop import CUTOFF, EarlyStop, RelevantRows, judge, ndcg
from ragset.training.info_nce import epochs
from ragset.training.query_set import QuerySet

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
