"""Lengths of stretches of a text in tokens, words or characters, each text measured once."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal

from ragset.text.tokens import token_starts

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Unit = Literal["tokens", "characters", "words"]

_UNSPACED = r"\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
"""Japanese kana and Chinese characters, which are written without spaces: each counts as a word."""
_LONGEST_WORD = 200  # characters; a longer run (a data URL, say) counts as several words, lest one be as long as a book
_WORD = re.compile(rf"[{_UNSPACED}]|[^\s{_UNSPACED}]{{1,{_LONGEST_WORD}}}")


class Ruler:
    """Counts the units that begin in a stretch; one that the stretch begins inside of counts too."""

    def __init__(self, text: str, unit: Unit) -> None:
        self._length = len(text)
        self._starts: NDArray[np.int64] | range
        if unit == "words":
            import numpy as np

            self._starts = np.array([match.start() for match in _WORD.finditer(text)], dtype=np.int64)
        else:
            self._starts = token_starts(text) if unit == "tokens" else range(len(text))

    def measure(self, start: int, end: int) -> int:
        """Units of `text[start:end]`; those cut at either end count whole."""
        return self._before(end) - self._at(start)

    def reach(self, start: int, units: int) -> int:
        """The furthest end such that `text[start:end]` has at most `units`; always beyond `start`."""
        after = self._at(start) + units
        return max(start + 1, int(self._starts[after]) if after < len(self._starts) else self._length)

    def back(self, end: int, units: int) -> int:
        """The earliest start such that `text[start:end]` has at most `units`."""
        before = self._before(end) - units
        if before <= 0:
            return 0
        start = int(self._starts[before])
        # Several tokens may make one character: all of them, or none.
        return start if self._before(start) == before else start + 1

    def _at(self, place: int) -> int:
        """The number of the unit that holds `place`, the first of them where several begin there."""
        first = self._before(place)
        begins = first < len(self._starts) and self._starts[first] == place
        return first if begins else max(0, first - 1)

    def _before(self, place: int) -> int:
        return place if isinstance(self._starts, range) else int(self._starts.searchsorted(place))
