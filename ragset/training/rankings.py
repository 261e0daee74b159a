"""Rankings of queries by BM25 and by an embedding, with the scores of chunks that are known to answer."""

from collections.abc import Sequence

import numpy as np

from ragset.retrieval.embedding import Vectors
from ragset.retrieval.fusion import Hit
from ragset.retrieval.index import Index
from ragset.retrieval.search import retrieve
from ragset.retrieval.vector_store import VectorStore
from ragset.settings import RetrievalSettings
from ragset.text.words import tokenise
from ragset.training.negatives import DEPTH, SOURCES, Ranking, Source


def rank_queries(
    index: Index,
    store: VectorStore,
    queries: Sequence[str],
    vectors: Vectors,
    positives: Sequence[Sequence[str]],
    depth: int = DEPTH,
) -> list[list[Ranking]]:
    """For each query its ranking by each of `SOURCES`; `vectors` are of the queries, row for row.

    `positives` are ids of chunks of the index, at least one for each query. The store holds the index and has loaded it.
    """
    found = {
        source: retrieve(index, store, queries, vectors, RetrievalSettings(mode=source), depth) for source in SOURCES
    }
    scores = {"bm25": _by_words(index, queries, positives), "dense": _by_vectors(index, vectors, positives)}

    def ranking(source: Source, query: int) -> Ranking:
        hits: list[Hit] = found[source][query]
        return Ranking(source, hits, scores[source][query])

    return [[ranking(source, query) for source in SOURCES] for query in range(len(queries))]


def _by_vectors(index: Index, vectors: Vectors, positives: Sequence[Sequence[str]]) -> list[float]:
    """The highest cosine of a query and a positive."""
    rows = ([index.rows[chunk] for chunk in chunks] for chunks in positives)
    return [float(np.max(index.vectors[of] @ vector)) for of, vector in zip(rows, vectors, strict=True)]


def _by_words(index: Index, queries: Sequence[str], positives: Sequence[Sequence[str]]) -> list[float]:
    """The highest BM25 score of a positive."""
    needed = list(dict.fromkeys(chunk for chunks in positives for chunk in chunks))
    texts = index.chunks([index.rows[chunk] for chunk in needed])
    weights = {chunk.id: index.statistics.document_weights(tokenise(chunk.text)) for chunk in texts}

    def highest(query: str, chunks: Sequence[str]) -> float:
        terms = index.statistics.query_weights(tokenise(query))
        return max(sum(weight * weights[chunk].get(term, 0.0) for term, weight in terms.items()) for chunk in chunks)

    return [highest(query, chunks) for query, chunks in zip(queries, positives, strict=True)]
