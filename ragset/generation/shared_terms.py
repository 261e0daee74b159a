"""The rare names and terms of each chunk, weighted by rarity, and what chunks share of them.

A term is a word, a name (words with capitals in a row, or one within a sentence), or a number with its unit. Terms of one
chunk alone link nothing, and frequent ones say nothing. A name counts beside its words, so it weighs more than they do.
"""

import re
import zlib
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ragset.models import Chunk
from ragset.text.words import tokenise

FEWEST = 2
"""Chunks that hold a term."""
_SHARE, _FEW, _MANY = 0.02, 5, 200
"""The most chunks that hold a rare term: this share of all, but at least so many, and at most so many, whose pairs are
still quickly counted among 100,000 chunks."""
_SLAB = 2_048

_UPPER = "".join(letter for letter in map(chr, range(0x10000)) if letter.isupper())
_NAME = re.compile(rf"[{_UPPER}](?:(?<=[\w,;)] .)[\w'’-]*(?: [{_UPPER}][\w'’-]*)*|[\w'’-]*(?: [{_UPPER}][\w'’-]*)+)")
_QUANTITY = re.compile(r"\d+(?:[.,]\d+)* ?(?:%|‰|°[A-Z]?|[^\W\d_]{1,12})")


class SharedTerms:
    """The rare terms of chunks: a row for each chunk, with the weight (over 0, to 1) of each of its rare terms."""

    def __init__(self, texts: Iterable[str]) -> None:
        from scipy.sparse import csr_array

        found = [np.unique(np.fromiter(map(_term_id, _terms(text)), dtype=np.uint32)) for text in texts]
        count = len(found)
        pointers = np.concatenate([[0], np.cumsum([len(terms) for terms in found])]).astype(np.int64)
        ids = np.concatenate(found) if found else np.zeros(0, dtype=np.uint32)
        distinct, columns, frequencies = np.unique(ids, return_inverse=True, return_counts=True)
        most = min(max(_FEW, round(_SHARE * count)), _MANY)
        rare = (frequencies >= FEWEST) & (frequencies <= most)
        # 1 for a term of two chunks, 0 for one of all; squared, so that one rare name weighs more than some common words
        idf = np.log(max(count, 3) / frequencies) / np.log(max(count, 3) / FEWEST)
        values = np.where(rare, np.maximum(idf, 0) ** 2, 0)[columns]
        self._table: Any = csr_array((values, columns, pointers), shape=(count, len(distinct)))
        self._table.eliminate_zeros()
        self._by_term: Any = self._table.T.tocsr()
        self._by_term.data = np.ones_like(self._by_term.data)
        self.totals: NDArray[np.float64] = np.asarray(self._table.sum(axis=1)).ravel()
        """The weights of all rare terms of each chunk."""

    def shared(self, rows: Sequence[int]) -> list[dict[int, float]]:
        """For each of `rows`, the chunks that share rare terms with it, with the weights of those terms together."""
        found: Any = self._table[np.asarray(rows, dtype=np.int64)] @ self._by_term
        parts = zip(found.indptr[:-1], found.indptr[1:], strict=True)
        return [dict(zip(found.indices[a:b].tolist(), found.data[a:b].tolist(), strict=True)) for a, b in parts]


def texts_of(table: Any, count: int) -> Iterable[str]:
    """The texts of all chunks of an index, read in slabs."""
    slabs = (range(start, min(start + _SLAB, count)) for start in range(0, count, _SLAB))
    chunks: Iterable[Chunk] = chain.from_iterable(table.chunks(slab) for slab in slabs)
    return (chunk.text for chunk in chunks)


def _terms(text: str) -> set[str]:
    """Words of two letters and more, names and quantities; the last two begin with a sign that no word has."""
    words = {word for word in tokenise(text) if (len(word) > 1 and not word.isdigit()) or len(word) > 3}
    names = {f"={' '.join(name.casefold().split())}" for name in _NAME.findall(text)}
    quantities = {f"#{''.join(quantity.casefold().split())}" for quantity in _QUANTITY.findall(text)}
    return words | names | quantities


@lru_cache(maxsize=2**17)
def _term_id(term: str) -> int:
    return zlib.crc32(term.encode())
