"""The formats of files that are read, one reader each. A text in any other format is read as plain text.

To add a format: a file here with a function, imported and registered below.
"""

from collections.abc import Callable, Iterator

from ragset.documents.formats.html import read_html
from ragset.documents.formats.opened import Opened, Read
from ragset.documents.formats.pdf import read_pdf
from ragset.documents.formats.tables import read_json, read_json_lines, read_table
from ragset.documents.formats.text import read_markdown, read_text
from ragset.errors import DocumentError
from ragset.settings.registry import Registry

__all__ = ["READERS", "Opened", "Read", "Reader", "is_table", "read_file"]

Reader = Callable[[Opened], Iterator[Read | DocumentError]]
"""Yields the texts of a file, unreadable ones as errors; raises a DocumentError for a whole file that cannot be read."""

READERS = Registry[Reader]("file formats")  # by extension, in lower case

for _reader, _kinds in (
    (read_text, (".txt", ".text", ".rst", ".org", ".adoc", ".tex", ".log", "")),
    (read_markdown, (".md", ".markdown", ".mdx")),
    (read_html, (".html", ".htm", ".xhtml")),
    (read_pdf, (".pdf",)),
    (read_json, (".json",)),
    (read_json_lines, (".jsonl", ".ndjson")),
    (read_table, (".csv", ".tsv")),
):
    for _kind in _kinds:
        READERS.add(_kind, _reader)

_BINARY_OFFICE = (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", b"{\\rtf")  # how files of Office before 2007, and RTF, begin
_OFFICE = {
    *(".docx", ".docm", ".dotx", ".xlsx", ".xlsm", ".pptx", ".pptm", ".ppsx", ".doc", ".xls", ".ppt", ".rtf"),
    *(".odt", ".ods", ".odp", ".epub", ".mobi", ".pages", ".numbers", ".key"),
}


def is_table(kind: str) -> bool:
    """Whether each row of such a file is a document, so that limits are for rows."""
    return READERS.get(kind) in {read_json_lines, read_table}


def read_file(opened: Opened) -> Iterator[Read | DocumentError]:
    """The texts of a file, by what it begins with, else by its extension."""
    head = opened.file.read(4_096)
    opened.file.seek(0)
    if opened.kind == ".pdf" or head.startswith(b"%PDF-"):
        return read_pdf(opened)
    packed = head.startswith(b"PK\x03\x04")
    # The first file in the archive, by which readers tell what it is.
    named = packed and head[30:60].startswith((b"[Content_Types].xml", b"mimetype"))
    # A plain text may have any extension.
    if head.startswith(_BINARY_OFFICE) or named or (opened.kind in _OFFICE and (packed or b"\0" in head)):
        raise DocumentError(opened.source, "not a format that is read; save it as PDF, HTML or text")
    return READERS.get(opened.kind, read_text)(opened)
