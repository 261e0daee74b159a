"""Plain text and Markdown, and what becomes Markdown: AsciiDoc, and Jupyter notebooks without their output."""

import re
from collections.abc import Iterator
from typing import Any

from ragset.documents.formats.opened import Opened, Read
from ragset.documents.formats.tables import loads
from ragset.errors import DocumentError

_ASCIIDOC_HEADING = re.compile(r"(={1,6}) +(\S.*?)(?: +\1)?")
_SOURCE = re.compile(r"\[source(?:%\w+)*(?:,\s*(?P<language>[\w+-]+))?.*\]|\[listing\]")
_SILENT = re.compile(
    r":!?[\w-]+!?:(?: .*)?|//(?!/).*|\[\[[^\]]*\]\]|\[[#.%][^\]]*\]|include::.*|(?:image|toc|ifdef|ifndef|endif)::.*"
)
"""Attributes, comments, anchors and directives on a line of their own."""
_NOTE = re.compile(r"\[(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\]")
_FENCE = re.compile(r"(-|\.|`|/){4,}|```\w*")
_REFERENCE = re.compile(r"<<[^<>,]+,([^<>]+)>>|xref:[^\s\[\]]+\[([^\]]+)\]")
_LINK = re.compile(r"(?:link:)?((?:https?://|link:)?[^\s\[\]<>]*?[/.][^\s\[\]<>]*)\[([^\]]+)\]")


def read_asciidoc(opened: Opened) -> Iterator[Read]:
    """A text in AsciiDoc; its title is the first heading."""
    out: list[str] = []
    title = language = fence = ""
    for line in map(str.rstrip, opened.text().splitlines()):
        heading = _ASCIIDOC_HEADING.fullmatch(line)
        if fence:
            closed = line == fence
            out += [] if fence.startswith("/") else ["```" if closed else line]
            fence = "" if closed else fence
        elif _FENCE.fullmatch(line):
            fence = "```" if line.startswith("```") else line
            out += [] if line.startswith("/") else [f"```{language or line.lstrip('`-.')}"]
            language = ""
        elif source := _SOURCE.fullmatch(line):
            language = source["language"] or ""
        elif note := _NOTE.fullmatch(line):
            out.append(f"{note[1].capitalize()}:")
        elif heading:
            out += [f"{'#' * len(heading[1])} {heading[2]}", ""]
            title = title or heading[2]
        elif not _SILENT.fullmatch(line):
            out.append(_LINK.sub(r"[\2](\1)", _REFERENCE.sub(lambda found: found[1] or found[2], line)))
    yield Read(opened.source, "\n".join(out), title or opened.stem)


def read_notebook(opened: Opened) -> Iterator[Read]:
    """The cells in their order; the title is the first heading."""
    try:
        notebook = loads(opened.text())
        language = notebook.get("metadata", {}).get("language_info", {}).get("name", "python")
        cells = [*_cells(notebook["cells"], language)]
    except (ValueError, RecursionError, KeyError, TypeError, AttributeError):
        raise DocumentError(opened.source, "not a notebook of format 4; open it in Jupyter and save it again") from None
    text = "\n\n".join(cells)
    yield Read(opened.source, text, markdown_title(text) or opened.stem)


def _cells(cells: list[Any], language: str) -> Iterator[str]:
    for cell in cells:
        source = cell["source"] if isinstance(cell["source"], str) else "".join(cell["source"])
        if source.strip():
            yield f"```{language}\n{source}\n```" if cell["cell_type"] == "code" else source


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
