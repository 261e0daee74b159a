"""What stands around a passage: the characters on either side, its paragraph, and the sentences that hold it."""

import re

from ragset.models import Span
from ragset.text.languages import guess_language
from ragset.text.sentences import sentences

_AROUND = 100
"""Characters on either side that are compared."""
_FURTHEST = 2_000
"""Characters on either side in which a sentence begins and ends."""
_LISTED = re.compile(r"^[ \t]*(?:[-*+•–]|\d{1,3}[.)])[ \t]+\S|^[^\n]*[|\t]", re.MULTILINE)
"""An item of a list or a row of a table, which says little without the others."""
_HEADING = re.compile(r"#{1,6}[ \t]+(?:\d+[.)]?)*[ \t]*(?=\S)")
_BLANK = "\n\n"


def around(text: str, span: Span) -> tuple[str, str]:
    """What stands before and behind it, with single blanks."""
    before, after = text[max(0, span.start - 2 * _AROUND) : span.start], text[span.end : span.end + 2 * _AROUND]
    return _folded(before)[-_AROUND:], _folded(after)[:_AROUND]


def alike(one: str, other: str) -> float | None:
    """0 to 1; None where there is nothing on either side."""
    from rapidfuzz import fuzz

    return fuzz.ratio(one, other) / 100 if one or other else None


def paragraph(text: str, span: Span) -> str:
    """That holds it, with single blanks."""
    start, end = _bounds(text, span)
    return _folded(text[start:end])


def sentence(text: str, span: Span) -> str:
    """The sentences that hold it, with single blanks, below a heading right above or a line that leads up to them.

    A list or a table counts as one sentence.
    """
    start, end = _bounds(text, span)
    above = _above(text, start)
    start, end = max(start, span.start - _FURTHEST), min(end, span.end + _FURTHEST)
    if not _LISTED.search(text, start, end):
        begin = [start, *_begin(text, start, end), end]
        start = max(place for place in begin if place <= span.start)
        end = min(place for place in begin if place >= span.end)
    return _folded(f"{above} {text[start:end]}")


def _bounds(text: str, span: Span) -> tuple[int, int]:
    start = text.rfind(_BLANK, 0, span.start) + 1
    end = text.find(_BLANK, span.end)
    return start, end if end >= 0 else len(text)


def _above(text: str, start: int) -> str:
    """The line above a paragraph, where it is a heading, without its number, or leads up to what follows."""
    before = text[max(0, start - _FURTHEST) : start].rstrip()
    line = before[before.rfind("\n") + 1 :]
    if heading := _HEADING.match(line):
        return line[heading.end() :]
    return line if line.endswith(":") else ""


def _begin(text: str, start: int, end: int) -> list[int]:
    """Where sentences begin, the first apart; not behind "e.g." and "No.", which more of the sentence follows."""
    part = text[start:end]
    places = sentences(part, guess_language(part) or "en")
    return [start + place for place in places if not (part[place].islower() or part[place].isdigit())]


def _folded(text: str) -> str:
    return " ".join(text.split())
