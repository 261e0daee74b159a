"""Sentences with exact offsets, and the words of a text that carry meaning."""

import re
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from ragset.text.languages import guess_language
from ragset.text.rules.content_words import content_words
from ragset.text.rules.tables import FUNCTION_WORDS
from ragset.text.sentences import sentences as sentence_starts

# A list item, a table row or a heading begins on a line of its own; a heading also ends with its line.
_LINE = re.compile(r"\n(?=[ \t]*(?:[-*+•|>#=]|\d{1,2}[.)])[ \t])|(?m:^[ \t]*(?:#|=).*$)")
_NOTE = re.compile(r"(?<=[.!?])(?:\[[\w ]{1,20}\])+(?=\s)")
_TITLE = re.compile(
    r"(?:(?<=\n\n)|\A)(?P<margin>[ \t]*)(?![-*+•>|#=\d]\s)\S[^\n!?;,]{1,50}(?<![.:])\n"
    r"(?=(?P=margin)[ \t]+\S|[ \t]*(?:A|An|The|In) [a-z])"
)
"""A label on a line of its own: a sentence begins below it, or the text below it stands further in."""
_LIST_MARK = re.compile(r"(?:(?:[-*+•>]|\d{1,2}[.)])\s+|\[[\w ]{1,20}\]\s*)+")
_MARKUP = re.compile(r"\*\*|__|`|\[(?:\d{1,3}|[a-z]|citation needed|edit)\]|\{\{[^{}]*\}\}")
_BRACKETS = re.compile(r"\s*(?:\([^()]{0,200}\)|\[[^\[\]]{0,60}\])")
_CONNECTIVE = re.compile(
    r"(?:However|Moreover|Furthermore|Therefore|Thus|Hence|Nevertheless|Meanwhile|Also|In addition|In fact|Indeed"
    r"|Today|Historically|Traditionally|Officially|Generally|Finally|Eventually|Originally), "
)
numbers = re.compile(r"\d+(?:[.,]\d+)*").findall
_ASKING = frozenset(
    """what which who whom whose when where why how which explain define describe compare long many much far old name
    qué quién cuándo dónde cómo cuál por was wer wann wo wie warum quand où comment pourquoi qui""".split()  # noqa: SIM905
)


class Sentence(NamedTuple):
    """`text == chunk[start:end]`, without white space at either end."""

    start: int
    end: int
    text: str

    @property
    def plain(self) -> str:
        """On one line, without brackets, markup and an opening "However,"."""
        text = _BRACKETS.sub("", _MARKUP.sub("", " ".join(self.text.split())))
        text = re.sub(r"\s+(['’]s\b|[,.;:?!])", r"\1", text)
        found = _CONNECTIVE.match(text)
        return text if found is None else text[found.end() :][:1].upper() + text[found.end() + 1 :]


@lru_cache(maxsize=512)
def sentences(chunk: str) -> tuple[Sentence, ...]:
    """The sentences, headings, list items and table rows of `chunk`, in order."""
    cuts = {0, len(chunk), *sentence_starts(chunk, guess_language(chunk) or "en")}
    for pattern in (_LINE, _TITLE, _NOTE):
        cuts.update(place for found in pattern.finditer(chunk) for place in found.span())
    found: list[Sentence] = []
    for start, end in pairwise(sorted(cuts)):
        piece = chunk[start:end]
        first = len(piece) - len(piece.lstrip())
        if mark := _LIST_MARK.match(piece, first):
            first = mark.end()
        if text := piece[first:].strip():
            found.append(Sentence(start + first, start + first + len(text), text))
    return tuple(found)


@lru_cache(maxsize=4096)
def content(text: str) -> tuple[str, ...]:
    """Stems of the words that carry meaning, in order."""
    return tuple(word for word in content_words(text, "en") if word not in FUNCTION_WORDS and word not in _ASKING)


def names(query: str) -> set[str]:
    """Stems of the capitalised words after the first."""
    return {word for name in re.findall(r"(?<=[\w,] )[A-ZÀ-Þ][\w'’-]+", query) for word in content(name)}


def share(part: set[str], whole: set[str]) -> float:
    """How much of `whole` is in `part`; 0 where there is nothing."""
    return len(part & whole) / len(whole) if whole else 0.0


def percent(part: float) -> str:
    """`0.5` as `50 %`."""
    return f"{round(100 * part)} %"
