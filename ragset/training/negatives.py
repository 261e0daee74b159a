"""Hard negatives: chunks that a search puts near the answer of a query and that do not answer it.

A chunk that scores nearly as high as the answer is often an answer that nobody labelled, so those above a share of the positive's
score are left out (Moreira et al., "NV-Retriever", 2024: `TopK-PercPos`, with a margin of 0.05).
"""

from collections.abc import Callable, Sequence
from itertools import zip_longest
from typing import Literal, NamedTuple

import numpy as np
from pydantic import Field

from ragset.models import Model
from ragset.retrieval.embedding import Vectors
from ragset.retrieval.fusion import Hit
from ragset.retrieval.index import Index
from ragset.retrieval.search import retrieve
from ragset.retrieval.vector_store import VectorStore
from ragset.settings import RetrievalSettings, Settings
from ragset.text.words import tokenise

Source = Literal["bm25", "dense"]
SOURCES: tuple[Source, ...] = ("bm25", "dense")
DEPTH = 100
"""Ranks of each search among which negatives are looked for."""


class HardNegative(Model):
    """A chunk that a search found for a query and that does not answer it."""

    chunk: str
    """Id of the chunk."""
    score: float
    """In the search that found it."""
    source: Source


class NegativeSettings(Settings):
    """Which passages are hard negatives of a query."""

    most: int = Field(default=10, ge=0, le=10, title="Hard negatives")
    """Hard negatives of a query at most; 0: none."""
    margin: float = Field(default=0.05, ge=0, lt=1, title="Margin")
    """A passage is no negative if a search scores it above this share less than the passage with the answer: 0.05 leaves out
    those above 95 % of its score."""


class Ranking(NamedTuple):
    """What one search found for one query."""

    source: Source
    hits: Sequence[Hit]
    """Best first."""
    positive: float
    """The highest score of a positive, found or not; 0 where it shares no word with the query."""


def hard_negatives(
    rankings: Sequence[Ranking], refused: Callable[[str], bool], settings: NegativeSettings
) -> tuple[HardNegative, ...]:
    """The best hits of each ranking in turn, without those that are `refused` or that a ranking has above the margin."""
    unsure = {
        hit.id for one in rankings for hit in one.hits if hit.score > one.positive - settings.margin * abs(one.positive)
    }
    columns: list[list[tuple[Hit, Source]]] = [
        [(hit, one.source) for hit in one.hits if hit.id not in unsure] for one in rankings
    ]
    found: dict[str, HardNegative] = {}
    for hit, source in (one for row in zip_longest(*columns) for one in row if one is not None):
        if len(found) == settings.most:
            break
        if hit.id not in found and not refused(hit.id):
            found[hit.id] = HardNegative(chunk=hit.id, score=hit.score, source=source)
    return tuple(found.values())


def rank_queries(
    index: Index,
    store: VectorStore,
    queries: Sequence[str],
    vectors: Vectors,
    positives: Sequence[Sequence[str]],
) -> list[list[Ranking]]:
    """For each query its ranking by each of `SOURCES`; `vectors` are of the queries, row for row.

    `positives` are ids of chunks of the index, at least one for each query. The store holds the index and has loaded it.
    """
    found = {
        source: retrieve(index, store, queries, vectors, RetrievalSettings(mode=source), DEPTH) for source in SOURCES
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
