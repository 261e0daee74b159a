"""Lengths of stretches of a text in tokens, words or characters, each text measured once."""

import re
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ragset.chunking.tokens import token_starts

Unit = Literal["tokens", "characters", "words"]

_WORD = re.compile(r"\S+")


class Ruler:
    """Counts the units that a stretch touches."""

    def __init__(self, text: str, unit: Unit) -> None:
        self._length = len(text)
        self._starts: NDArray[np.int64]
        if unit == "tokens":
            self._starts = token_starts(text)
        elif unit == "words":
            self._starts = np.array([match.start() for match in _WORD.finditer(text)], dtype=np.int64)
        else:
            self._starts = np.arange(len(text), dtype=np.int64)

    def measure(self, start: int, end: int) -> int:
        """Units of `text[start:end]`; those cut at either end count whole."""
        return self._after(end) - self._at(start)

    def reach(self, start: int, units: int) -> int:
        """The furthest end such that `text[start:end]` has at most `units`; always beyond `start`."""
        after = self._at(start) + units
        end = int(self._starts[after]) if after < len(self._starts) else self._length
        return max(end, start + 1)

    def back(self, end: int, units: int) -> int:
        """The earliest start such that `text[start:end]` has at most `units`."""
        before = self._after(end) - units
        return int(self._starts[before]) if before > 0 else 0

    def _at(self, place: int) -> int:
        return max(0, int(self._starts.searchsorted(place, "right")) - 1)

    def _after(self, place: int) -> int:
        return int(self._starts.searchsorted(place, "left"))
