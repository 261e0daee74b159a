"""Sections of a Markdown text with the headings above them, and the tables and code that should stay whole.

Headings as wikis write them (`== Title ==`, `= = Title = =`) count too.
"""

import re
from bisect import bisect_left, bisect_right
from functools import cache
from itertools import accumulate, takewhile
from typing import TYPE_CHECKING, NamedTuple

from ragset.text.sentences import WIKI_HEADING

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

_FRONT_MATTER = re.compile(
    r"---[ \t]*\n(?:(?!---[ \t]*\n|\.\.\.[ \t]*\n|[ \t]*\n).*+\n)*+(?:---|\.\.\.)[ \t]*(?:\n|\Z)"
)
_WIKI_HEADING = re.compile(f"^{WIKI_HEADING}$", re.MULTILINE)
_CODE = re.compile(r" {0,3}<(?:pre|script|style|textarea|!--)", re.IGNORECASE)


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


@cache
def _parser() -> "MarkdownIt":
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark").enable("table").disable("inline")


def _is_title(line: str, markup: str) -> bool:
    """Whether it is one line, and no heading of a wiki with a rule of dashes under it."""
    return "\n" not in line and not (markup in {"=", "-"} and _WIKI_HEADING.fullmatch(line))


def outline(text: str) -> Outline:
    """The sections and the blocks of a Markdown text."""
    matter = _FRONT_MATTER.match(text)
    first = matter.end() if matter else 0
    starts = [*accumulate((len(line) + 1 for line in text[first:].split("\n")), initial=first)]
    headings: list[_Heading] = []
    blocks: list[tuple[int, int]] = []
    tokens = _parser().parse(text[first:].replace("\r", " "))
    for number, token in enumerate(tokens):
        start, end = (starts[token.map[0]], starts[token.map[1]] - 1) if token.map else (0, 0)
        if token.type == "heading_open" and token.level == 0 and _is_title(tokens[number + 1].content, token.markup):
            headings.append(_Heading(start, end, int(token.tag[1]), tokens[number + 1].content.strip()))
        elif token.type in {"fence", "table_open"} or (token.type == "html_block" and _CODE.match(token.content)):
            content = text[start:end]
            blocks.append((start + len(content) - len(content.lstrip()), start + len(content.rstrip())))
    for match in _WIKI_HEADING.finditer(text, first):
        block = bisect_right(blocks, match.start(), key=lambda block: block[0]) - 1
        if block < 0 or blocks[block][1] <= match.start():
            headings.append(_Heading(match.start(), match.end(), match["marks"].count("="), match["title"]))
    return Outline(_sections(text, sorted(headings)), blocks)


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
