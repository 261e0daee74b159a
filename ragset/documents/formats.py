"""What each format of file holds: texts with titles and metadata, still to be cleaned."""

import io
import logging
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import BinaryIO

from ragset.documents.decoding import decode
from ragset.documents.html import read_html
from ragset.documents.tables import Read, loads, read_json_lines, read_record, read_table
from ragset.errors import DocumentError

TEXTS = {".txt", ".text", ".rst", ".org", ".adoc", ".tex", ".log", ""}
MARKDOWN = {".md", ".markdown", ".mdx"}
HTML = {".html", ".htm", ".xhtml"}
JSON_LINES = {".jsonl", ".ndjson"}
TABLES = {".csv": ",", ".tsv": "\t"}

OFFICE = {
    *(".docx", ".docm", ".dotx", ".xlsx", ".xlsm", ".pptx", ".pptm", ".ppsx", ".doc", ".xls", ".ppt", ".rtf"),
    *(".odt", ".ods", ".odp", ".epub", ".mobi", ".pages", ".numbers", ".key"),
}
"""Of word processors, spreadsheets, slides and e-books."""
_HEAD = 4_096
"""Bytes by which a format is told."""
_ARCHIVE = b"PK\x03\x04"
_COMPOUND = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
"""With which files of Office before 2007 begin."""

_HEADING = re.compile(r"^#{1,6}\s+(.+?)\s*#*\s*$|^(.+)\n=+\s*$", re.MULTILINE)
_TITLE = re.compile(r"\s*()(\S[^\r\n]{2,78}[^\s.,;:!?])[ \t]*(?:\r?\n){2}")
"""A first line that stands alone and ends like no sentence."""
_PAGE_NUMBER = re.compile(
    r"(?P<word>page|seite|página|pág\.|p\.|s\.)?\s*[-–—]?\s*(?P<number>\d{1,4})\s*[-–—]?(?:\s*(?:/|of|von|de|sur)\s*\d{1,4})?",
    re.IGNORECASE,
)
_MOST_FURNITURE = 3
"""Lines at either end of a page: what is longer is text."""


def read_file(
    file: BinaryIO, source: str, kind: str, charset: str | None = None, *, max_bytes: int
) -> Iterator[Read | DocumentError]:
    """The texts of a file; of those that hold several, the bad ones as errors between the good ones.

    `kind` is the extension in lower case. An unknown one is read as plain text if it is text. `max_bytes` is the limit of a
    document: of a row where each row is one, else of the file.

    Raises:
        DocumentError: the whole file cannot be read.
    """
    content = file.read(_HEAD)
    is_pdf = kind == ".pdf" or content.startswith(b"%PDF-")
    if kind in {*JSON_LINES, *TABLES} and not is_pdf and not _is_office(content, kind):
        file.seek(0)
        yield from _rows(file, source, kind, charset, max_bytes)
        return
    size = file.seek(0, io.SEEK_END)
    if size > max_bytes:
        raise DocumentError(
            source, f"too large: {size:,} bytes, and `max_bytes` is {max_bytes:,}; split the file, or raise the limit"
        )
    file.seek(0)
    content = file.read()
    if not content.strip():
        raise DocumentError(source, "empty")
    if is_pdf:
        yield _pdf(content, source)
    elif _is_office(content, kind):
        raise DocumentError(source, "not a format that is read; save it as PDF, HTML or text")
    elif kind == ".json":
        yield from _json(decode(content, source, charset), source)
    elif kind in HTML:
        title, text = read_html(decode(content, source, charset or _declared(content)), source)
        yield Read(source, text, title or _stem(source))
    else:
        text = decode(content, source, charset)
        title = _HEADING.search(text[:20_000]) if kind in MARKDOWN else _TITLE.match(text[:1_000])
        yield Read(source, text, _plain((title[1] or title[2]) if title else "") or _stem(source))


def _rows(
    file: BinaryIO, source: str, kind: str, charset: str | None, max_bytes: int
) -> Iterator[Read | DocumentError]:
    """A document of each row; the limit is for one row, since rows are read one at a time."""
    if kind in JSON_LINES:
        rows = read_json_lines(file, source, charset, max_bytes)
    else:
        rows = read_table(file, source, TABLES[kind], charset, max_bytes)
    first = next(rows, None)
    if first is None:
        raise DocumentError(source, "empty")
    yield first
    yield from rows


