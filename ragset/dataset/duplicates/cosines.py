"""Cosines of many rows with many others, a block of rows at a time."""

from collections.abc import Iterator

import numpy as np

from ragset.retrieval.embedding.vectors import Vectors, normalised

_ROWS = 1_024
_SLACK = 1e-5  # products in single precision differ in the last digits with the size of the block


def pairs_above(vectors: Vectors, least: float) -> Iterator[tuple[int, int]]:
    """Pairs of rows (i, j), i < j, with a cosine of at least `least`."""
    rows = normalised(vectors)
    for low in range(0, len(rows), _ROWS):
        left, right = np.nonzero(np.triu(rows[low : low + _ROWS] @ rows[low:].T, 1) >= least - _SLACK)
        for i, j in zip((left + low).tolist(), (right + low).tolist(), strict=True):
            if cosine_of(rows, i, j) >= least:
                yield i, j


def cosine_of(rows: Vectors, i: int, j: int) -> float:
    """Of two rows of length 1, to 6 digits: the same whichever comes first."""
    return round(float(rows[i].astype(np.float64) @ rows[j].astype(np.float64)), 6)


def highest(left: Vectors, right: Vectors) -> float:
    """The highest cosine of a row of `left` and one of `right`; both have rows."""
    ours, others = normalised(left), normalised(right)
    return max(float((ours[low : low + _ROWS] @ others.T).max()) for low in range(0, len(ours), _ROWS))
