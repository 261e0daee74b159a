"""Quotes found again in the passage they were copied from: exactly, else folded, else approximately."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from rapidfuzz import fuzz

from ragset.models import Chunk, Span, in_reading_order
from ragset.text.context_window import text_of
from ragset.text.languages import guess_language
from ragset.text.sentences import below_headings, sure_sentences

LEAST_SIMILARITY = 90.0  # of 100, by rapidfuzz's partial ratio; below it a quote counts as not found
_LONGEST_SENTENCE = 600  # characters
SHORTEST_FUZZY = 20  # characters; a shorter quote resembles too much by chance

_ELLIPSIS = re.compile(r"\s*(?:\[(?:…|\.{3,})\]|…|\.{3,})\s*")
_NUMBER = re.compile(r"\d+")
_TYPOGRAPHY = str.maketrans(
    {
        "‹": "<", "›": ">", "“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "‘": "'", "’": "'", "‚": "'",
        "–": "-", "—": "-", "‐": "-", "‑": "-", "−": "-",
    }
)  # fmt: skip


def locate(quote: str, chunk: Chunk) -> tuple[Span, ...]:
    """The first place of `quote` in `chunk`: one span, or several around an ellipsis; () if it is not there."""
    quote = quote.strip()
    if whole := _find(quote, chunk.text):
        return (_span(chunk, *whole),)
    pieces = [piece for piece in _ELLIPSIS.split(quote) if piece.strip()]
    if len(pieces) < 2:
        return ()
    found, end = list[Span](), 0
    for piece in pieces:
        # Each after the one before, and whole words: a short piece stands in many places.
        place = _find(piece, chunk.text[end:])
        if place is None or any(_within_word(chunk.text, end + edge) for edge in place):
            return ()
        found.append(_span(chunk, end + place[0], end + place[1]))
        end += place[1]
    return merge(found)


def merge(spans: Iterable[Span]) -> tuple[Span, ...]:
    """The spans in reading order, with those that overlap or touch made one."""
    merged: list[Span] = []
    for span in in_reading_order(spans):
        last = merged[-1] if merged else None
        if last and last.doc_id == span.doc_id and span.start <= last.end:
            merged[-1] = Span(doc_id=span.doc_id, start=last.start, end=max(last.end, span.end))
        else:
            merged.append(Span(doc_id=span.doc_id, start=span.start, end=span.end))
    return tuple(merged)


def whole_sentences(spans: Iterable[Span], chunks: Sequence[Chunk]) -> tuple[Span, ...]:
    """The sentences of the chunks that the spans touch, in reading order, without white space around them.

    What has no end of a sentence for long, such as a table, gives the lines that a span touches.
    """
    found: dict[Span, None] = {}
    for span in merge(spans):
        for chunk in chunks:
            if span.overlap(chunk):
                low, high = max(span.start, chunk.start) - chunk.start, min(span.end, chunk.end) - chunk.start
                for start, end in _sentences_between(chunk.text, low, high):
                    part = chunk.text[start:end]
                    first, last = start + len(part) - len(part.lstrip()), start + len(part.rstrip())
                    if first < last:
                        found[_span(chunk, first, last)] = None
    return merge(found) if _overlapping(found) else tuple(found)


def _overlapping(spans: Iterable[Span]) -> bool:
    ordered = sorted(spans, key=lambda span: (span.doc_id, span.start))
    return any(one.overlap(other) for one, other in pairwise(ordered))


def _sentences_between(text: str, low: int, high: int) -> Iterator[tuple[int, int]]:
    """Where the sentences begin and end that hold characters from `low` to `high`, without headings above `low`."""
    edges = [0]
    for place in sure_sentences(text, guess_language(text) or "en"):
        if _says(text[edges[-1] : place]):
            edges.append(place)
    if len(edges) > 1 and not _says(text[edges[-1] :]):
        edges.pop()
    for start, end in pairwise((*edges, len(text))):
        if start < high and low < end:
            if (below := below_headings(text, start, end)) <= low:
                start = below
            if end - start > _LONGEST_SENTENCE:
                first, last = max(start, low), min(end, high)
                begins = text.rfind("\n", start, first) + 1 or first
                stops = text.find("\n", last, end)
                yield begins, last if stops < 0 else stops
            else:
                yield start, end


def merge_neighbours(spans: Iterable[Span], chunks: Sequence[Chunk]) -> tuple[Span, ...]:
    """As `merge`, also across white space."""
    merged: list[Span] = []
    for span in merge(spans):
        if merged and merged[-1].doc_id == span.doc_id:
            gap = Span(doc_id=span.doc_id, start=merged[-1].end, end=span.start)
            held = any(gap.overlap(chunk) == gap.end - gap.start for chunk in chunks)
            if held and not text_of(gap, chunks).strip():
                merged[-1] = merged[-1].model_copy(update={"end": span.end})
                continue
        merged.append(span)
    return tuple(merged)


def _says(part: str) -> bool:
    return any(map(str.isalpha, part))


def _within_word(text: str, place: int) -> bool:
    return 0 < place < len(text) and text[place - 1].isalnum() and text[place].isalnum()


def _span(chunk: Chunk, start: int, end: int) -> Span:
    return Span(doc_id=chunk.doc_id, start=chunk.start + start, end=chunk.start + end)


def _find(quote: str, text: str) -> tuple[int, int] | None:
    if not quote:
        return None
    start = text.find(quote)
    if start >= 0:
        return start, start + len(quote)
    (folded, places), (wanted, _) = _fold(text), _fold(quote)
    wanted = wanted.strip('"') or wanted
    start = folded.find(wanted) if wanted else -1
    if start >= 0:
        return places[start], places[start + len(wanted) - 1] + 1
    return _find_alike(quote, text)


def _fold(text: str) -> tuple[str, list[int]]:
    """`text` without white space, case and typography, and where each character of it came from."""
    characters, places = list[str](), list[int]()
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
    while _within_word(text, start):
        start -= 1
    while _within_word(text, end):
        end += 1
    start += len(text[start:end]) - len(text[start:end].lstrip())
    end = start + len(text[start:end].rstrip())
    # One digit more or less is a small edit and another fact.
    if start == end or _NUMBER.findall(quote) != _NUMBER.findall(text[start:end]):
        return None
    return start, end
