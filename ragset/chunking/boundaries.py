"""Where a text may be cut: before paragraphs, lines, sentences, words."""

import logging
import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Protocol

from ragset.chunking.tokens import bundled

logger = logging.getLogger(__name__)

_PARAGRAPH = re.compile(r"\n[ \t]*\n\s*")
_LINE = re.compile(r"\n")
_SENTENCE = re.compile(r"(?<=[.!?…])[\"'”’»)\]]*\s+(?=[^\W_a-z]|[\"'“‘«(\[¿¡])|(?<=[。！？])")
_WORD = re.compile(r"\s+")
_WIDE_STOP = re.compile(r"(?<=[。！？])")

_LANGUAGES = {
    "cs": "czech",
    "da": "danish",
    "de": "german",
    "el": "greek",
    "en": "english",
    "es": "spanish",
    "et": "estonian",
    "fi": "finnish",
    "fr": "french",
    "it": "italian",
    "nl": "dutch",
    "no": "norwegian",
    "pl": "polish",
    "pt": "portuguese",
    "ru": "russian",
    "sl": "slovene",
    "sv": "swedish",
    "tr": "turkish",
}


class Boundaries(Protocol):
    """Places of one kind at which a chunk may end and the next one begin."""

    def last(self, low: int, high: int) -> int | None:
        """The last one with `low < place <= high`."""
        ...

    def first(self, low: int, high: int) -> int | None:
        """The first one with `low <= place < high`."""
        ...


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
    """Boundaries at the ends of what a pattern matches, looked for where they are wanted."""

    def __init__(self, text: str, pattern: re.Pattern[str]) -> None:
        self._text = text
        self._pattern = pattern

    def last(self, low: int, high: int) -> int | None:
        """The last one with `low < place <= high`."""
        found = None
        for match in self._pattern.finditer(self._text, low, high):
            if match.end() > low:
                found = match.end()
        return found

    def first(self, low: int, high: int) -> int | None:
        """The first one with `low <= place < high`."""
        match = self._pattern.search(self._text, low, high)
        return match.end() if match and match.end() < high else None


def by_recursion(text: str) -> tuple[Boundaries, ...]:
    """Paragraphs, lines, sentences and words, for text that is cut wherever it must be.

    Sentences by punctuation and capitals alone: fast, and wrong after `Dr.`, where a cut does no more harm than
    between other words.
    """
    return tuple(Pattern(text, pattern) for pattern in (_PARAGRAPH, _LINE, _SENTENCE, _WORD))


def by_sentence(text: str, language: str) -> tuple[Boundaries, ...]:
    """Sentences, and words for those that are too long."""
    return Places(sentences(text, language)), Pattern(text, _WORD)


def sentences(text: str, language: str) -> list[int]:
    """Where sentences begin, the first apart, by NLTK's Punkt model of the language.

    Kiss and Strunk, "Unsupervised multilingual sentence boundary detection", 2006. A paragraph always ends a
    sentence. Languages without a model are read as English.
    """
    breaks = {match.end() for match in _PARAGRAPH.finditer(text)}
    found = breaks | {match.end() for match in _WIDE_STOP.finditer(text)}
    start = 0
    for end in [*sorted(breaks), len(text)]:
        found.update(start + first for first, _ in _punkt(language).span_tokenize(text[start:end]))
        start = end
    return sorted(place for place in found if 0 < place < len(text))


@lru_cache(maxsize=8)
def _punkt(language: str) -> Any:
    import nltk
    from nltk.tokenize.punkt import PunktTokenizer

    name = _LANGUAGES.get(language)
    if name is None:
        logger.warning("there is no sentence model for language %s; sentences are found as in English", language)
    models = str(bundled("nltk_cache"))
    if models not in nltk.data.path:  # the only places that nltk reads from
        nltk.data.path.append(models)
    return PunktTokenizer(name or "english")
