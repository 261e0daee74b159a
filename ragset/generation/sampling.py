"""The order in which chunks are drawn: a permutation of which every prefix is a good sample.

Goldens are made in rounds whose number nobody knows beforehand; each takes the next slice of one order, so
the order itself must spread. `diverse` does by

- documents: everyone's first chunk comes before anyone's second. After that, documents are drawn by the
  divisor method of Sainte-Laguë (Balinski and Young, "Fair Representation", 1982) with the square root of
  their eligible chunks as votes: the power allocation of Bankier, "Power Allocations" (The American
  Statistician, 1988), half-way between equal shares, with which leaflets flood the set, and proportional
  ones, with which a handbook does;
- topics (clusters of the embedding space): the chunk drawn from a document is of the topic that so far has
  least of its own share, by the same method and weights; and so is the document chosen whose first chunk
  comes next.
"""

import heapq
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from ragset.generation.topics import topics
from ragset.retrieval.embedding.vectors import Vectors
from ragset.settings import SamplingSettings

_Rows = NDArray[np.int64]


def sample_order(
    doc_ids: Sequence[str],
    chars: NDArray[np.int64],
    vectors: Vectors,
    settings: SamplingSettings,
    seed: int,
) -> _Rows:
    """All rows of at least `min_chars` characters, each once, in the order to draw them in.

    `doc_ids`, `chars` and `vectors` (unit length; may be memory-mapped) hold one entry a row. The same
    arguments give the same order; texts are not needed.
    """
    eligible = np.flatnonzero(np.asarray(chars) >= settings.min_chars).astype(np.int64)
    rng = np.random.default_rng([seed, 0])
    if settings.method == "random" or len(eligible) < 2:
        return rng.permutation(eligible)
    _, documents = np.unique([doc_ids[row] for row in eligible.tolist()], return_inverse=True)
    labels = topics(vectors, eligible, seed)
    return eligible[_Drawing(documents, labels, rng).order()]


class _Drawing:
    """Draws without replacement from rows that each belong to a document and to a topic."""

    def __init__(self, documents: _Rows, labels: _Rows, rng: np.random.Generator) -> None:
        self._rng = rng
        self._sizes = np.bincount(documents)
        self._topic_weights: list[float] = np.sqrt(np.bincount(labels)).tolist()
        self._drawn_of_topic = [0] * len(self._topic_weights)
        self._left: list[dict[int, list[int]]] = [{} for _ in self._sizes]
        for row in rng.permutation(len(documents)).tolist():
            self._left[documents[row]].setdefault(int(labels[row]), []).append(row)

    def order(self) -> _Rows:
        """Every row once."""
        return np.array([*self._first_of_each(), *self._rest()], dtype=np.int64)

    def _first_of_each(self) -> list[int]:
        """A row of every document; the document drawn next has rows in the topic that is furthest behind."""
        holders: list[list[int]] = [[] for _ in self._topic_weights]
        for document in self._rng.permutation(len(self._left)).tolist():
            for topic in self._left[document]:
                holders[topic].append(document)
        behind = [(self._standing(topic), topic) for topic in range(len(holders)) if holders[topic]]
        heapq.heapify(behind)
        waiting = [True] * len(self._left)
        drawn: list[int] = []
        while behind:
            _, topic = behind[0]
            while holders[topic] and not waiting[holders[topic][-1]]:
                holders[topic].pop()
            if not holders[topic]:
                heapq.heappop(behind)
                continue
            document = holders[topic].pop()
            waiting[document] = False
            drawn.append(self._take(document, topic))
            heapq.heapreplace(behind, (self._standing(topic), topic))
        return drawn

    def _rest(self) -> list[int]:
        """All other rows, their documents in Sainte-Laguë's order."""
        documents = np.repeat(np.arange(len(self._sizes)), self._sizes - 1)
        first = np.cumsum(self._sizes - 1) - (self._sizes - 1)
        turns = np.arange(len(documents)) - first[documents] + 1  # 1 for the second row of a document
        keys = (turns + 0.5) / np.sqrt(self._sizes)[documents]
        ties = self._rng.permutation(len(self._sizes))[documents]
        return [
            self._take(document, min(self._left[document], key=lambda topic: (self._standing(topic), topic)))
            for document in documents[np.lexsort((ties, keys))].tolist()
        ]

    def _standing(self, topic: int) -> float:
        """How much a topic has had for its weight: least is next."""
        return (self._drawn_of_topic[topic] + 0.5) / self._topic_weights[topic]

    def _take(self, document: int, topic: int) -> int:
        rows = self._left[document][topic]
        row = rows.pop()
        if not rows:
            del self._left[document][topic]
        self._drawn_of_topic[topic] += 1
        return row


def not_taken(order: Iterable[int], taken: Iterable[int]) -> list[int]:
    """The rows of `order` that are not `taken`, in its order."""
    gone = frozenset(taken)
    return [row for row in order if row not in gone]
