"""The order in which chunks are drawn, a permutation of which every prefix is a good sample.

Goldens are made in rounds, each of which takes the next slice of one order, so the order itself must spread. `diverse`
spreads by

- documents: everyone's first chunk comes before anyone's second. After that, documents are drawn by the divisor method
  of Sainte-Laguë (Balinski and Young, "Fair Representation", 1982) with the square root of their eligible chunks as
  votes: the power allocation of Bankier, "Power Allocations" (The American Statistician, 1988), half-way between equal
  shares, with which leaflets flood the set, and proportional ones, with which a handbook does;
- topics (clusters of the embedding space): the chunk drawn from a document is of the topic that so far has least of its
  own share, by the same method and weights; and so is the document chosen whose first chunk comes next.

Topics are found by spherical k-means (Dhillon and Modha, "Concept Decompositions for Large Sparse Text Data Using
Clustering", 2001) from the starting points of Arthur and Vassilvitskii, "k-means++" (2007). It is written out here
because the labels must be the same on every run: scikit-learn sums over threads in changing order.
"""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from ragset.retrieval.embedding.vectors import Vectors, release
from ragset.settings import SamplingSettings

_Rows = NDArray[np.int64]

MOST_TOPICS = 128
_SLAB = 8_192
"""Chunks that are looked at together, and at most as many that the centres of topics are learnt from."""
_READ = 1024  # rows: each may bring the pages around it


def not_taken(order: Iterable[int], taken: Iterable[int]) -> list[int]:
    """The rows of `order` that are not `taken`, in its order."""
    gone = frozenset(taken)
    return [row for row in order if row not in gone]


def sample_order(
    doc_ids: Sequence[str], chars: NDArray[np.int64], vectors: Vectors, settings: SamplingSettings, seed: int
) -> _Rows:
    """All rows of at least `min_chars` characters, each once, in the order to draw them in; the same on every run.

    `doc_ids`, `chars` and `vectors` (unit length; may be memory-mapped) hold one entry a row.
    """
    eligible = np.flatnonzero(np.asarray(chars) >= settings.min_chars).astype(np.int64)
    rng = np.random.default_rng([seed, 0])
    if settings.method == "random" or len(eligible) < 2:
        return rng.permutation(eligible)
    _, documents = np.unique([doc_ids[row] for row in eligible.tolist()], return_inverse=True)
    labels = topics(vectors, eligible, seed)
    return eligible[_Drawing(documents, labels, rng).order()]


class _Drawing:
    def __init__(self, documents: _Rows, labels: _Rows, rng: np.random.Generator) -> None:
        self._rng = rng
        self._sizes = np.bincount(documents)
        self._weights = np.sqrt(np.bincount(labels))
        self._standing = 0.5 / self._weights
        """How much each topic has had for its weight: the least is next."""
        self._drawn = [0] * len(self._weights)
        self._left: list[dict[int, list[int]]] = [{} for _ in self._sizes]
        for row in rng.permutation(len(documents)).tolist():
            self._left[documents[row]].setdefault(int(labels[row]), []).append(row)

    def order(self) -> _Rows:
        return np.array([*self._first_of_each(), *self._rest()], dtype=np.int64)

    def _first_of_each(self) -> list[int]:
        """A row of every document; the document drawn next has rows in the topic that is furthest behind."""
        holders: list[list[int]] = [[] for _ in self._drawn]
        for document in self._rng.permutation(len(self._left)).tolist():
            for topic in self._left[document]:
                holders[topic].append(document)
        waiting = [True] * len(self._left)
        open_topics = np.ones(len(holders), dtype=bool)
        drawn: list[int] = []
        while len(drawn) < len(self._left):
            topic = int(np.argmin(np.where(open_topics, self._standing, np.inf)))
            while holders[topic] and not waiting[holders[topic][-1]]:
                holders[topic].pop()
            if not holders[topic]:
                open_topics[topic] = False
                continue
            document = holders[topic].pop()
            waiting[document] = False
            drawn.append(self._take(document, topic))
        return drawn

    def _rest(self) -> list[int]:
        documents = np.repeat(np.arange(len(self._sizes)), self._sizes - 1)
        first = np.cumsum(self._sizes - 1) - (self._sizes - 1)
        turns = np.arange(len(documents)) - first[documents] + 1  # 1 for the second row of a document
        keys = (turns + 0.5) / np.sqrt(self._sizes)[documents]
        ties = self._rng.permutation(len(self._sizes))[documents]
        return [
            self._take(document, min(self._left[document], key=lambda topic: (self._standing[topic], topic)))
            for document in documents[np.lexsort((ties, keys))].tolist()
        ]

    def _take(self, document: int, topic: int) -> int:
        rows = self._left[document][topic]
        row = rows.pop()
        if not rows:
            del self._left[document][topic]
        self._drawn[topic] += 1
        self._standing[topic] = (self._drawn[topic] + 0.5) / self._weights[topic]
        return row


def topics(vectors: Vectors, rows: NDArray[np.int64], seed: int) -> NDArray[np.int64]:
    """The topic of each of `rows`, from 0: about the square root of their number. Vectors have unit length."""
    count = min(MOST_TOPICS, max(1, round(len(rows) ** 0.5)))
    if count == 1 or len(rows) < 2:
        return np.zeros(len(rows), dtype=np.int64)
    rng = np.random.default_rng([seed, 1])
    learnt = np.sort(rng.permutation(len(rows))[:_SLAB])
    centres = _centres(_points(vectors, rows[learnt]), count, rng)
    labels = np.empty(len(rows), dtype=np.int64)
    for start in range(0, len(rows), _SLAB):
        slab = slice(start, start + _SLAB)
        labels[slab] = _nearest(_points(vectors, rows[slab]), centres)
    return labels


def _points(vectors: Vectors, rows: NDArray[np.int64]) -> NDArray[np.float64]:
    points = np.empty((len(rows), vectors.shape[1]))
    for start in range(0, len(rows), _READ):
        points[start : start + _READ] = vectors[rows[start : start + _READ]]
        release(vectors)
    return points


def _centres(points: NDArray[np.float64], count: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """At most `count` directions; fewer where there are fewer distinct points."""
    centres = _starting_points(points, count, rng)
    labels = np.full(len(points), -1)
    for _ in range(20):
        nearest = _nearest(points, centres)
        if np.array_equal(nearest, labels):
            break
        labels = nearest
        sums = np.zeros_like(centres)
        np.add.at(sums, labels, points)
        norms = np.linalg.norm(sums, axis=1)
        held = norms > 1e-9  # an empty topic, or one whose members cancel out, stays where it is
        centres[held] = sums[held] / norms[held, None]
    return centres


def _starting_points(points: NDArray[np.float64], count: int, rng: np.random.Generator) -> NDArray[np.float64]:
    chosen = [int(rng.integers(len(points)))]
    distance = np.maximum(1 - points @ points[chosen[0]], 0)
    while len(chosen) < count:
        cumulated = np.cumsum(np.where(distance > 1e-9, distance, 0))
        if cumulated[-1] <= 0:
            break
        chosen.append(int(np.searchsorted(cumulated, rng.random() * cumulated[-1], side="right")))
        distance = np.minimum(distance, np.maximum(1 - points @ points[chosen[-1]], 0))
    return points[chosen]


def _nearest(points: NDArray[np.float64], centres: NDArray[np.float64]) -> NDArray[np.int64]:
    return np.argmax(points @ centres.T, axis=1)
