"""BM25 in memory: for passages that no vector store holds, and for stores that take no sparse vectors."""

from array import array
from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from ragset.retrieval.bm25 import Statistics
from ragset.text.words import tokenise


class KeywordMatrix:
    """The BM25 weights of texts, a row for each; 8 bytes for each distinct word of a text."""

    def __init__(self, texts: Iterable[str], statistics: Statistics) -> None:
        self._columns: dict[int, int] = {}  # by term
        ends, columns, values = array("q", [0]), array("i"), array("f")
        for text in texts:
            if tokens := tokenise(text):
                for term, weight in statistics.document_weights(tokens).items():
                    columns.append(self._columns.setdefault(term, len(self._columns)))
                    values.append(weight)
            ends.append(len(columns))
        shape = (len(ends) - 1, len(self._columns))
        parts = np.frombuffer(values, np.float32), np.frombuffer(columns, np.int32), np.frombuffer(ends, np.int64)
        self._weights = csr_array(parts, shape=shape).tocsc()

    def scores(self, query: Mapping[int, float]) -> NDArray[np.float32]:
        """Of each row for the weights of a query; 0 where they share no word."""
        known = {self._columns[term]: weight for term, weight in query.items() if term in self._columns}
        return self._weights[:, list(known)] @ np.array(list(known.values()), dtype=np.float32)
