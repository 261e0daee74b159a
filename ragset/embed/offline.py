"""The embedding that needs no download and no fit: hashed n-grams, projected to a fixed size.

Two texts are near when they share words, pairs of words, or parts of words. It is lexical: synonyms are
strangers to it. Features are words and their pairs, and the character 3- to 5-grams of each word between its
borders; they are hashed (Weinberger et al., "Feature Hashing for Large Scale Multitask Learning", 2009), damped by
the square root of their frequency, and each is spread with random signs over a few dimensions (Achlioptas,
"Database-friendly random projections", 2003; Kane and Nelson, "Sparser Johnson-Lindenstrauss Transforms", 2014).
All randomness is integer arithmetic on the features themselves, so every machine gets the same vectors.
"""

import zlib
from collections.abc import Sequence
from itertools import chain
from threading import Lock
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ragset.bm25 import tokenise
from ragset.embed.vectors import Vectors, normalised

_Features = NDArray[np.uint64]
_Numbers = NDArray[np.float64]

_TEXTS_AT_ONCE = 256
_WORDS_KEPT = 200_000
_LONGEST_WORD = 64
"""Characters of a word whose parts count: encoded data and broken extraction are not worth more."""
_SPREAD = 4
"""Dimensions that one feature touches."""
_FEATURE_BITS = np.uint64(48)
_PAIR, _PART, _NOTHING = (np.uint64(salt) for salt in (0xA5A5_0001, 0xA5A5_0002, 0xA5A5_0003))


class OfflineEmbedder:
    """Hashed word and character n-grams; deterministic, and never a zero vector."""

    DIMENSIONS: ClassVar[int] = 512

    def __init__(self, dimensions: int = DIMENSIONS) -> None:
        self.name = f"offline-{dimensions}"
        self.dimensions = dimensions
        self._words: dict[str, tuple[int, list[int]]] = {}
        self._lock = Lock()

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Some thousands of chunks a second on one core."""
        vectors = np.empty((len(texts), self.dimensions), dtype=np.float32)
        with self._lock:
            for start in range(0, len(texts), _TEXTS_AT_ONCE):
                batch = texts[start : start + _TEXTS_AT_ONCE]
                vectors[start : start + len(batch)] = self._project(batch)
        return vectors

    def _project(self, texts: Sequence[str]) -> Vectors:
        tokens = [tokenise(text) for text in texts]
        known = [[self._word(token) for token in row] for row in tokens]
        words = _flat([[word for word, _ in row] for row in known])
        parts = _flat([list(chain.from_iterable(parts for _, parts in row)) for row in known])
        word_rows = _rows([len(row) for row in known])
        part_rows = _rows([sum(len(parts) for _, parts in row) for row in known])

        pairs = _mixed(words[:-1] * np.uint64(3) + words[1:] ^ _PAIR)
        within = word_rows[:-1] == word_rows[1:]
        both = np.concatenate([words, pairs[within]]), np.concatenate([word_rows, word_rows[:-1][within]])
        projected = self._spread(*both, count=len(texts)) + self._spread(parts, part_rows, count=len(texts))

        empty = ~projected.any(axis=1)
        if empty.any():
            projected[empty] = [self._of_no_words(text) for text, none in zip(texts, empty, strict=True) if none]
        return normalised(projected)

    def _word(self, token: str) -> tuple[int, list[int]]:
        """The hash of a word and those of its parts."""
        known = self._words.get(token)
        if known is None:
            if len(self._words) >= _WORDS_KEPT:
                self._words.clear()
            bordered = f" {token[:_LONGEST_WORD]} "
            grams = [bordered[i : i + n] for n in (3, 4, 5) for i in range(len(bordered) - n + 1)]
            raw = np.array([zlib.crc32(gram.encode()) for gram in grams], dtype=np.uint64)
            data = token.encode()
            word = _mixed(np.array([zlib.crc32(data) << 16 ^ zlib.adler32(data)], dtype=np.uint64))
            known = self._words[token] = int(word[0]), _mixed(raw ^ _PART << np.uint64(32)).tolist()
        return known

    def _spread(self, features: _Features, rows: _Features, *, count: int) -> _Numbers:
        """The projection of a bag of features for each text, every bag of length 1 before it."""
        keys = rows << _FEATURE_BITS | features >> (np.uint64(64) - _FEATURE_BITS)
        unique, frequency = np.unique(keys, return_counts=True)
        row = (unique >> _FEATURE_BITS).astype(np.int64)
        feature = unique & ((np.uint64(1) << _FEATURE_BITS) - np.uint64(1))
        squared = np.bincount(row, weights=frequency, minlength=count)  # of square roots
        weight = np.sqrt(frequency / np.maximum(squared, 1)[row])
        out = np.zeros(count * self.dimensions)
        for turn in range(_SPREAD):
            place = _mixed(feature * np.uint64(_SPREAD) + np.uint64(turn))
            sign = np.where(place >> np.uint64(63), 1.0, -1.0)
            column = ((place & np.uint64(0x7FFF_FFFF)) % np.uint64(self.dimensions)).astype(np.int64)
            out += np.bincount(row * self.dimensions + column, weights=sign * weight, minlength=len(out))
        return out.reshape(count, self.dimensions)

    def _of_no_words(self, text: str) -> _Numbers:
        """A text of punctuation, symbols or nothing by its characters; by the hash of all of it at last."""
        characters = _mixed(np.array([ord(char) for char in text if not char.isspace()], dtype=np.uint64))
        rows = np.zeros(len(characters), dtype=np.uint64)
        projected = self._spread(characters, rows, count=1)[0]
        if not projected.any():
            place = int(_mixed(np.array([zlib.crc32(text.encode())], dtype=np.uint64) ^ _NOTHING)[0])
            projected[place % self.dimensions] = 1.0
        return projected


def _flat(rows: list[list[int]]) -> _Features:
    return np.fromiter(chain.from_iterable(rows), dtype=np.uint64)


def _rows(lengths: list[int]) -> _Features:
    return np.repeat(np.arange(len(lengths), dtype=np.uint64), lengths)


def _mixed(numbers: _Features) -> _Features:
    """Each number scattered over 64 bits: the finaliser of splitmix64 (Steele, Lea and Flood, 2014)."""
    mixed = numbers + np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ mixed >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ mixed >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    return mixed ^ mixed >> np.uint64(31)
