"""Chunks as points in a plane: the first two principal components of their embeddings."""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from ragset.models import Model
from ragset.retrieval.embedding.vectors import Vectors

MOST = 4_000
"""Points of each kind: of more chunks an even share is shown, and so of those that a golden was drawn from."""


class ChunkMap(Model):
    """Points in [0, 1] by [0, 1]."""

    ids: tuple[str, ...]
    doc_ids: tuple[str, ...]
    x: tuple[float, ...]
    y: tuple[float, ...]
    explained: float
    """Share of the variance that two dimensions show."""
    total: int
    """Chunks in the index."""


def make_chunk_map(vectors: Vectors, doc_ids: Sequence[str], ids: Sequence[str], chosen: Iterable[str]) -> ChunkMap:
    """The map of an index, row for row with `ids`; `chosen` are the ids to show in any case.

    Principal component analysis of the points shown.
    """
    wanted = set(chosen)
    shown = sorted({*_even_share(range(len(ids))), *_even_share([row for row, id_ in enumerate(ids) if id_ in wanted])})
    points = np.asarray(vectors[shown], dtype=np.float64)
    plane, explained = np.zeros((len(shown), 2)), 0.0
    if len(shown) > 2 and np.ptp(points, axis=0).any():
        plane, explained = _principal_plane(points - points.mean(axis=0))
    plane = _fitted(plane)
    return ChunkMap(
        ids=tuple(ids[row] for row in shown),
        doc_ids=tuple(doc_ids[row] for row in shown),
        x=tuple(plane[:, 0].tolist()),
        y=tuple(plane[:, 1].tolist()),
        explained=round(explained, 3),
        total=len(ids),
    )


def _even_share(rows: Sequence[int]) -> list[int]:
    """At most `MOST` of them, as far apart as can be."""
    return [rows[round(place)] for place in np.linspace(0, len(rows) - 1, min(len(rows), MOST)).tolist()]


def _fitted(plane: NDArray[np.float64]) -> NDArray[np.float64]:
    """Moved and stretched to [0, 1] along each axis; in the middle of one along which nothing differs."""
    if not len(plane):
        return plane
    low, width = plane.min(axis=0), np.ptp(plane, axis=0)
    fitted = np.full_like(plane, 0.5)
    np.divide(plane - low, width, out=fitted, where=width > 1e-9)
    return fitted.round(3)


def _principal_plane(points: NDArray[np.float64]) -> tuple[NDArray[np.float64], float]:
    """Centred points on their first two principal axes, and the share of the variance there.

    By subspace iteration from a fixed start (Halko, Martinsson and Tropp, "Finding structure with randomness", 2011);
    each axis is turned so that its largest entry is positive, since either sign would do.
    """
    size = min(10, *points.shape)
    axes = np.random.default_rng(0).standard_normal((points.shape[1], size))
    for _ in range(8):
        axes, _ = np.linalg.qr(points.T @ (points @ axes))
    _, lengths, turn = np.linalg.svd(points @ axes, full_matrices=False)
    first = (axes @ turn.T)[:, :2]
    signs = np.sign(first[np.abs(first).argmax(axis=0), np.arange(first.shape[1])])
    plane = np.zeros((len(points), 2))
    plane[:, : first.shape[1]] = points @ (first * signs)
    return plane, float((lengths[:2] ** 2).sum() / (points**2).sum())
