"""Passages that a search finds for a query: one of them may answer it too, and then belongs to the golden's equivalents."""

from collections.abc import Collection
from functools import cached_property
from threading import Lock

import numpy as np

from ragset.chunking import split
from ragset.documents.corpus import Corpus
from ragset.models import Span
from ragset.retrieval.bm25 import Statistics
from ragset.retrieval.keyword_matrix import KeywordMatrix
from ragset.settings import ChunkingSettings
from ragset.text.words import tokenise

_PASSAGE = ChunkingSettings(size=900, unit="characters")


class NearPassages:
    """BM25 over all passages of a corpus; the first search counts them, which takes some 10 s for a corpus of 10 MB."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        self._counting = Lock()

    def search(self, query: str, without: Collection[Span], k: int = 5) -> list[Span]:
        """The best passages for the query, best first; none that shares text with one of `without`."""
        with self._counting:
            spans, statistics, matrix = self._counted
        scores = matrix.scores(statistics.query_weights(tokenise(query)))
        best = (int(row) for row in np.argsort(-scores, kind="stable")[: k + 20 * len(without)])
        found = [spans[row] for row in best if scores[row] > 0]
        return [span for span in found if not any(span.overlap(one) for one in without)][:k]

    @cached_property
    def _counted(self) -> tuple[list[Span], Statistics, KeywordMatrix]:
        chunks = [chunk for document in self._corpus for chunk in split(document, _PASSAGE)]
        texts = [chunk.text for chunk in chunks]
        statistics = Statistics.of(texts)
        return [chunk.span for chunk in chunks], statistics, KeywordMatrix.of(texts, statistics)
