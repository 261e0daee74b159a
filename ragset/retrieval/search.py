"""Chunks found for queries, as a RAG system would find them."""

from collections.abc import Callable, Sequence
from typing import Literal

from ragset.llm.tracing import searches
from ragset.models import Chunk
from ragset.retrieval.embedding import Vectors
from ragset.retrieval.fusion import Hit, reciprocal_rank_fusion, weighted_sum
from ragset.retrieval.index import Index
from ragset.retrieval.vector_store import VectorStore
from ragset.settings import RetrievalSettings
from ragset.text.words import tokenise

Mode = Literal["bm25", "dense", "hybrid"]


def retrieve(
    index: Index,
    store: VectorStore,
    queries: Sequence[str],
    vectors: Vectors | None,
    settings: RetrievalSettings,
    limit: int,
    goldens: Sequence[str] = (),
) -> list[list[Hit]]:
    """For each query its best chunks in the store, at most `limit`, best first.

    `vectors` are the embeddings of the queries, row for row; BM25 alone needs none. Traces name the queries' `goldens`, by id.
    """
    limit = min(limit, len(index))
    found: list[list[Hit]] = []
    with searches(index.collection, settings.mode, queries, goldens) as told:
        if settings.mode != "dense":
            weights = [index.statistics.query_weights(tokenise(query)) for query in queries]
            by_store = store.takes_sparse
            found = (
                store.search_sparse(index.collection, weights, limit)
                if by_store
                else index.search_words(weights, limit)
            )
        if settings.mode != "bm25":
            if vectors is None or len(vectors) != len(queries):
                raise ValueError(
                    f"{len(queries)} queries, and {0 if vectors is None else len(vectors)} vectors for them"
                )
            dense = store.search_dense(index.collection, vectors, limit)
            if settings.mode == "dense":
                found = dense
            elif settings.fusion == "rrf":
                found = [reciprocal_rank_fusion(pair, limit) for pair in zip(dense, found, strict=True)]
            else:
                shares = (settings.dense_weight, 1 - settings.dense_weight)
                found = [weighted_sum(pair, shares, limit) for pair in zip(dense, found, strict=True)]
        if told:
            told(found)
    return found


class IndexSearch:
    """All chunks of an index."""

    def __init__(self, index: Index, store: VectorStore, embed: Callable[[Sequence[str]], Vectors]) -> None:
        """`embed` is the model that the index was made with; BM25 alone does not use it."""
        self._index, self._store, self._embed = index, store, embed
        store.load(index.collection)

    def ranked(self, queries: Sequence[str], mode: Mode, limit: int) -> list[list[str]]:
        """For each query the ids of its best chunks, at most `limit`, best first; all queries are searched for together."""
        if not queries:
            return []
        vectors = None if mode == "bm25" else self._embed(queries)
        found = retrieve(self._index, self._store, queries, vectors, RetrievalSettings(mode=mode), limit)
        return [[hit.id for hit in hits if hit.id in self._index.rows] for hits in found]

    def chunks(self, ids: Sequence[str]) -> list[Chunk]:
        """The chunks of these ids, in the order asked for, read from disk."""
        return self._index.chunks([self._index.rows[key] for key in ids])
