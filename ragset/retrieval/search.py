"""A corpus that can be searched for queries: an index in a vector store, or some chunks in memory."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import Literal, Protocol

import numpy as np

from ragset.models import Chunk, Span
from ragset.retrieval.bm25 import Statistics
from ragset.retrieval.embedding import Embedder, Vectors
from ragset.retrieval.fusion import Hit, reciprocal_rank_fusion
from ragset.retrieval.index import Index
from ragset.retrieval.retrieve import retrieve
from ragset.retrieval.vector_store import VectorStore
from ragset.settings import RetrievalSettings
from ragset.text.passages import text_of
from ragset.text.words import tokenise

Mode = Literal["bm25", "dense", "hybrid"]


class Search(Protocol):
    """Chunks by query."""

    def ranked(self, queries: Sequence[str], mode: Mode, limit: int) -> list[list[str]]:
        """For each query the ids of its best chunks, at most `limit`, best first."""
        ...

    def chunks(self, ids: Sequence[str]) -> list[Chunk]:
        """The chunks of these ids, in the order asked for."""
        ...

    def passage(self, span: Span) -> str:
        """The text of a span, as `ragset.text.passages.text_of` the chunks that hold it."""
        ...


class IndexSearch:
    """Over all chunks of an index."""

    def __init__(self, index: Index, store: VectorStore, embed: Callable[[Sequence[str]], Vectors]) -> None:
        """`embed` is the model that the index was made with; BM25 alone does not use it."""
        self._index = index
        self._store = store
        self._embed = embed
        store.load(index.collection)

    def ranked(self, queries: Sequence[str], mode: Mode, limit: int) -> list[list[str]]:
        """For each query the ids of its best chunks, at most `limit`, best first; all are searched for together.

        Raises:
            StoreError: the store fails, or the collection is not there.
            ProviderError: the queries cannot be embedded.
        """
        if not queries:
            return []
        vectors = None if mode == "bm25" else self._embed(queries)
        settings = RetrievalSettings(mode=mode)
        found = retrieve(self._index, self._store, queries, vectors, settings, limit)
        return [[hit.id for hit in hits if hit.id in self._index.rows] for hits in found]

    def chunks(self, ids: Sequence[str]) -> list[Chunk]:
        """The chunks of these ids, in the order asked for, read from disk."""
        return self._index.chunks([self._index.rows[key] for key in ids])

    def passage(self, span: Span) -> str:
        """The text of a span, read from disk."""
        return text_of(span, self._index.chunks(self._index.rows_over(span)))


class MemorySearch:
    """Over a few thousand chunks, without a collection."""

    def __init__(self, chunks: Sequence[Chunk], embedder: Embedder) -> None:
        self._chunks = {chunk.id: chunk for chunk in chunks}
        self._ids = list(self._chunks)
        self._embedder = embedder
        texts = [chunk.text for chunk in self._chunks.values()]
        self._vectors = embedder.embed(texts)
        self._statistics = Statistics.of(texts)
        self._postings: dict[int, list[tuple[int, float]]] = defaultdict(list)
        for row, text in enumerate(texts):
            for term, weight in self._statistics.document_weights(tokenise(text)).items():
                self._postings[term].append((row, weight))

    def ranked(self, queries: Sequence[str], mode: Mode, limit: int) -> list[list[str]]:
        """For each query the ids of its best chunks, at most `limit`, best first."""
        sparse = [] if mode == "dense" else [self._sparse(query, limit) for query in queries]
        if mode == "bm25":
            return [[hit.id for hit in hits] for hits in sparse]
        dense = self._dense(queries, limit)
        if mode == "hybrid":
            dense = [reciprocal_rank_fusion(pair, limit) for pair in zip(dense, sparse, strict=True)]
        return [[hit.id for hit in hits] for hits in dense]

    def chunks(self, ids: Sequence[str]) -> list[Chunk]:
        """The chunks of these ids, in the order asked for."""
        return [self._chunks[key] for key in ids]

    def passage(self, span: Span) -> str:
        """The text of a span."""
        return text_of(span, [chunk for chunk in self._chunks.values() if chunk.overlap(span)])

    def _sparse(self, query: str, limit: int) -> list[Hit]:
        scores: dict[int, float] = defaultdict(float)
        for term, asked in self._statistics.query_weights(tokenise(query)).items():
            for row, weight in self._postings[term]:
                scores[row] += asked * weight
        return self._best(scores.items(), limit)

    def _dense(self, queries: Sequence[str], limit: int) -> list[list[Hit]]:
        if not queries:
            return []
        cosines: Vectors = np.asarray(self._embedder.embed(queries) @ self._vectors.T, dtype=np.float32)
        return [self._best(enumerate(row.tolist()), limit) for row in cosines]

    def _best(self, scores: Iterable[tuple[int, float]], limit: int) -> list[Hit]:
        hits = (Hit(self._ids[row], score) for row, score in scores)
        return sorted(hits, key=lambda hit: (-hit.score, hit.id))[:limit]
