"""Chunks found for queries, as a RAG system would find them."""

from collections.abc import Sequence

from ragset.retrieval.embedding import Vectors
from ragset.retrieval.fusion import Hit, weighted_sum
from ragset.retrieval.index import Index
from ragset.retrieval.milvus.store import Store
from ragset.settings import RetrievalSettings
from ragset.text.words import tokenise


def retrieve(
    index: Index,
    store: Store,
    queries: Sequence[str],
    vectors: Vectors | None,
    settings: RetrievalSettings,
    limit: int,
) -> list[list[Hit]]:
    """For each query its best chunks in Milvus, at most `limit`, best first.

    `vectors` are the embeddings of the queries, row for row; BM25 alone needs none. All queries are searched for together.

    Raises:
        StoreError: Milvus fails, or the collection is not there.
    """
    limit = min(limit, len(index))
    weights = [] if settings.mode == "dense" else [index.statistics.query_weights(tokenise(query)) for query in queries]
    if settings.mode == "bm25":
        return store.search_sparse(index.collection, weights, limit)
    if vectors is None or len(vectors) != len(queries):
        raise ValueError(f"{len(queries)} queries, and {0 if vectors is None else len(vectors)} vectors for them")
    if settings.mode == "hybrid" and settings.fusion == "rrf":
        return store.search_hybrid(index.collection, vectors, weights, limit)
    dense = store.search_dense(index.collection, vectors, limit)
    if settings.mode == "dense":
        return dense
    sparse = store.search_sparse(index.collection, weights, limit)
    shares = (settings.dense_weight, 1 - settings.dense_weight)
    return [weighted_sum(pair, shares, limit) for pair in zip(dense, sparse, strict=True)]
