"""Sections of a Markdown text with the headings above them, and the tables and code that should stay whole.

The block structure of CommonMark 0.31 and GitHub's tables: code, HTML, tables and the front matter hold no headings. Headings
as wikis write them (`== Title ==`, `= = Title = =`) count too.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable
from itertools import takewhile
from typing import NamedTuple

_FENCE = re.compile(r" {0,3}(?P<mark>`{3,}(?!.*`)|~{3,})")
_HEADING = re.compile(r" {0,3}(?P<marks>#{1,6})(?:[ \t]+(?P<title>.*))?")
_WIKI_HEADING = re.compile(r" {0,3}(?P<marks>=(?: ?=){0,5}) ?(?P<title>[^=\s](?:.*[^=\s])?) ?(?P=marks)[ \t]*")
_UNDERLINE = re.compile(r" {0,3}(=+|-+)[ \t]*")
# Possessive, so that no line takes more than its length in steps.
_DELIMITERS = re.compile(r" {0,3}(?:\|[ \t]*+)?:?-++:?[ \t]*+(?:\|[ \t]*+:?-++:?[ \t]*+)*+(?:\|[ \t]*+)?")
_HTML = re.compile(r" {0,3}<(?:(?P<tag>pre|script|style|textarea)(?=[\s>]|$)|!--)", re.IGNORECASE)
_RULE = re.compile(r" {0,3}([-*_=])(?:[ \t]*+\1)*+[ \t]*+")
_LINE = re.compile(r"^.*$", re.MULTILINE)
_CONTAINER = re.compile(r" {4}|\t| {0,3}(?:>|[-+*][ \t]|\d{1,9}[.)][ \t])")


class Section(NamedTuple):
    """A half-open stretch of the text from one heading to the next."""

    start: int
    end: int
    headings: tuple[str, ...]  # outermost first, its own last


class Outline(NamedTuple):
    """What Markdown says of a text, in reading order."""

    sections: list[Section]  # all of the text; a heading with nothing under it belongs to the section after it
    blocks: list[tuple[int, int]]  # half-open stretches of tables and of code, without white space at either end

    def headings(self, start: int, end: int) -> tuple[str, ...]:
        """The headings above all of a stretch, outermost first."""
        low = max(0, bisect_right(self.sections, start, key=lambda section: section.start) - 1)
        high = bisect_left(self.sections, end, key=lambda section: section.start)
        above = [section.headings for section in self.sections[low:high]]
        same = takewhile(lambda level: len(set(level)) == 1, zip(*above, strict=False))
        return tuple(level[0] for level in same)


class _Heading(NamedTuple):
    start: int
    end: int
    level: int
    title: str


class _Line(NamedTuple):
    start: int
    end: int  # without the line end
    text: str


def outline(text: str) -> Outline:
    """The sections and the blocks of a Markdown text."""
    headings: list[_Heading] = []
    blocks: list[tuple[int, int]] = []
    # Lines of the paragraph until now; None in a list, quotation or indented code, which no underline makes a title.
    paragraph: int | None = 0
    lines = [_Line(match.start(), match.end(), match[0]) for match in _LINE.finditer(text)]
    number = _behind_front_matter(lines)
    while number < len(lines):
        line = lines[number]
        last = _end_of_block(lines, number)
        if last is not None:
            content = text[line.start : lines[last].end]
            blocks.append((line.start + len(content) - len(content.lstrip()), line.start + len(content.rstrip())))
            number, paragraph = last, 0
        elif match := _HEADING.fullmatch(line.text):
            headings.append(_Heading(line.start, line.end, len(match["marks"]), _without_marks(match["title"] or "")))
            paragraph = 0
        elif match := _WIKI_HEADING.fullmatch(line.text):
            headings.append(_Heading(line.start, line.end, match["marks"].count("="), match["title"]))
            paragraph = 0
        elif paragraph == 1 and (match := _UNDERLINE.fullmatch(line.text)):
            title = lines[number - 1]
            headings.append(_Heading(title.start, line.end, 1 if match[1][0] == "=" else 2, title.text.strip()))
            paragraph = 0
        elif not line.text.strip() or _RULE.fullmatch(line.text):
            paragraph = 0
        elif not paragraph and _CONTAINER.match(line.text):
            paragraph = None
        elif paragraph is not None:
            paragraph += 1
        number += 1
    return Outline(_sections(text, headings), blocks)


def _sections(text: str, headings: list[_Heading]) -> list[Section]:
    first = headings[0].start if headings else len(text)
    parts = [Section(0, first, ())] if text[:first].strip() else []
    above: list[_Heading] = []
    opened: int | None = None
    ends = [*(heading.start for heading in headings[1:]), len(text)]
    for heading, end in zip(headings, ends, strict=False):
        above = [*(other for other in above if other.level < heading.level), heading]
        opened = heading.start if opened is None else opened
        if text[heading.end : end].strip() or end == len(text):
            parts.append(Section(opened, end, tuple(other.title for other in above if other.title)))
            opened = None
    return parts


def _without_marks(title: str) -> str:
    """`Title ##` is `Title`, and `C#` stays."""
    title = title.strip()
    bare = title.rstrip("#")
    return title if bare and not bare[-1].isspace() else bare.rstrip()


def _behind_front_matter(lines: list[_Line]) -> int:
    if lines[0].text.rstrip() != "---":
        return 0
    for number, line in enumerate(lines[1:], 1):
        if line.text.rstrip() in {"---", "..."}:
            return number + 1
        if not line.text.strip():
            break
    return 0


def _end_of_block(lines: list[_Line], number: int) -> int | None:
    """The last line of the code, the HTML or the table that begins in this one; None where none does."""
    line = lines[number].text
    if match := _FENCE.match(line):
        mark = match["mark"]
        closing = re.compile(rf" {{0,3}}{mark[0]}{{{len(mark)},}}[ \t]*")
        return min(_first(lines, number + 1, lambda text: bool(closing.fullmatch(text))), len(lines) - 1)
    if match := _HTML.match(line):
        closing_tag = f"</{match['tag'].lower()}>" if match["tag"] else "-->"
        return min(_first(lines, number, lambda text: closing_tag in text.lower()), len(lines) - 1)
    if "|" in line and number + 1 < len(lines):
        under = lines[number + 1].text
        if "|" in under and _DELIMITERS.fullmatch(under):
            return _first(lines, number + 2, _ends_table) - 1
    return None


def _first(lines: list[_Line], number: int, is_it: Callable[[str], bool]) -> int:
    return next((at for at in range(number, len(lines)) if is_it(lines[at].text)), len(lines))


def _ends_table(line: str) -> bool:
    return not line.strip() or bool(_HEADING.fullmatch(line) or _FENCE.match(line) or line.lstrip().startswith(">"))
