"""BM25 as sparse vectors: the inner product of a query's and a chunk's weights is the chunk's score.

Lucene's variant of Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009), with the idf
that is never negative: ln(1 + (N - df + 0.5) / (df + 0.5)). Idf is in the query's weights and saturation in the chunk's,
so adding or removing chunks changes no stored weight but by the average length. That is rounded to two significant
digits, so that it moves seldom; when it does, all weights are written again, and nothing is embedded.
"""

import math
import zlib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Literal, Self

import numpy as np
from numpy.typing import NDArray

from ragset.text.words import tokenise

K1, B = 1.2, 0.75
NO_TERM = 2**32 - 2  # the vector of a text without words, because Milvus takes no empty ones; no query asks for it


@lru_cache(maxsize=2**17)
def term_id(token: str) -> int:
    """The place of a token in sparse vectors: its CRC-32; among 100,000 tokens about one pair shares a place."""
    return min(zlib.crc32(token.encode()), NO_TERM - 1)


@dataclass
class Statistics:
    """Counts over a collection: chunks, tokens, and in how many chunks each term stands."""

    count: int = 0
    length: int = 0  # tokens in all chunks together
    frequencies: Counter[int] = field(default_factory=Counter[int])

    @classmethod
    def of(cls, texts: Iterable[str]) -> Self:
        """Counted over `texts`, one at a time."""
        counted = cls()
        counted.add(texts)
        return counted

    def add(self, texts: Iterable[str], by: Literal[1, -1] = 1) -> None:
        """Count `texts`, or with -1 count them no longer."""
        change = self.frequencies.update if by == 1 else self.frequencies.subtract
        for text in texts:
            tokens = tokenise(text)
            self.count += by
            self.length += by * len(tokens)
            change({term_id(token) for token in tokens})

    def copy(self) -> Self:
        """One that can be changed while this stays."""
        return replace(self, frequencies=self.frequencies.copy())

    @property
    def typical_length(self) -> float:
        """Average tokens of a chunk, to two significant digits; 1 where there are none."""
        return float(f"{self.length / self.count:.2g}") if self.length else 1.0

    def document_weights(self, tokens: Sequence[str]) -> dict[int, float]:
        """Saturated term frequencies: tf (k1 + 1) / (tf + k1 (1 - b + b length / typical length))."""
        if not tokens:
            return {NO_TERM: 1.0}
        norm = K1 * (1 - B + B * len(tokens) / self.typical_length)
        counts = Counter(map(term_id, tokens))
        return {term: tf * (K1 + 1) / (tf + norm) for term, tf in counts.items()}

    def query_weights(self, tokens: Sequence[str]) -> dict[int, float]:
        """Idf of each token in the collection, times its occurrences in the query; empty when none occurs."""
        counts = Counter(map(term_id, tokens))
        found = ((term, tf, df) for term, tf in counts.items() if (df := self.frequencies[term]))
        return {term: tf * math.log(1 + (self.count - df + 0.5) / (df + 0.5)) for term, tf, df in found}

    def merge(self, other: Self) -> None:
        """Count what `other` counts too."""
        self.count += other.count
        self.length += other.length
        self.frequencies.update(other.frequencies)

    def arrays(self) -> tuple[NDArray[np.int64], NDArray[np.uint32], NDArray[np.uint32]]:
        """Chunks and tokens, the terms in ascending order, and in how many chunks each stands."""
        terms = np.array(sorted(+self.frequencies), dtype=np.uint32)
        counts = np.array([self.frequencies[int(term)] for term in terms], dtype=np.uint32)
        return np.array([self.count, self.length], dtype=np.int64), terms, counts

    @classmethod
    def of_arrays(cls, totals: NDArray[np.int64], terms: NDArray[np.uint32], counts: NDArray[np.uint32]) -> Self:
        """Of what `arrays` gives."""
        count, length = totals.tolist()
        return cls(count, length, Counter(dict(zip(terms.tolist(), counts.tolist(), strict=True))))

    def save(self, path: Path) -> None:
        """Write as `.npz`."""
        totals, terms, counts = self.arrays()
        with path.open("wb") as file:
            np.savez_compressed(file, totals=totals, terms=terms, counts=counts)

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read what `save` wrote."""
        with np.load(path, allow_pickle=False) as file:
            return cls.of_arrays(file["totals"], file["terms"], file["counts"])
