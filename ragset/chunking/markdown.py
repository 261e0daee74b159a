"""Sections of a Markdown text, each with the headings above it."""

import re
from collections.abc import Iterator
from typing import NamedTuple

_FENCE = re.compile(r" {0,3}(```+|~~~+)")
_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*")
_UNDERLINE = re.compile(r" {0,3}(=+|-+)[ \t]*")


class Section(NamedTuple):
    """A half-open stretch of the text from one heading to the next."""

    start: int
    end: int
    headings: tuple[str, ...]
    """Outermost first, its own last."""


def sections(text: str) -> list[Section]:
    """All sections in order; a heading with nothing under it belongs to the section after it."""
    found = list(_headings(text))
    above: list[tuple[int, str]] = []
    parts: list[Section] = []
    first = found[0][0] if found else len(text)
    if text[:first].strip():
        parts.append(Section(0, first, ()))
    opened: int | None = None
    for number, (start, body, level, title) in enumerate(found):
        above = [*(heading for heading in above if heading[0] < level), (level, title)]
        end = found[number + 1][0] if number + 1 < len(found) else len(text)
        opened = start if opened is None else opened
        if text[body:end].strip() or end == len(text):
            parts.append(Section(opened, end, tuple(title for _, title in above if title)))
            opened = None
    return parts


def _headings(text: str) -> Iterator[tuple[int, int, int, str]]:
    """Start, end of the heading itself, level and title of each; none inside fenced code."""
    fence = ""
    place, before, before_text = 0, 0, ""
    for line in text.splitlines(keepends=True):
        stripped = line.rstrip("\n")
        opening = _FENCE.match(stripped)
        if fence:
            if opening and stripped.strip().startswith(fence) and not stripped.strip().strip(fence[0]):
                fence = ""
            stripped = ""
        elif opening:
            fence, stripped = opening[1], ""
        elif heading := _HEADING.fullmatch(stripped):
            yield place, place + len(line), len(heading[1]), (heading[2] or "").strip()
            stripped = ""
        elif (under := _UNDERLINE.fullmatch(stripped)) and _is_title(before_text):
            yield before, place + len(line), 1 if under[1][0] == "=" else 2, before_text.strip()
            stripped = ""
        before, before_text = place, stripped
        place += len(line)


def _is_title(line: str) -> bool:
    return bool(line.strip()) and "|" not in line and not line.startswith(("    ", ">", "- ", "* "))
