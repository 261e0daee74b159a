"""Contexts: a seed chunk with the chunks most like it, from which queries are drawn that need several."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

import numpy as np

from ragset.models import Candidate, Chunk, Reject
from ragset.retrieval.embedding.vectors import Vectors
from ragset.retrieval.index import Index
from ragset.settings import ContextSettings

STAGE = "expand"

Near = Sequence[tuple[int, float]]
"""Rows and their cosines, best first."""
Search = Callable[[Vectors, int], list[Near]]
"""The nearest rows of each vector, so many of each."""
Rows = tuple[int, ...]


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

    def search(self, queries: Vectors, limit: int) -> "list[Near]":
        """Exact, over all vectors."""
        scores = queries @ self.vectors.T
        order = np.argsort(-scores, axis=1, kind="stable")[:, :limit]
        return [[(int(row), float(scores[place, row])) for row in rows] for place, rows in enumerate(order)]


ChunkTable = Index | InMemory


def expand(
    table: ChunkTable,
    search: Search,
    seeds: Sequence[int],
    settings: ContextSettings,
    *,
    least: float,
    min_chars: int,
    before: Iterable[Rows] = (),
) -> tuple[list[Rows], list[Reject]]:
    """Make a context for each seed that has enough similar chunks, in the order of seeds; refuse the other seeds.

    A context is rows: the seed first, then the others by similarity. Chunks are similar from the cosine `least`. With
    the contexts made `before`, no two have the same chunks, no chunk is in more of them than `settings` allow, and a
    seed gets new chunks. All seeds are searched for together; no text is read.
    """
    # More neighbours are asked for where those of some documents are preferred.
    fetch = (1 if settings.spread == "any" else 4) * settings.top_k + 1
    rows = np.asarray(seeds, dtype=np.int64)
    near = search(np.asarray(table.vectors[rows]), min(fetch, len(table.ids)))
    long_enough = table.ends - table.starts >= min_chars
    expander = _Expander(table, settings, least, before)
    contexts: list[Rows] = []
    rejects: list[Reject] = []
    for seed, hits in zip(seeds, near, strict=True):
        context = expander.context_of(seed, [hit for hit in hits if long_enough[hit[0]]])
        if isinstance(context, str):
            rejects.append(Reject(stage=STAGE, reason=context, chunks=(table.ids[seed],)))
        else:
            contexts.append(context)
    return contexts, rejects


def candidates_of(table: ChunkTable, contexts: Sequence[Rows]) -> list[Candidate]:
    """A candidate for each context, with all texts read together."""
    rows = sorted({row for context in contexts for row in context})
    chunks = dict(zip(rows, table.chunks(rows), strict=True))
    return [Candidate(chunks=tuple(chunks[row] for row in context)) for context in contexts]


class _Expander:
    def __init__(self, table: ChunkTable, settings: ContextSettings, least: float, before: Iterable[Rows]) -> None:
        self._table = table
        self._settings = settings
        self._least = least
        self._seen: set[frozenset[int]] = set()
        self._met: set[tuple[int, int]] = set()
        """Each seed with each member of its contexts."""
        self._uses: Counter[int] = Counter()
        for context in before:
            self._take(context)

    def context_of(self, seed: int, near: Near) -> Rows | str:
        """The context of `seed`, or the reason why there is none."""
        if self._uses[seed] >= self._settings.max_contexts:
            return "seed_used_up"
        context = [seed]
        for row, cosine in self._preferred(seed, near):
            if len(context) == self._settings.max_chunks:
                break
            free = self._uses[row] < self._settings.max_contexts and (seed, row) not in self._met
            if cosine >= self._least and free and all(self._differs(row, member) for member in context):
                context.append(row)
        if len(context) < self._settings.min_chunks:
            return "too_few_similar"
        if frozenset(context) in self._seen:
            return "same_context"
        self._take(tuple(context))
        return tuple(context)

    def _preferred(self, seed: int, near: Near) -> Near:
        own, documents = self._table.doc_ids[seed], self._table.doc_ids
        others = [hit for hit in near if hit[0] != seed]
        if self._settings.spread == "within-document":
            others = [hit for hit in others if documents[hit[0]] == own]
        elif self._settings.spread == "cross-document":
            others.sort(key=lambda hit: documents[hit[0]] == own)
        return others[: self._settings.top_k]

    def _differs(self, row: int, member: int) -> bool:
        """Whether the chunk neither overlaps nor repeats the other one."""
        table = self._table
        same = table.doc_ids[row] == table.doc_ids[member]
        overlaps = same and table.starts[row] < table.ends[member] and table.starts[member] < table.ends[row]
        cosine = float(np.dot(table.vectors[row], table.vectors[member]))
        return not overlaps and cosine < self._settings.max_similarity

    def _take(self, context: Rows) -> None:
        self._seen.add(frozenset(context))
        self._met.update((context[0], row) for row in context[1:])
        self._uses.update(context)
