"""Chunks found for queries, as a RAG system would find them."""

from collections.abc import Sequence

from ragset.retrieval.embedding import Vectors
from ragset.retrieval.fusion import Hit, reciprocal_rank_fusion, weighted_sum
from ragset.retrieval.index import Index
from ragset.retrieval.vector_store import VectorStore
from ragset.settings import RetrievalSettings
from ragset.text.words import tokenise


def retrieve(
    index: Index,
    store: VectorStore,
    queries: Sequence[str],
    vectors: Vectors | None,
    settings: RetrievalSettings,
    limit: int,
) -> list[list[Hit]]:
    """For each query its best chunks in the store, at most `limit`, best first.

    `vectors` are the embeddings of the queries, row for row; BM25 alone needs none. All queries are searched for together.

    Raises:
        StoreError: the store fails, or the collection is not there.
    """
    limit = min(limit, len(index))
    sparse: list[list[Hit]] = []
    if settings.mode != "dense":
        weights = [index.statistics.query_weights(tokenise(query)) for query in queries]
        sparse = store.search_sparse(index.collection, weights, limit)
    if settings.mode == "bm25":
        return sparse
    if vectors is None or len(vectors) != len(queries):
        raise ValueError(f"{len(queries)} queries, and {0 if vectors is None else len(vectors)} vectors for them")
    dense = store.search_dense(index.collection, vectors, limit)
    if settings.mode == "dense":
        return dense
    pairs = zip(dense, sparse, strict=True)
    if settings.fusion == "rrf":
        return [reciprocal_rank_fusion(pair, limit) for pair in pairs]
    shares = (settings.dense_weight, 1 - settings.dense_weight)
    return [weighted_sum(pair, shares, limit) for pair in pairs]
