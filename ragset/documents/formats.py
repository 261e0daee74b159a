"""What each format of file holds: texts with titles and metadata, still to be cleaned."""

import csv
import io
import json
import logging
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any, NamedTuple

from ragset.documents.decoding import decode
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
_MISSING_TEXT = "has no field `text`; name the field that holds the text so"


class Read(NamedTuple):
    """One text of a file."""

    source: str
    text: str
    title: str = ""
    metadata: Mapping[str, Any] = {}


def read_file(content: bytes, source: str, kind: str, charset: str | None = None) -> Iterator[Read | DocumentError]:
    """The texts of a file; of those that hold several, the bad ones as errors between the good ones.

    `kind` is the extension in lower case. An unknown one is read as plain text if it is text.

    Raises:
        DocumentError: the whole file cannot be read.
    """
    if kind == ".pdf" or content.startswith(b"%PDF-"):
        yield _pdf(content, source)
    elif _is_office(content, kind):
        raise DocumentError(source, "not a format that is read; save it as PDF, HTML or text")
    elif kind in JSON_LINES:
        yield from _json_lines(decode(content, source, charset), source)
    elif kind == ".json":
        yield from _json(decode(content, source, charset), source)
    elif kind in TABLES:
        yield from _table(decode(content, source, charset), source, TABLES[kind])
    elif kind in HTML:
        yield _html(decode(content, source, charset or _declared(content)), source)
    else:
        text = decode(content, source, charset)
        title = _HEADING.search(text[:20_000]) if kind in MARKDOWN else _TITLE.match(text[:1_000])
        yield Read(source, text, _plain((title[1] or title[2]) if title else "") or _stem(source))


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


def _html(text: str, source: str) -> Read:
    import trafilatura
    from lxml import html
    from lxml.etree import ParserError, XMLSyntaxError

    _quiet("trafilatura")
    try:
        tree = html.document_fromstring(text.replace("\0", ""), parser=html.HTMLParser(encoding=None, no_network=True))
    except (ParserError, XMLSyntaxError, ValueError):
        try:
            tree = html.document_fromstring(text.encode(), parser=html.HTMLParser(encoding="utf-8", no_network=True))
        except (ParserError, XMLSyntaxError, ValueError):
            raise DocumentError(source, "empty: no text in it") from None
    title = " ".join((tree.findtext(".//title") or tree.findtext(".//h1") or "").split())
    main = trafilatura.extract(text, output_format="markdown", include_comments=False, favor_recall=True) or ""
    if len(main) < 200:
        for hidden in tree.xpath("//script|//style|//noscript|//template|//nav|//head"):
            hidden.drop_tree()
        whole = "\n".join(line.strip() for line in tree.text_content().splitlines())
        main = whole if len(whole.strip()) > len(main) else main
    return Read(source, main, title or _stem(source))


def _declared(content: bytes) -> str | None:
    found = re.search(rb"charset=[\"']?([A-Za-z0-9_-]+)", content[:4096])
    return found[1].decode() if found else None


def _json_lines(text: str, source: str) -> Iterator[Read | DocumentError]:
    for number, line in enumerate(re.split(r"\r\n?|\n", text), start=1):
        if line.strip():
            place = f"{source}:{number}"
            try:
                record = _loads(line)
            except (ValueError, RecursionError) as error:
                yield DocumentError(place, f"not JSON: {error}")
            else:
                yield _record(record, place)


def _json(text: str, source: str) -> Iterator[Read | DocumentError]:
    try:
        content = _loads(text)
    except (ValueError, RecursionError) as error:
        raise DocumentError(source, f"not JSON: {error}") from None
    if isinstance(content, list):
        for number, record in enumerate(content, start=1):
            yield _record(record, f"{source}:{number}")
    else:
        yield _record(content, source)


def _loads(text: str) -> Any:
    """JSON without what it can name and no file can hold: NaN is null, and half of a surrogate pair a `?`."""
    value = json.loads(text, parse_constant=lambda _: None)
    return json.loads(json.dumps(value, ensure_ascii=False).encode(errors="replace")) if "\\u" in text else value


def _table(text: str, source: str, delimiter: str) -> Iterator[Read | DocumentError]:
    csv.field_size_limit(sys.maxsize)
    rows = csv.DictReader(io.StringIO(text.replace("\0", ""), newline=""), delimiter=delimiter)
    if "text" not in (rows.fieldnames or ()):
        raise DocumentError(source, f"{_MISSING_TEXT} (its columns: {', '.join(rows.fieldnames or ()) or 'none'})")
    try:
        for number, row in enumerate(rows, start=2):
            fields = {name: value for name, value in row.items() if name is not None}
            yield _record(fields, f"{source}:{number}")
    except csv.Error as error:
        yield DocumentError(source, f"line {rows.line_num}: {error}")


def _record(record: Any, source: str) -> Read | DocumentError:
    text = record.get("text") if isinstance(record, dict) else None
    if not isinstance(text, str):
        return DocumentError(source, _MISSING_TEXT)
    title = record.get("title")
    metadata = {name: value for name, value in record.items() if name not in {"text", "title"} and value is not None}
    return Read(source, text, title if isinstance(title, str) else "", metadata)


def _plain(title: str) -> str:
    return re.sub(r"[*_`]|\[([^\]]*)\]\([^)]*\)", r"\1", title).strip()


def _stem(source: str) -> str:
    return PurePosixPath(source.split("?")[0]).stem.replace("_", " ").replace("-", " ").strip()


def _quiet(library: str) -> None:
    """What a library cannot read is reported here, once and by name; its own warnings quote the text."""
    logging.getLogger(library).setLevel(logging.CRITICAL)
