"""PDF files."""

import io
import logging
import re
from collections import Counter
from collections.abc import Iterator

from ragset.documents.formats.opened import Opened, Read
from ragset.documents.pages import join_pages
from ragset.errors import DocumentError

_PAGE_NUMBER = re.compile(
    r"(?P<word>page|seite|página|pág\.|p\.|s\.)?\s*[-–—]?\s*(?P<number>\d{1,4})\s*[-–—]?(?:\s*(?:/|of|von|de|sur)\s*\d{1,4})?",
    re.IGNORECASE,
)
_MOST_FURNITURE = 3  # lines at either end of a page: what is longer is text


def read_pdf(opened: Opened) -> Iterator[Read]:
    """The text of all pages, without page numbers and the lines that most pages begin or end with."""
    from pypdf import PdfReader
    from pypdf.errors import FileNotDecryptedError

    # What it cannot read is reported once and by name; its own warnings quote the text.
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    source = opened.source
    try:
        reader = PdfReader(io.BytesIO(opened.content()))
        if reader.is_encrypted and not reader.decrypt(""):
            raise FileNotDecryptedError
        pages = [page.extract_text() or "" for page in reader.pages]
        title = str((reader.metadata.title if reader.metadata else "") or "").strip()
    except FileNotDecryptedError:
        raise DocumentError(source, "encrypted: it asks for a password; save it without one") from None
    except DocumentError:
        raise
    except Exception as error:  # pypdf raises nearly anything where bytes are wrong
        fault = f"damaged PDF ({type(error).__name__}); open it and print it to a new one"
        raise DocumentError(source, fault) from None
    kept = _without_furniture(pages)
    if not any(kept):
        raise DocumentError(source, "empty: no text in it, perhaps scanned pages; run it through OCR first")
    yield Read(source, join_pages(kept), title if title.lower() not in {"", "untitled"} else opened.stem)


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
