"""The rare names and terms of each chunk, weighted by rarity, and what chunks share of them.

A term is a word, a name (words with capitals in a row, or one within a sentence), or a number with its unit. Terms of one
chunk alone link nothing, and frequent ones say nothing. A name counts beside its words, so it weighs more than they do.
"""

import re
import zlib
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import chain, islice
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

        texts = iter(texts)
        found = [*map(_found, iter(lambda: [*islice(texts, _SLAB)], []))]
        count = sum(len(sizes) for _, sizes in found)
        ids = np.concatenate([ids for ids, _ in found]) if found else np.zeros(0, dtype=np.uint32)
        ids.sort()  # in place: of a million chunks there are some hundred million
        firsts = np.flatnonzero(np.diff(ids, prepend=ids[:1] - np.uint32(1)))
        frequencies = np.diff(firsts, append=len(ids))
        most = min(max(_FEW, round(_SHARE * count)), _MANY)
        rare = (frequencies >= FEWEST) & (frequencies <= most)
        terms, frequencies = ids[firsts[rare]], frequencies[rare]
        del ids, firsts
        # 1 for a term of two chunks, 0 for one of all; squared, so that one rare name weighs more than some common words
        idf = np.log(max(count, 3) / frequencies) / np.log(max(count, 3) / FEWEST)
        weights = np.maximum(idf, 0) ** 2
        parts = [_columns(terms, *one) for one in found]
        columns = np.concatenate([columns for columns, _ in parts]) if parts else np.zeros(0, dtype=np.int32)
        pointers = np.concatenate([[0], *(sizes for _, sizes in parts)]).cumsum()
        self._table: Any = csr_array((weights[columns], columns, pointers), shape=(count, len(terms)))
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


def _found(texts: Sequence[str]) -> tuple[NDArray[np.uint32], NDArray[np.int64]]:
    """The ids of the distinct terms of each text, one text after the other, and how many each has."""
    ids = [np.unique(np.fromiter(map(_term_id, _terms(text)), dtype=np.uint32)) for text in texts]
    return np.concatenate(ids), np.array([len(some) for some in ids], dtype=np.int64)


def _columns(
    terms: NDArray[np.uint32], ids: NDArray[np.uint32], sizes: NDArray[np.int64]
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """The places among `terms`, which ascend, of those `ids` that are there, and how many are left of each text."""
    if not len(terms):
        return np.zeros(0, dtype=np.int32), np.zeros_like(sizes)
    places = np.minimum(np.searchsorted(terms, ids), len(terms) - 1)
    kept = terms[places] == ids
    rows = np.repeat(np.arange(len(sizes)), sizes)[kept]
    return places[kept].astype(np.int32), np.bincount(rows, minlength=len(sizes))


def _terms(text: str) -> set[str]:
    """Words of two letters and more, names and quantities; the last two begin with a sign that no word has."""
    words = {word for word in tokenise(text) if (len(word) > 1 and not word.isdigit()) or len(word) > 3}
    names = {f"={' '.join(name.casefold().split())}" for name in _NAME.findall(text)}
    quantities = {f"#{''.join(quantity.casefold().split())}" for quantity in _QUANTITY.findall(text)}
    return words | names | quantities


@lru_cache(maxsize=2**17)
def _term_id(term: str) -> int:
    return zlib.crc32(term.encode())
