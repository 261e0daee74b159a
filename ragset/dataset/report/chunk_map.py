"""Chunks as points in a plane: the first two principal components of their embeddings."""

from collections.abc import Iterable, Sequence

import numpy as np

from ragset.models import Model, Span
from ragset.retrieval.embedding.vectors import Vectors, release

MOST = 4_000  # points of each kind: an even share of all chunks, and one of those that a golden was drawn from


class ChunkMap(Model):
    """Points in [0, 1] by [0, 1]."""

    ids: tuple[str, ...]
    doc_ids: tuple[str, ...]
    x: tuple[float, ...]
    y: tuple[float, ...]
    explained: float  # share of the variance that two dimensions show
    total: int  # chunks in the index
    drawn: dict[
        str, int
    ]  # the dot of each chunk that a golden was drawn from; of a passage, the chunk that has most of it


def make_chunk_map(vectors: Vectors, doc_ids: Sequence[str], ids: Sequence[str], chosen: Iterable[str]) -> ChunkMap:
    """The map of an index, row for row with `ids`. The `chosen` ids, of chunks or passages, are always shown."""
    from scipy.linalg import eigh

    wanted = _rows_of(chosen, doc_ids, ids)
    shown = sorted({*_even_share(range(len(ids))), *_even_share(sorted({*wanted.values()}))})
    dots = {row: dot for dot, row in enumerate(shown)}
    points = np.asarray(vectors[shown], dtype=np.float64)
    release(vectors)
    plane, explained = np.full((len(shown), 2), 0.5), 0.0
    if len(shown) > 2 and np.ptp(points, axis=0).any():
        points -= points.mean(axis=0)
        last = points.shape[1] - 1
        variances, axes = eigh(points.T @ points, subset_by_index=[max(0, last - 1), last])
        axes = axes[:, ::-1]
        # Either sign would do: the largest entry is positive.
        axes *= np.sign(axes[np.abs(axes).argmax(axis=0), np.arange(axes.shape[1])])
        found = points @ axes
        low, width = found.min(axis=0), np.ptp(found, axis=0)
        np.divide(found - low, width, out=plane[:, : found.shape[1]], where=width > 1e-9)
        explained = float(variances.sum() / (points**2).sum())
    x, y = plane.round(3).T.tolist()
    return ChunkMap(
        ids=tuple(ids[row] for row in shown),
        doc_ids=tuple(doc_ids[row] for row in shown),
        x=tuple(x),
        y=tuple(y),
        explained=round(explained, 3),
        total=len(ids),
        drawn={id_: dots[row] for id_, row in wanted.items() if row in dots},
    )


def _rows_of(chosen: Iterable[str], doc_ids: Sequence[str], ids: Sequence[str]) -> dict[str, int]:
    """The row of each chunk, and of each passage the row of the chunk that shares most with it, if any does."""
    chosen = dict.fromkeys(chosen)
    rows = {id_: row for row, id_ in enumerate(ids) if id_ in chosen}
    passages = {id_: Span.of_id(id_) for id_ in chosen if id_ not in rows}
    documents = {span.doc_id for span in passages.values()}
    chunks: dict[str, list[tuple[int, Span]]] = {doc_id: [] for doc_id in documents}
    for row, doc_id in enumerate(doc_ids):
        if doc_id in documents:
            chunks[doc_id].append((row, Span.of_id(ids[row])))
    for id_, span in passages.items():
        shared = [(chunk.overlap(span), -row) for row, chunk in chunks[span.doc_id]]
        most, row = max(shared, default=(0, 0))
        if most:
            rows[id_] = -row
    return {id_: rows[id_] for id_ in chosen if id_ in rows}


def _even_share(rows: Sequence[int]) -> list[int]:
    return [rows[round(place)] for place in np.linspace(0, len(rows) - 1, min(len(rows), MOST)).tolist()]
