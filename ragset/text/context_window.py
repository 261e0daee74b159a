"""What stands around a passage: the characters on either side, its paragraph, and the sentences that hold it."""

import re

from ragset.models import Span
from ragset.text.languages import guess_language
from ragset.text.sentences import sentences

_AROUND = 100
"""Characters on either side that are compared."""
_FURTHEST = 2_000
"""Characters on either side in which a sentence begins and ends."""
_ITEM = re.compile(r"^(?P<in>[ \t]*)(?:[-*+•–]|\d{1,3}[.)])[ \t]+(?=\S)|^(?=[^\n]*[|\t])", re.MULTILINE)
"""Where an item of a list or a row of a table begins: no sentence goes on from one to the next."""
_HEADING = re.compile(r"#{1,6}[ \t]+(?:\d+[.)]?)*[ \t]*(?=\S)")
_BLANK = "\n\n"


def around(text: str, span: Span) -> tuple[str, str]:
    """What stands before and behind it, with single blanks."""
    before, after = text[max(0, span.start - 2 * _AROUND) : span.start], text[span.end : span.end + 2 * _AROUND]
    return " ".join(before.split())[-_AROUND:], " ".join(after.split())[:_AROUND]


def alike(one: str, other: str) -> float | None:
    """0 to 1; None where there is nothing on either side."""
    from rapidfuzz import fuzz

    return fuzz.ratio(one, other) / 100 if one or other else None


def paragraph(text: str, span: Span) -> str:
    """That holds it, with single blanks."""
    start, end = _bounds(text, span)
    return _folded(text[start:end])


def sentence(text: str, span: Span) -> str:
    """The sentences that hold it, with single blanks, and what they are said under.

    That is the row of titles of a table, what leads up to a list and the items that an item belongs to, and a heading right above.
    """
    start, end = _bounds(text, span)
    above = _above(text, start)
    items = list(_ITEM.finditer(text, start, end))
    own = next((item for item in reversed(items) if item.start() <= span.start), None)
    first = items[0].start() if items else end
    if own is None:
        return _folded(f"{above} {_holding(text, start, min(first, max(end, span.end)), span)}")
    stop = next((item.start() for item in items if item.start() >= span.end), end)
    lead = _last(text[start:first]) or above
    belongs = [text[item.end() : _line_end(text, item.end())] for item in _higher(items, own)]
    return _folded(" ".join([lead, *belongs, _holding(text, own.end(), stop, span)]))


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
    return _last(line) if line.endswith(":") else ""


def _higher(items: list[re.Match[str]], own: re.Match[str]) -> list[re.Match[str]]:
    """The items that it belongs to, first to last; of the row of a table its titles."""
    if own["in"] is None:
        rows = items[: items.index(own)]
        return [rows[0]] if rows and rows[0]["in"] is None else []
    found: list[re.Match[str]] = []
    depth = len(own["in"])
    for item in reversed(items[: items.index(own)]):
        if item["in"] is not None and len(item["in"]) < depth:
            found.insert(0, item)
            depth = len(item["in"])
    return found


def _holding(text: str, start: int, end: int, span: Span) -> str:
    """The sentences between these places that share characters with the span."""
    start, end = max(start, span.start - _FURTHEST), min(max(end, span.end), span.end + _FURTHEST)
    start = min(start, span.start)
    places = [start, *(start + place for place in _begin(text[start:end])), end]
    first = max(place for place in places if place <= span.start)
    return text[first : min(place for place in places if place >= span.end)]


def _last(text: str) -> str:
    """The last sentence."""
    tail = text[-_FURTHEST:].rstrip()
    return tail[max([0, *_begin(tail)]) :]


def _begin(text: str) -> list[int]:
    """Where sentences begin, the first apart; not behind "e.g." and "No.", which more of the sentence follows."""
    places = sentences(text, guess_language(text) or "en")
    return [place for place in places if not (text[place].islower() or text[place].isdigit())]


def _line_end(text: str, start: int) -> int:
    end = text.find("\n", start)
    return end if end >= 0 else len(text)


def _folded(text: str) -> str:
    return " ".join(text.split())
