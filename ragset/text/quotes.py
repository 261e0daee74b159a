"""Quotes found again in the passage they were copied from, as spans of the document.

Models copy nearly to the letter: they close up line breaks, straighten quotation marks, leave out the middle
with an ellipsis. A quote is looked for exactly, then without regard to white space, case and typography, then
approximately; what is found is a span, so the evidence of a golden is always the document's own words.
"""

import re
from collections.abc import Iterable

from rapidfuzz import fuzz

from ragset.models import Chunk, Span

LEAST_SIMILARITY = 90.0
"""Of 100, by rapidfuzz's partial ratio; below it a quote counts as not found."""
SHORTEST_FUZZY = 20
"""Characters; a shorter quote resembles too much by chance."""

_ELLIPSIS = re.compile(r"\s*(?:\[(?:…|\.{3,})\]|…|\.{3,})\s*")
_NUMBER = re.compile(r"\d+")
_TYPOGRAPHY = str.maketrans(
    {
        "‹": "<", "›": ">", "“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "‘": "'", "’": "'", "‚": "'",
        "–": "-", "—": "-", "‐": "-", "‑": "-", "−": "-",
    }
)  # fmt: skip


def locate(quote: str, chunk: Chunk) -> tuple[Span, ...]:
    """Where `quote` stands in the document of `chunk`: one span, or several around an ellipsis; () if it does not.

    Of several places the first. Only the chunk's own text is searched.
    """
    quote = quote.strip()
    whole = _find(quote, chunk.text)
    if whole:
        return (_span(chunk, *whole),)
    pieces = [piece for piece in _ELLIPSIS.split(quote) if piece.strip()]
    if len(pieces) < 2:
        return ()
    found: list[Span] = []
    end = 0
    for piece in pieces:
        # Each after the one before, and whole words: a short piece stands in many places.
        place = _find(piece, chunk.text[end:])
        if place is None or not _is_whole(chunk.text, end + place[0], end + place[1]):
            return ()
        found.append(_span(chunk, end + place[0], end + place[1]))
        end += place[1]
    return merge(found)


def merge(spans: Iterable[Span]) -> tuple[Span, ...]:
    """The same characters in reading order, with spans that overlap or touch made one."""
    merged: list[Span] = []
    for span in sorted(spans, key=lambda span: (span.doc_id, span.start, span.end)):
        last = merged[-1] if merged else None
        if last and last.doc_id == span.doc_id and span.start <= last.end:
            merged[-1] = Span(doc_id=span.doc_id, start=last.start, end=max(last.end, span.end))
        else:
            merged.append(Span(doc_id=span.doc_id, start=span.start, end=span.end))
    return tuple(merged)


def _is_whole(text: str, start: int, end: int) -> bool:
    """Whether no word is cut at either end."""
    before = start > 0 and text[start - 1].isalnum() and text[start].isalnum()
    after = end < len(text) and text[end - 1].isalnum() and text[end].isalnum()
    return not before and not after


def _span(chunk: Chunk, start: int, end: int) -> Span:
    return Span(doc_id=chunk.doc_id, start=chunk.start + start, end=chunk.start + end)


def _find(quote: str, text: str) -> tuple[int, int] | None:
    if not quote:
        return None
    start = text.find(quote)
    if start >= 0:
        return start, start + len(quote)
    folded, places = _fold(text)
    wanted, _ = _fold(quote)
    wanted = wanted.strip('"') or wanted
    start = folded.find(wanted) if wanted else -1
    if start >= 0:
        return places[start], places[start + len(wanted) - 1] + 1
    return _find_alike(quote, text)


def _fold(text: str) -> tuple[str, list[int]]:
    """`text` without white space, case and typography, and where each character of it came from."""
    characters: list[str] = []
    places: list[int] = []
    for place, character in enumerate(text.translate(_TYPOGRAPHY)):
        if not character.isspace():
            for lower in character.lower():
                characters.append(lower)
                places.append(place)
    return "".join(characters), places


def _find_alike(quote: str, text: str) -> tuple[int, int] | None:
    """The whole words of `text` that resemble the quote, with the same numbers in the same order."""
    if not SHORTEST_FUZZY <= len(quote) <= len(text) + SHORTEST_FUZZY:
        return None
    alignment = fuzz.partial_ratio_alignment(quote, text, score_cutoff=LEAST_SIMILARITY)
    if alignment is None or alignment.dest_end <= alignment.dest_start:
        return None
    start, end = alignment.dest_start, alignment.dest_end
    while start > 0 and text[start - 1].isalnum() and text[start].isalnum():
        start -= 1
    while end < len(text) and text[end].isalnum() and text[end - 1].isalnum():
        end += 1
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    # One digit more or less is a small edit and another fact.
    if start == end or _NUMBER.findall(quote) != _NUMBER.findall(text[start:end]):
        return None
    return start, end
