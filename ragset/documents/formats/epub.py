"""Books in EPUB: their chapters in reading order, as Markdown."""

import io
import posixpath
import zipfile
from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote

from ragset.documents.formats.html import render
from ragset.documents.formats.opened import Opened, Read
from ragset.errors import DocumentError

_CONTAINER = "META-INF/container.xml"


def read_epub(opened: Opened) -> Iterator[Read]:
    """The text of the spine, with the title of the book; without covers, notes on fonts and styles."""
    try:
        with zipfile.ZipFile(io.BytesIO(opened.content())) as book:
            unpacked = sum(
                one.file_size for one in book.infolist() if one.filename.endswith(("html", "htm", "xml", "opf"))
            )
            if unpacked > opened.max_bytes:
                raise DocumentError(
                    opened.source, f"too large: its texts have more than `max_bytes`, {opened.max_bytes:,}"
                )
            title, chapters = _read(book)
    except DocumentError:
        raise
    except Exception as error:  # the libraries raise nearly anything where a part is missing or wrong
        raise DocumentError(opened.source, f"damaged EPUB ({type(error).__name__}); convert it anew") from None
    if not any(chapters):
        raise DocumentError(opened.source, "empty: no text in it, perhaps pictures of pages or copy protection")
    yield Read(opened.source, "\n\n".join(filter(None, chapters)), title or opened.stem)


def _read(book: zipfile.ZipFile) -> tuple[str, list[str]]:
    from lxml import html

    package = next(_parsed(book, _CONTAINER).iter("{*}rootfile")).get("full-path")
    opf = _parsed(book, package)
    title = next((one.text or "" for one in opf.iter("{http://purl.org/dc/elements/1.1/}title")), "")
    items = {item.get("id"): item for item in opf.iter("{*}item")}
    chapters: list[str] = []
    for reference in opf.iter("{*}itemref"):
        item = items[reference.get("idref")]
        # The table of contents repeats the headings.
        if "html" in item.get("media-type", "") and "nav" not in item.get("properties", "").split():
            place = posixpath.normpath(posixpath.join(posixpath.dirname(package), unquote(item.get("href"))))
            page = book.read(place)
            parser = html.HTMLParser(encoding="utf-8", no_network=True, huge_tree=True)
            chapters.append(render(html.document_fromstring(page, parser=parser)) if page.strip() else "")
    return " ".join(title.split()), chapters


def _parsed(book: zipfile.ZipFile, name: str) -> Any:
    from lxml.etree import XMLParser, fromstring

    return fromstring(book.read(name), XMLParser(resolve_entities=False, no_network=True))
