"""Cosines of many rows with many others, a block at a time."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ragset.retrieval.embedding.vectors import Vectors, normalised

_ROWS = 1_024
_COLUMNS = 8_192
_SLACK = 1e-5
"""Products in single precision differ in the last digits with the size of the block."""


def pairs_above(vectors: Vectors, least: float, first: int = 0) -> Iterator[tuple[int, int, float]]:
    """Pairs of rows (i, j), i < j and j >= `first`, with a cosine of at least `least`; 32 MB at a time whatever their number."""
    rows = normalised(vectors)
    for low in range(0, len(rows), _ROWS):
        for start in range(max(low, first) // _COLUMNS * _COLUMNS, len(rows), _COLUMNS):
            block = rows[low : low + _ROWS] @ rows[start : start + _COLUMNS].T
            left, right = np.nonzero(block >= least - _SLACK)
            left, right = left + low, right + start
            wanted = (left < right) & (right >= first)
            for i, j in zip(left[wanted].tolist(), right[wanted].tolist(), strict=True):
                cosine = cosine_of(rows, i, j)
                if cosine >= least:
                    yield i, j, cosine


def cosine_of(rows: Vectors, i: int, j: int) -> float:
    """Of two rows of length 1, to 6 digits: the same whichever comes first."""
    return round(float(rows[i].astype(np.float64) @ rows[j].astype(np.float64)), 6)


def highest(left: Vectors, right: Vectors) -> NDArray[np.float64]:
    """For each row of `left` its highest cosine with a row of `right`; -1 where there is none."""
    ours, others = normalised(left), normalised(right)
    best = np.full(len(ours), -1.0)
    for low in range(0, len(ours), _ROWS):
        for start in range(0, len(others), _COLUMNS):
            block = ours[low : low + _ROWS] @ others[start : start + _COLUMNS].T
            best[low : low + _ROWS] = np.maximum(best[low : low + _ROWS], block.max(axis=1))
    return best
