"""Chunks found for queries, as a RAG system would find them."""

from collections.abc import Sequence

from ragset.bm25 import tokenise
from ragset.embed import Vectors
from ragset.fusion import Hit, reciprocal_rank_fusion, weighted_sum
from ragset.grid import RetrievalSettings
from ragset.index import Index
from ragset.store import Store


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
    dense = sparse = None
    if settings.mode != "bm25":
        if vectors is None or len(vectors) != len(queries):
            raise ValueError(f"{len(queries)} queries, and {0 if vectors is None else len(vectors)} vectors for them")
        dense = store.search_dense(index.collection, vectors, limit)
    if settings.mode != "dense":
        weights = [index.statistics.query_weights(tokenise(query)) for query in queries]
        sparse = store.search_sparse(index.collection, weights, limit)
    if dense is None or sparse is None:
        return dense or sparse or [[] for _ in queries]
    if settings.fusion == "rrf":
        return [reciprocal_rank_fusion(pair, limit) for pair in zip(dense, sparse, strict=True)]
    shares = (settings.dense_weight, 1 - settings.dense_weight)
    return [weighted_sum(pair, shares, limit) for pair in zip(dense, sparse, strict=True)]
