"""How strongly two chunks are linked, so that a question may join them."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ragset.generation.shared_terms import SharedTerms
from ragset.models import Chunk
from ragset.retrieval.embedding.vectors import Vectors
from ragset.retrieval.index import Index

MOST_LINKS = 32
"""Of one chunk."""
NEAR_DUPLICATE = 0.95
"""Cosine from which two chunks say the same."""
_SLAB = 512
_NEAREST, _NEAR = 3, 10
"""Ranks among the most similar chunks that count as nearest, and as near."""

Near = Sequence[tuple[int, float]]
"""Rows and their cosines, best first."""
Search = Callable[[Vectors, int], Sequence[Near]]
"""The nearest rows of each vector, so many of each."""


class InMemory:
    """A few thousand chunks by row, as an index has them, without a collection."""

    def __init__(self, chunks: Sequence[Chunk], vectors: Vectors) -> None:
        self._chunks = chunks
        self.vectors = vectors
        self.ids = [chunk.id for chunk in chunks]
        self.doc_ids = [chunk.doc_id for chunk in chunks]
        self.starts = np.array([chunk.start for chunk in chunks], dtype=np.int64)
        self.ends = np.array([chunk.end for chunk in chunks], dtype=np.int64)

    def chunks(self, rows: Sequence[int], /) -> list[Chunk]:
        """The chunks of these rows, in this order."""
        return [self._chunks[row] for row in rows]

    def search(self, queries: Vectors, limit: int) -> list[Near]:
        """Exact, over all vectors."""
        scores = queries @ self.vectors.T
        order = np.argsort(-scores, axis=1, kind="stable")[:, :limit]
        return [[(int(row), float(scores[place, row])) for row in rows] for place, rows in enumerate(order)]


ChunkTable = Index | InMemory
"""Chunks by row."""


class Link(NamedTuple):
    """A chunk that a question may join with another one."""

    row: int
    strength: float
    """From 0 to 1: half by rare terms in common and half by cosine, times the share of terms that each has of its own."""
    kind: str
    """Rare terms in common, rank by similarity, and whether both are of one document; what runs learn by."""


def links_of(
    table: ChunkTable,
    terms: SharedTerms,
    search: Search,
    seeds: Sequence[int],
    allowed: NDArray[np.bool_],
    wider: int = 1,
) -> list[list[Link]]:
    """The strongest links of each seed to `allowed` chunks, best first; overlapping chunks and near-duplicates have none.

    `wider` asks the search for that many times more chunks, where those of some documents are wanted.
    """
    found: list[list[Link]] = []
    for start in range(0, len(seeds), _SLAB):
        slab = seeds[start : start + _SLAB]
        near = search(np.asarray(table.vectors[np.asarray(slab)]), min(wider * MOST_LINKS + 1, len(table.ids)))
        shared = terms.shared(slab)
        found += [_links(table, terms, *one, allowed, wider) for one in zip(slab, near, shared, strict=True)]
    return found


def differ(table: ChunkTable, row: int, other: int) -> bool:
    """Whether the two chunks neither overlap nor repeat each other."""
    return not _overlap(table, row, other) and float(table.vectors[row] @ table.vectors[other]) < NEAR_DUPLICATE


def _links(
    table: ChunkTable,
    terms: SharedTerms,
    seed: int,
    near: Near,
    shared: dict[int, float],
    allowed: NDArray[np.bool_],
    wider: int,
) -> list[Link]:
    ranks = {row: rank for rank, (row, _) in enumerate((hit for hit in near if hit[0] != seed), start=1)}
    by_terms = sorted(shared, key=lambda row: (-shared[row], row))[: 2 * wider * MOST_LINKS]
    rows = [row for row in dict.fromkeys([*ranks, *by_terms]) if row != seed and allowed[row]]
    rows = [row for row in rows if not _overlap(table, seed, row)]
    if not rows:
        return []
    cosines = np.asarray(table.vectors[np.asarray(rows)]) @ np.asarray(table.vectors[seed])
    links: list[Link] = []
    for row, cosine in zip(rows, cosines.tolist(), strict=True):
        common = shared.get(row, 0.0)
        if cosine >= NEAR_DUPLICATE or (cosine <= 0 and not common):
            continue
        own = min((terms.totals[one] - common + 1) / (terms.totals[one] + 1) for one in (seed, row))
        strength = round(float(own) * (common / (common + 1) + max(cosine, 0)) / 2, 6)
        links.append(Link(row, strength, _kind(common, ranks.get(row), same=table.doc_ids[seed] == table.doc_ids[row])))
    links.sort(key=lambda link: (-link.strength, link.row))
    return links


def _kind(common: float, rank: int | None, *, same: bool) -> str:
    terms = "no" if common == 0 else "few" if common < 1 else "some" if common < 3 else "many"
    place = "nearest" if rank and rank <= _NEAREST else "near" if rank and rank <= _NEAR else "far"
    return f"{terms} terms, {place}, {'same' if same else 'other'} document"


def _overlap(table: ChunkTable, row: int, other: int) -> bool:
    same = table.doc_ids[row] == table.doc_ids[other]
    return bool(same and table.starts[row] < table.ends[other] and table.starts[other] < table.ends[row])
