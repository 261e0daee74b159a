"""Where a text may be cut: before paragraphs, lines, sentences, words."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from ragset.text.sentences import PARAGRAPH, UNSPACED_STOP, parts_heading, sentences

_LINE = re.compile(r"\n(?![ \t]*[a-zß-öø-ÿα-ωа-я])")
_WRAP = re.compile(r"\n")  # a line that goes on in lower case was wrapped, and ends less than a sentence does
_SENTENCE = re.compile(rf"(?<=[.!?…])[\"'”’»)\]]*\s+(?=[^\W_a-z]|[\"'“‘«(\[¿¡])|{UNSPACED_STOP.pattern}")
_WORD = re.compile(r"\s+")

_STEP = 64  # characters that a pattern is looked for in at first


class Places:
    """Boundaries known beforehand, sorted."""

    def __init__(self, places: Sequence[int]) -> None:
        self._places = places

    def last(self, low: int, high: int) -> int | None:
        """The last one with `low < place <= high`."""
        at = bisect_right(self._places, high) - 1
        return self._places[at] if at >= 0 and self._places[at] > low else None

    def first(self, low: int, high: int) -> int | None:
        """The first one with `low <= place < high`."""
        at = bisect_left(self._places, low)
        return self._places[at] if at < len(self._places) and self._places[at] < high else None


class Pattern:
    """Boundaries at the ends of what a pattern matches, which may look at one character behind its end."""

    def __init__(self, text: str, pattern: re.Pattern[str], *, under_headings: bool = True) -> None:
        """With `under_headings` False, boundaries right under a heading do not count."""
        self._text = text
        self._pattern = pattern
        self._under_headings = under_headings

    def last(self, low: int, high: int) -> int | None:
        """The last one with `low < place <= high`."""
        # From the end in growing steps: the last one is mostly near.
        start, step = high, _STEP
        while start > low:
            start = max(low, high - step)
            for match in reversed([*self._pattern.finditer(self._text, start, high + 1)]):
                if low < match.end() <= high and self._counts(match.end()):
                    return match.end()
            step *= 4
        return None

    def first(self, low: int, high: int) -> int | None:
        """The first one with `low <= place < high`."""
        places = (match.end() for match in self._pattern.finditer(self._text, max(0, low - _STEP), high))
        return next((place for place in places if low <= place < high and self._counts(place)), None)

    def _counts(self, place: int) -> bool:
        return self._under_headings or not parts_heading(self._text, place)


Boundaries = Places | Pattern  # places of one kind at which a chunk may end and the next one begin


def by_recursion(text: str) -> tuple[Boundaries, ...]:
    """Paragraphs, lines, sentences (by punctuation and capitals alone), wrapped lines and words."""
    return (
        Pattern(text, PARAGRAPH, under_headings=False),
        Pattern(text, _LINE, under_headings=False),
        *(Pattern(text, pattern) for pattern in (_SENTENCE, _WRAP, _WORD)),
    )


def by_sentence(text: str, language: str) -> tuple[Boundaries, ...]:
    """Sentences, and words for those that are too long."""
    return Places(sentences(text, language)), Pattern(text, _WORD)
