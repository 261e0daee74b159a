"""Plain text and Markdown."""

import re
from collections.abc import Iterator

from ragset.documents.formats.opened import Opened, Read

_HEADING = re.compile(r"^#{1,6}\s+(.+?)\s*#*\s*$|^(.+)\n=+\s*$", re.MULTILINE)
_TITLE = re.compile(r"\s*(\S[^\r\n]{2,78}[^\s.,;:!?])[ \t]*(?:\r?\n){2}")
"""A first line that stands alone and ends like no sentence."""
_MARKUP = re.compile(r"[*_`]|\[([^\]]*)\]\([^)]*\)")


def read_text(opened: Opened) -> Iterator[Read]:
    """A text; its title is a first line that stands alone."""
    text = opened.text()
    found = _TITLE.match(text[:1_000])
    yield _titled(opened, text, found[1] if found else "")


def read_markdown(opened: Opened) -> Iterator[Read]:
    """A Markdown text; its title is the first heading."""
    text = opened.text()
    yield _titled(opened, text, markdown_title(text))


def markdown_title(text: str) -> str:
    """The first heading; empty where there is none."""
    found = _HEADING.search(text[:20_000])
    return _MARKUP.sub(r"\1", (found[1] or found[2]) if found else "").strip()


def _titled(opened: Opened, text: str, title: str) -> Read:
    return Read(opened.source, text, _MARKUP.sub(r"\1", title).strip() or opened.stem)
