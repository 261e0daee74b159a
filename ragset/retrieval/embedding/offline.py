"""The embedding that needs no download and no fit: hashed n-grams, projected to a fixed size.

It is lexical. Features are words, their pairs, and the character 3- to 5-grams of each word between its borders; they
are hashed (Weinberger et al., "Feature Hashing for Large Scale Multitask Learning", 2009), damped by the square root of
their frequency, and each is spread with random signs over a few dimensions (Achlioptas, "Database-friendly random
projections", 2003; Kane and Nelson, "Sparser Johnson-Lindenstrauss Transforms", 2014). Short words count less, in place
of an idf. All randomness is integer arithmetic on the features, so every machine gets the same vectors.
"""

import zlib
from collections.abc import Sequence
from itertools import chain
from threading import Lock
from typing import ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from ragset.retrieval.embedding.vectors import Vectors, normalised
from ragset.text.words import tokenise, writes_without_spaces

_Features = NDArray[np.uint64]
_Numbers = NDArray[np.float64]

_TEXTS_AT_ONCE = 256
_WORDS_KEPT = 200_000
_LONGEST_WORD = 64  # characters of a word whose parts count: encoded data and broken extraction are not worth more
_SPREAD = 4  # dimensions that one feature touches
_FULL_WORTH = 6  # letters of a word from which on it counts fully
_PAIR_WORTH = 0.5
_FEATURE_BITS = np.uint64(48)
_PAIR, _PART, _NOTHING = (np.uint64(salt) for salt in (0xA5A5_0001, 0xA5A5_0002, 0xA5A5_0003))


def _mixed(numbers: _Features) -> _Features:
    """Each number scattered over 64 bits: the finaliser of splitmix64 (Steele, Lea and Flood, 2014)."""
    mixed = numbers + np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ mixed >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ mixed >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    return mixed ^ mixed >> np.uint64(31)


class _Word(NamedTuple):
    feature: int
    parts: _Features
    worth: float  # of one occurrence, up to 1

    @classmethod
    def of(cls, token: str) -> Self:
        bordered = f" {token[:_LONGEST_WORD]} "
        grams = [bordered[i : i + n] for n in (3, 4, 5) for i in range(len(bordered) - n + 1)]
        parts = np.array([zlib.crc32(gram.encode()) for gram in grams], dtype=np.uint64)
        data = token.encode()
        feature = _mixed(np.array([zlib.crc32(data) << 16 ^ zlib.adler32(data)], dtype=np.uint64))
        short = token.isalpha() and not writes_without_spaces(token)
        worth = min(1.0, (len(token) / _FULL_WORTH) ** 4) if short else 1.0
        return cls(int(feature[0]), _mixed(parts ^ _PART << np.uint64(32)), worth)


class OfflineEmbedder:
    """Hashed word and character n-grams; deterministic, and never a zero vector."""

    DIMENSIONS: ClassVar[int] = 512

    def __init__(self, dimensions: int = DIMENSIONS) -> None:
        self.name = self.identity = f"offline-{dimensions}"
        self.dimensions = dimensions
        self._words: dict[str, _Word] = {}
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
        known = [[self._word(token) for token in tokenise(text)] for text in texts]
        rows = np.repeat(np.arange(len(known)), [len(row) for row in known])
        flat = list(chain.from_iterable(known))
        words = np.fromiter((word.feature for word in flat), dtype=np.uint64, count=len(flat))
        worth = np.fromiter((word.worth for word in flat), dtype=np.float64, count=len(flat))
        sizes = np.fromiter((len(word.parts) for word in flat), dtype=np.int64, count=len(flat))
        parts = np.concatenate([word.parts for word in flat]) if flat else words

        pairs = _mixed(words[:-1] * np.uint64(3) + words[1:] ^ _PAIR)
        within = rows[:-1] == rows[1:]
        projected = self._spread(
            np.concatenate([words, pairs[within]]),
            np.concatenate([rows, rows[:-1][within]]),
            np.concatenate([worth, _PAIR_WORTH * np.sqrt(worth[:-1] * worth[1:])[within]]),
            len(texts),
        )
        projected += self._spread(parts, np.repeat(rows, sizes), np.repeat(worth, sizes), len(texts))

        for row in np.flatnonzero((projected == 0).all(axis=1)).tolist():
            projected[row] = self._of_no_words(texts[row])
        return normalised(projected)

    def _word(self, token: str) -> _Word:
        if token not in self._words:
            if len(self._words) >= _WORDS_KEPT:
                self._words.clear()
            self._words[token] = _Word.of(token)
        return self._words[token]

    def _spread(self, features: _Features, rows: NDArray[np.int64], worth: _Numbers, count: int) -> _Numbers:
        """The projection of what occurs in each of `count` texts (`rows`), scaled to length 1 before it."""
        keys = rows.astype(np.uint64) << _FEATURE_BITS | features >> (np.uint64(64) - _FEATURE_BITS)
        unique, inverse = np.unique(keys, return_inverse=True)
        squared = np.bincount(inverse, weights=worth, minlength=len(unique))
        row = (unique >> _FEATURE_BITS).astype(np.int64)
        total = np.bincount(row, weights=squared, minlength=count)
        weight = np.sqrt(squared / total[row])
        feature = unique & ((np.uint64(1) << _FEATURE_BITS) - np.uint64(1))
        out = np.zeros(count * self.dimensions)
        for turn in range(_SPREAD):
            place = _mixed(feature * np.uint64(_SPREAD) + np.uint64(turn))
            sign = np.where(place >> np.uint64(63), 1.0, -1.0)
            column = ((place & np.uint64(0x7FFF_FFFF)) % np.uint64(self.dimensions)).astype(np.int64)
            out += np.bincount(row * self.dimensions + column, weights=sign * weight, minlength=len(out))
        return out.reshape(count, self.dimensions)

    def _of_no_words(self, text: str) -> _Numbers:
        """The projection of a text without words: of its characters, or one dimension that its hash chooses."""
        characters = _mixed(np.array([ord(char) for char in text if not char.isspace()], dtype=np.uint64))
        projected = self._spread(characters, np.zeros(len(characters), np.int64), np.ones(len(characters)), 1)[0]
        if not projected.any():
            place = int(_mixed(np.array([zlib.crc32(text.encode())], dtype=np.uint64) ^ _NOTHING)[0])
            projected[place % self.dimensions] = 1.0
        return projected
