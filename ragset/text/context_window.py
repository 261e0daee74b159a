"""What stands around a passage: the characters on either side, its paragraph, and the sentences that hold it."""

import re
from collections.abc import Callable, Iterable

from ragset.models import Candidate, Chunk, Document, Span
from ragset.text.languages import guess_language
from ragset.text.sentences import sure_sentences

_BEFORE, _AFTER = 800, 600  # characters that a judge of a chunk sees around it
_AROUND = 100  # characters on either side that are compared
_FURTHEST = 2_000  # characters on either side in which a sentence begins and ends
# An item of a list or a row of a table says little without the others.
_LISTED = re.compile(r"^[ \t]*(?:[-*+•–]|\d{1,3}[.)])[ \t]+\S|^[^\n]*[|\t]", re.MULTILINE)
_HEADING = re.compile(r"#{1,6}[ \t]+(?:\d+[.)]?)*[ \t]*(?=\S)")
_BLANK = "\n\n"


def text_of(span: Span, chunks: Iterable[Chunk]) -> str:
    """The text of a span, put together from the chunks that hold it; spaces where no chunk holds it."""
    text, end = "", span.start
    ours = (chunk for chunk in chunks if chunk.doc_id == span.doc_id)
    for chunk in sorted(ours, key=lambda chunk: (chunk.start, chunk.end)):
        start = max(end, chunk.start)
        if start < min(span.end, chunk.end):
            text += " " * (start - end) + chunk.text[start - chunk.start : span.end - chunk.start]
            end = min(span.end, chunk.end)
    return text + " " * (span.end - end)


def in_place(candidate: Candidate, document: Callable[[str], Document]) -> Candidate:
    """The candidate with what stands around each of its chunks in the document of that id."""
    beside = (surroundings(document(chunk.doc_id).text, chunk) for chunk in candidate.chunks)
    pairs = zip(candidate.chunks, beside, strict=True)
    chunks = (chunk.model_copy(update={"before": before, "after": after}) for chunk, (before, after) in pairs)
    return candidate.model_copy(update={"chunks": tuple(chunks)})


def surroundings(text: str, span: Span) -> tuple[str, str]:
    """What a judge sees of the text in front of the span and behind it."""
    before, after = text[max(0, span.start - _BEFORE) : span.start], text[span.end : span.end + _AFTER]
    return f"…{before}" if span.start > _BEFORE else before, f"{after}…" if span.end + _AFTER < len(text) else after


def around(text: str, span: Span) -> tuple[str, str]:
    """The characters before and behind it, with single blanks."""
    before, after = text[max(0, span.start - 2 * _AROUND) : span.start], text[span.end : span.end + 2 * _AROUND]
    return _folded(before)[-_AROUND:], _folded(after)[:_AROUND]


def alike(one: str, other: str) -> float | None:
    """The similarity of two texts, 0 to 1; None if both are empty."""
    from rapidfuzz import fuzz

    return fuzz.ratio(one, other) / 100 if one or other else None


def paragraph(text: str, span: Span) -> str:
    """The paragraph that holds it, with single blanks."""
    return _folded(text[slice(*_bounds(text, span))])


def sentence(text: str, span: Span) -> str:
    """The sentences that hold it, with single blanks, below a heading right above or a line that leads up to them.

    A list or a table counts as one sentence.
    """
    start, end = _bounds(text, span)
    above = _line_above(text, start)
    start, end = max(start, span.start - _FURTHEST), min(end, span.end + _FURTHEST)
    if not _LISTED.search(text, start, end):
        part = text[start:end]
        begins = [start + place for place in sure_sentences(part, guess_language(part) or "en")]
        edges = [start, *begins, end]
        start = max(place for place in edges if place <= span.start)
        end = min(place for place in edges if place >= span.end)
    return _folded(f"{above} {text[start:end]}")


def _bounds(text: str, span: Span) -> tuple[int, int]:
    start = text.rfind(_BLANK, 0, span.start) + 1
    end = text.find(_BLANK, span.end)
    return start, end if end >= 0 else len(text)


def _line_above(text: str, start: int) -> str:
    """The line above a paragraph if it is a heading, without its number, or ends with a colon."""
    before = text[max(0, start - _FURTHEST) : start].rstrip()
    line = before[before.rfind("\n") + 1 :]
    if heading := _HEADING.match(line):
        return line[heading.end() :]
    return line if line.endswith(":") else ""


def _folded(text: str) -> str:
    return " ".join(text.split())
