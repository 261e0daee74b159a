"""The pages of a document, by page numbers or slides: where each begins in the cleaned text."""

import re
from bisect import bisect_right
from collections.abc import Iterable
from typing import Any

from ragset.models import Document

METADATA = "pages"
"""Key of a document's metadata: for each page, from the first, the character of the text at which it begins."""

# Characters that no script has. Each stands for one number, so that a page that cleaning removes is not missed in counting.
_FIRST, _LAST = 0xF0000, 0xFFFFD
_MARK = re.compile(f"([{chr(_FIRST)}-{chr(_LAST)}])(?:\n\n)?")


def join_pages(pages: Iterable[str]) -> str:
    """The text of all pages, with a mark before each, a paragraph of its own, that `take_page_marks` takes out again."""
    marked = ((chr(min(_FIRST + number, _LAST)), _MARK.sub("", page)) for number, page in enumerate(pages))
    return "\n\n".join(part for pair in marked for part in pair)


def take_page_marks(text: str) -> tuple[str, list[int]]:
    """The cleaned text without the marks, and where each page begins in it; no pages where there is no mark."""
    pieces: list[str] = []
    starts: list[int] = []
    length = place = 0
    for mark in _MARK.finditer(text):
        piece = text[place : mark.start()]
        pieces.append(piece)
        length, place = length + len(piece), mark.end()
        starts += [length] * (ord(mark[1]) - _FIRST + 1 - len(starts))
    whole = "".join((*pieces, text[place:])).rstrip()
    text = whole.lstrip()
    return text, [min(max(0, start - (len(whole) - len(text))), len(text)) for start in starts]


def page_of(document: Document, place: int) -> int | None:
    """The page, from 1, that holds the character at `place`; None of a document without pages."""
    starts: Any = document.metadata.get(METADATA)
    # A field of that name in a table of documents may hold anything.
    if not isinstance(starts, list) or not starts or not all(isinstance(start, int) for start in starts):
        return None
    return max(1, bisect_right(starts, place))
