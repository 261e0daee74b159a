"""The formats of files that are read, one reader each. A text in any other format is read as plain text.

To add a format: a file here with a function, imported and registered below.
"""

import gzip
import zlib
from collections.abc import Callable, Iterator
from pathlib import PurePosixPath
from typing import BinaryIO, cast

from ragset.documents.formats.html import read_epub, read_html
from ragset.documents.formats.office import read_docx, read_pptx
from ragset.documents.formats.opened import Opened, Read
from ragset.documents.formats.pdf import read_pdf
from ragset.documents.formats.rst import read_rst
from ragset.documents.formats.tables import read_json, read_json_lines, read_table
from ragset.documents.formats.text import read_asciidoc, read_markdown, read_notebook, read_text
from ragset.errors import DocumentError
from ragset.settings.registry import Registry

__all__ = ["READERS", "Opened", "Read", "Reader", "is_table", "read_file"]

Reader = Callable[[Opened], Iterator[Read | DocumentError]]
"""Yields the texts of a file, unreadable ones as errors; raises a DocumentError for a whole file that cannot be read."""

WORD, POWERPOINT = (".docx", ".docm"), (".pptx", ".pptm", ".ppsx")
OFFICE = {*WORD, *POWERPOINT}

READERS = Registry[Reader]("file formats")  # by extension, in lower case

for _reader, _kinds in (
    (read_text, (".txt", ".text", ".org", ".tex", ".log", "")),
    (read_markdown, (".md", ".markdown", ".mdx")),
    (read_rst, (".rst", ".rest")),
    (read_asciidoc, (".adoc", ".asciidoc")),
    (read_notebook, (".ipynb",)),
    (read_html, (".html", ".htm", ".xhtml")),
    (read_pdf, (".pdf",)),
    (read_docx, WORD),
    (read_pptx, POWERPOINT),
    (read_epub, (".epub",)),
    (read_json, (".json",)),
    (read_json_lines, (".jsonl", ".ndjson")),
    (read_table, (".csv", ".tsv")),
):
    for _kind in _kinds:
        READERS.add(_kind, _reader)

_BINARY_OFFICE = (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", b"{\\rtf")  # how files of Office before 2007, and RTF, begin
_UNREAD = {
    *(".dotx", ".xlsx", ".xlsm", ".doc", ".xls", ".ppt", ".rtf"),
    *(".odt", ".ods", ".odp", ".mobi", ".pages", ".numbers", ".key"),
}


def is_table(kind: str) -> bool:
    """Whether each row of such a file is a document, so that limits are for rows."""
    return READERS.get(kind) in {read_json_lines, read_table}


def read_file(opened: Opened) -> Iterator[Read | DocumentError]:
    """The texts of a file, by what it begins with, else by its extension; of a packed one (.gz), those of what it holds."""
    head = opened.file.read(4_096)
    opened.file.seek(0)
    if head.startswith(b"\x1f\x8b"):
        yield from _unpacked(opened)
        return
    yield from _reader_of(opened, head)(opened)


def _unpacked(opened: Opened) -> Iterator[Read | DocumentError]:
    kind = PurePosixPath(opened.source.removesuffix(".gz")).suffix.lower()
    try:
        with gzip.open(opened.file) as file:
            yield from read_file(opened._replace(file=cast("BinaryIO", file), kind=kind))
    except (gzip.BadGzipFile, EOFError, zlib.error):
        raise DocumentError(opened.source, "damaged .gz; pack it again") from None


def _reader_of(opened: Opened, head: bytes) -> Reader:
    if opened.kind == ".pdf" or head.startswith(b"%PDF-"):
        return read_pdf
    packed = head.startswith(b"PK\x03\x04")
    if packed and (opened.kind == ".epub" or b"application/epub+zip" in head[:100]):
        return read_epub
    # The first file in the archive, by which readers tell what it is.
    named = packed and head[30:60].startswith((b"[Content_Types].xml", b"mimetype"))
    # A plain text may have any extension.
    if packed and opened.kind in OFFICE:
        return READERS[opened.kind]
    if head.startswith(_BINARY_OFFICE) or named or (opened.kind in _UNREAD and (packed or b"\0" in head)):
        raise DocumentError(
            opened.source,
            "not a format that is read; save it as PDF, .docx, .pptx, HTML or text, or name a reader of LlamaIndex (`readers`)",
        )
    return read_text if opened.kind in {*OFFICE, ".epub"} and not packed else READERS.get(opened.kind, read_text)
