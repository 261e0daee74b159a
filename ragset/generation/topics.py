"""Which of a corpus' topics each chunk belongs to, by spherical k-means over the embeddings.

Dhillon and Modha, "Concept Decompositions for Large Sparse Text Data Using Clustering" (2001), with the
starting points of Arthur and Vassilvitskii, "k-means++" (2007). Written out here because the labels must
be the same on every run: sums over threads in changing order, as in scikit-learn, now and then move a
chunk to another topic.
"""

import numpy as np
from numpy.typing import NDArray

from ragset.retrieval.embedding.vectors import Vectors

MOST_TOPICS = 128
_LEARNT_FROM = 8_192
"""Chunks that the centres are learnt from, at most; the others join the nearest."""
_ROUNDS = 20
_SLAB = 8_192


def topics(vectors: Vectors, rows: NDArray[np.int64], seed: int) -> NDArray[np.int64]:
    """The topic of each of `rows`, from 0; about the square root of their number of topics, at most 128.

    Reads `vectors` (unit length) a slab at a time, so it may be memory-mapped.
    """
    count = min(MOST_TOPICS, max(1, round(len(rows) ** 0.5)))
    if count == 1 or len(rows) < 2:
        return np.zeros(len(rows), dtype=np.int64)
    rng = np.random.default_rng([seed, 1])
    learnt = np.sort(rng.permutation(len(rows))[:_LEARNT_FROM])
    centres = _centres(np.asarray(vectors[rows[learnt]], dtype=np.float64), count, rng)
    slabs = (rows[start : start + _SLAB] for start in range(0, len(rows), _SLAB))
    return np.concatenate([_nearest(np.asarray(vectors[slab], dtype=np.float64), centres) for slab in slabs])


def _centres(points: NDArray[np.float64], count: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """At most `count` directions; fewer where there are fewer distinct points."""
    centres = _starting_points(points, count, rng)
    labels = np.full(len(points), -1)
    for _ in range(_ROUNDS):
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
