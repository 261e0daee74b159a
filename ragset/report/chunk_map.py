"""Chunks as points in a plane: the first two principal components of their embeddings."""

from collections.abc import Iterable, Sequence

import numpy as np

from ragset.embed.vectors import Vectors
from ragset.models import Model

MOST = 4_000
"""Points; of more chunks an even share is shown, and every one that a golden was drawn from."""


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

    Principal component analysis of the points shown, with a fixed seed and the signs that scikit-learn settles.
    """
    wanted = set(chosen)
    shown = sorted(
        {round(place) for place in np.linspace(0, len(ids) - 1, min(len(ids), MOST))}
        | {row for row, id_ in enumerate(ids) if id_ in wanted}
    )
    points = np.asarray(vectors[shown], dtype=np.float64)
    plane, explained = np.zeros((len(shown), 2)), 0.0
    if len(shown) > 2 and points.any():
        from sklearn.decomposition import PCA

        analysis = PCA(n_components=2, svd_solver="randomized", random_state=0)
        plane = analysis.fit_transform(points)
        explained = float(analysis.explained_variance_ratio_.sum())
    low, high = plane.min(axis=0), plane.max(axis=0)
    plane = np.round((plane - low) / np.maximum(high - low, 1e-9), 3)
    return ChunkMap(
        ids=tuple(ids[row] for row in shown),
        doc_ids=tuple(doc_ids[row] for row in shown),
        x=tuple(plane[:, 0].tolist()),
        y=tuple(plane[:, 1].tolist()),
        explained=round(explained, 3),
        total=len(ids),
    )
