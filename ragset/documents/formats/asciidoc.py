"""AsciiDoc as Markdown: headings, code blocks and the words of links; without attributes and comments."""

import re
from collections.abc import Iterator

from ragset.documents.formats.opened import Opened, Read

_HEADING = re.compile(r"(={1,6}) +(\S.*?)(?: +\1)?")
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
        heading = _HEADING.fullmatch(line)
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