def _is_office(content: bytes, kind: str) -> bool:
    """Whether these are bytes of an office program, by what they begin with; a plain text may have any extension."""
    if content.startswith((_COMPOUND, b"{\\rtf")):
        return True
    packed = content.startswith(_ARCHIVE)
    # The first file in the archive, by which readers tell what it is.
    named = packed and content[30:60].startswith((b"[Content_Types].xml", b"mimetype"))
    return named or (kind in OFFICE and (packed or b"\0" in content))


def _pdf(content: bytes, source: str) -> Read:
    from pypdf import PdfReader
    from pypdf.errors import FileNotDecryptedError

    _quiet("pypdf")
    try:
        reader = PdfReader(io.BytesIO(content))
        if reader.is_encrypted and not reader.decrypt(""):
            raise DocumentError(source, "encrypted: it asks for a password; save it without one")
        pages = [page.extract_text() or "" for page in reader.pages]
        title = str((reader.metadata.title if reader.metadata else "") or "").strip()
    except FileNotDecryptedError:
        raise DocumentError(source, "encrypted: it asks for a password; save it without one") from None
    except DocumentError:
        raise
    except Exception as error:  # pypdf raises nearly anything where bytes are wrong
        raise DocumentError(
            source, f"damaged PDF ({type(error).__name__}); open it and print it to a new one"
        ) from None
    text = "\n\n".join(_without_furniture(pages))
    if not text.strip():
        raise DocumentError(source, "empty: no text in it, perhaps scanned pages; run it through OCR first")
    return Read(source, text, title if title.lower() not in {"", "untitled"} else _stem(source))


def _without_furniture(pages: list[str]) -> list[str]:
    """Pages without their numbers, and without the first and last lines that most pages share."""
    lines = [[line for line in page.splitlines() if line.strip()] for page in pages]
    edges = Counter(_edge(line) for page in lines for line in {*page[:1], *page[-1:]})
    common = {edge for edge, times in edges.items() if len(pages) > 1 and times > len(pages) / 2}
    # A number counts pages where it grows with them; any other, such as a year at the end of a page, is text.
    offsets = Counter(
        offset for at, page in enumerate(lines) for offset in {_offset(line, at) for line in (*page[:2], *page[-2:])}
    )
    numbering = {offset for offset, times in offsets.items() if offset is not None and times > 1}

    def is_furniture(line: str, at: int) -> bool:
        found = _PAGE_NUMBER.fullmatch(line.strip())
        if found and not found["word"]:
            return _offset(line, at) in numbering
        return bool(found) or _edge(line) in common

    kept: list[str] = []
    for at, page in enumerate(lines):
        start, end = 0, len(page)
        while start < min(end, _MOST_FURNITURE) and is_furniture(page[start], at):
            start += 1
        while end > max(start, len(page) - _MOST_FURNITURE) and is_furniture(page[end - 1], at):
            end -= 1
        kept.append("\n".join(page[start:end]))
    return kept


def _offset(line: str, at: int) -> int | None:
    """How far the number of a page is ahead of its place; None for other text."""
    found = _PAGE_NUMBER.fullmatch(line.strip())
    return int(found["number"]) - at if found else None


def _edge(line: str) -> str:
    return re.sub(r"\d+", "#", line.strip())


def _declared(content: bytes) -> str | None:
    found = re.search(rb"charset=[\"']?([A-Za-z0-9_-]+)", content[:4096])
    return found[1].decode() if found else None


def _json(text: str, source: str) -> Iterator[Read | DocumentError]:
    try:
        content = loads(text)
    except (ValueError, RecursionError) as error:
        raise DocumentError(source, f"not JSON: {error}") from None
    if isinstance(content, list):
        for number, one in enumerate(content, start=1):
            yield read_record(one, f"{source}:{number}")
    else:
        yield read_record(content, source)


def _plain(title: str) -> str:
    return re.sub(r"[*_`]|\[([^\]]*)\]\([^)]*\)", r"\1", title).strip()


def _stem(source: str) -> str:
    return PurePosixPath(source.split("?")[0]).stem.replace("_", " ").replace("-", " ").strip()


def _quiet(library: str) -> None:
    """What a library cannot read is reported here, once and by name; its own warnings quote the text."""
    logging.getLogger(library).setLevel(logging.CRITICAL)
