"""InfoNCE for a matrix W = I + Δ over queries: their cosine with passages is raised for the answers against all others.

A query's positive is compared with the positives and hard negatives of all queries of its batch (van den Oord et al., 2018, with the
scale 20 that sentence-transformers takes); passages that answer it, or may, are left out.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_softmax

from ragset.retrieval.embedding import Vectors
from ragset.training.examples import TrainingExample

Rows = NDArray[np.intp]


@dataclass(frozen=True)
class QuerySet:
    """Training examples over the vectors of an index; all fields have an entry for each query."""

    goldens: tuple[str, ...]
    vectors: Vectors
    positives: tuple[Rows, ...]
    negatives: tuple[Rows, ...]
    masked: tuple[Rows, ...]
    """What is never a wrong answer: the positives, and passages that may answer too."""

    def __len__(self) -> int:
        return len(self.goldens)

    @classmethod
    def of(cls, examples: Iterable[TrainingExample], vectors: Vectors, rows: Mapping[str, int]) -> Self:
        """Of examples with the `vectors` of their queries, in one order; `rows` are of the chunks by id."""
        examples = tuple(examples)

        def places(chunks: Iterable[str]) -> Rows:
            return np.array([rows[chunk] for chunk in chunks], dtype=np.intp)

        return cls(
            goldens=tuple(one.golden for one in examples),
            vectors=vectors,
            positives=tuple(places(one.positives) for one in examples),
            negatives=tuple(places(negative.chunk for negative in one.negatives) for one in examples),
            masked=tuple(places((*one.positives, *one.avoided)) for one in examples),
        )

    def part(self, goldens: Collection[str]) -> Self:
        """The queries of these goldens."""
        kept = [place for place, golden in enumerate(self.goldens) if golden in goldens]

        def of(field: Sequence[Rows]) -> tuple[Rows, ...]:
            return tuple(field[place] for place in kept)

        names = tuple(self.goldens[place] for place in kept)
        return type(self)(names, self.vectors[kept], of(self.positives), of(self.negatives), of(self.masked))


SCALE = 20.0
BATCH = 64
RATE, DECAY = 3e-4, 1e-2

Floats = NDArray[np.float64] | NDArray[np.float32]


class Batch(NamedTuple):
    """Some queries, and the passages that each is compared with; all by row."""

    queries: NDArray[np.intp]
    passages: NDArray[np.intp]
    target: NDArray[np.intp]
    """For each query the place of its positive among the passages."""
    masked: NDArray[np.bool_]
    """A row a query: passages that are no wrong answers to it."""


def epochs(queries: QuerySet, passages: Vectors, seed: int) -> Iterator[Vectors]:
    """W after each epoch, without end."""
    rng = np.random.default_rng(seed)
    size = queries.vectors.shape[1]
    change = np.zeros((size, size), np.float32)
    step = Adam(change)
    while True:
        for batch in batches(queries, rng):
            q = queries.vectors[batch.queries]
            _, slope = loss_and_gradient(q + q @ change.T, passages[batch.passages], batch.target, batch.masked)
            step.take(slope.T @ q + DECAY * change)
        yield np.eye(size, dtype=np.float32) + change


def loss_and_gradient(
    changed: Floats, passages: Floats, target: NDArray[np.intp], masked: NDArray[np.bool_]
) -> tuple[float, Floats]:
    """The mean loss of queries as they are `changed` (of any length), and its gradient in them."""
    rows = np.arange(len(changed))
    lengths = np.linalg.norm(changed, axis=1, keepdims=True)
    directions = changed / lengths
    scores = np.where(masked, -np.inf, SCALE * (directions @ passages.T))
    logs = log_softmax(scores, axis=1)
    loss = -float(np.mean(logs[rows, target]))
    shares = np.exp(logs)
    shares[rows, target] -= 1
    slope = (SCALE / len(changed)) * (shares @ passages)
    # The length of a query does not change its cosines.
    return loss, (slope - np.sum(slope * directions, axis=1, keepdims=True) * directions) / lengths


def batches(queries: QuerySet, rng: np.random.Generator) -> Iterator[Batch]:
    """All queries once, each with one of its positives."""
    order = rng.permutation(len(queries))
    for start in range(0, len(order), BATCH):
        chosen = order[start : start + BATCH]
        positives = np.array([(of := queries.positives[place])[rng.integers(len(of))] for place in chosen])
        passages = np.unique(np.concatenate([positives, *(queries.negatives[place] for place in chosen)]))
        target = np.searchsorted(passages, positives)
        known = [queries.masked[place] for place in chosen]
        owners, answers = np.repeat(np.arange(len(chosen)), [*map(len, known)]), np.concatenate(known)
        columns = np.minimum(np.searchsorted(passages, answers), len(passages) - 1)
        shown = passages[columns] == answers
        masked = np.zeros((len(chosen), len(passages)), dtype=bool)
        masked[owners[shown], columns[shown]] = True
        masked[np.arange(len(chosen)), target] = False
        yield Batch(chosen, passages, target, masked)


class Adam:
    """Adam (Kingma and Ba, 2015) with its usual constants; changes the values in place."""

    def __init__(self, values: Vectors) -> None:
        self._values, self._steps = values, 0
        self._mean, self._square = np.zeros_like(values), np.zeros_like(values)

    def take(self, slope: Floats) -> None:
        """One step down the slope."""
        self._steps += 1
        self._mean += 0.1 * (slope - self._mean)
        self._square += 0.001 * (slope * slope - self._square)
        size = np.sqrt(self._square / (1 - 0.999**self._steps)) + 1e-8
        self._values -= RATE * (self._mean / (1 - 0.9**self._steps)) / size
