"""What a cosine means in one corpus under one embedding: the similarity of any two chunks, and of nearest neighbours.

A cosine of 0.5 may mean nothing in one embedding and a near-duplicate in another, so a bound is best read off the corpus.
"""

import math

import numpy as np
from numpy.typing import NDArray

from ragset.models import Model
from ragset.retrieval.embedding.vectors import Vectors

ABOVE = 95.0  # the percentile of all pairs from which on chunks count as similar
_PAIRS, _BINS = 200_000, 40
_LOOKED_AT, _AT_ONCE = 1_000, 128  # chunks whose neighbours are counted


class Histogram(Model):
    """Counts of cosines in bins of one width."""

    low: float
    width: float
    counts: tuple[int, ...]


class Calibration(Model):
    """The similarities of chunks, and the least similarity that follows from them."""

    chunks: int
    min_similarity: float  # above it lie 5 % of all pairs
    with_neighbour: float  # share of chunks, 0 to 1, that have another chunk above it
    pairs: Histogram
    nearest: Histogram


def least_similarity(vectors: Vectors) -> float:
    """The cosine that 95 % of pairs of chunks stay under, cut to 3 digits; `vectors` have length 1.

    From 200,000 pairs drawn with a fixed seed, or from all where there are fewer. 0 where there is no pair.
    """
    cosines = _pairs(vectors)
    return math.floor(1000 * float(np.percentile(cosines, ABOVE))) / 1000 if len(cosines) else 0.0


def calibrate(vectors: Vectors) -> Calibration:
    """The distributions behind `least_similarity`; neighbours are counted for 1,000 chunks at most."""
    least = least_similarity(vectors)
    cosines, nearest = _pairs(vectors), _nearest(vectors)
    both = np.concatenate([cosines, nearest, [0.0]])
    low, high = float(np.floor(both.min() * 20) / 20), float(np.ceil(both.max() * 20) / 20)
    edges = np.linspace(low, max(high, low + 0.05), _BINS + 1)

    def histogram(values: NDArray[np.float64]) -> Histogram:
        counts = tuple(np.histogram(values, edges)[0].tolist())
        return Histogram(low=float(edges[0]), width=float(edges[1] - edges[0]), counts=counts)

    return Calibration(
        chunks=len(vectors),
        min_similarity=least,
        with_neighbour=float((nearest >= least).mean()) if len(nearest) else 0.0,
        pairs=histogram(cosines),
        nearest=histogram(nearest),
    )


def _pairs(vectors: Vectors) -> NDArray[np.float64]:
    count = len(vectors)
    if count * (count - 1) // 2 <= _PAIRS:
        left, right = np.triu_indices(count, 1)
    else:
        rng = np.random.default_rng(0)
        left = rng.integers(0, count, _PAIRS)
        # Another chunk, every other with the same chance.
        right = (left + rng.integers(1, count, _PAIRS)) % count
    parts = [slice(start, start + 4096) for start in range(0, len(left), 4096)]
    found = [np.einsum("ij,ij->i", vectors[left[part]], vectors[right[part]]) for part in parts]
    return np.concatenate(found).astype(np.float64) if found else np.zeros(0)


def _nearest(vectors: Vectors) -> NDArray[np.float64]:
    count = len(vectors)
    if count < 2:
        return np.zeros(0)
    rows = np.sort(np.random.default_rng(0).permutation(count)[:_LOOKED_AT])
    best = np.full(len(rows), -1.0)
    for start in range(0, len(rows), _AT_ONCE):
        some = rows[start : start + _AT_ONCE]
        scores = np.asarray(vectors[some]) @ np.asarray(vectors).T
        scores[np.arange(len(some)), some] = -1.0
        best[start : start + len(some)] = scores.max(axis=1)
    return best
