"""Web pages to their text, the article without navigation and footers, as Markdown; and the chapters of books in EPUB."""

import io
import logging
import posixpath
import re
import zipfile
from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote

from ragset.documents.formats.opened import Opened, Read, decode
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

    package = next(_part(book, _CONTAINER).iter("{*}rootfile")).get("full-path")
    opf = _part(book, package)
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


def _part(book: zipfile.ZipFile, name: str) -> Any:
    from lxml.etree import XMLParser, fromstring

    return fromstring(book.read(name), XMLParser(resolve_entities=False, no_network=True))


_SHORT = 200  # characters: of a page with less text than this, all is read
_LARGE = 500_000
"""Characters of markup above which trafilatura, whose time grows with the square of the inline elements, is not asked."""
_HIDDEN = ("script", "style", "noscript", "template", "nav", "head")
_MARKS = {**{f"h{level}": "#" * level + " " for level in range(1, 7)}, "li": "- ", "td": "| ", "th": "| "}
_SPACE = re.compile(r"\s+")
_APART = {
    *("h1", "h2", "h3", "h4", "h5", "h6", "p", "div", "section", "article", "main", "blockquote", "pre"),
    *("ul", "ol", "dl", "table", "figure"),
}  # after which comes an empty line
_LINES = {*_APART, "li", "dt", "dd", "tr"}  # each begins a line


def read_html(opened: Opened) -> Iterator[Read]:
    """The title and the main text of a page."""
    content = opened.content()
    declared = re.search(rb"charset=[\"']?([A-Za-z0-9_-]+)", content[:4096])
    text = decode(content, opened.source, opened.charset or (declared[1].decode() if declared else None))
    tree = _parsed(text, opened.source)
    title = " ".join((tree.findtext(".//title") or tree.findtext(".//h1") or "").split())
    main = render(tree) if len(text) > _LARGE else _extracted(text)
    if len(main) < _SHORT:
        tree = _parsed(text, opened.source)
        _drop(tree, _HIDDEN)
        whole = "\n".join(line.strip() for line in tree.text_content().splitlines())
        main = whole if len(whole.strip()) > len(main) else main
    yield Read(opened.source, main, title or opened.stem)


def render(page: Any) -> str:
    """The text of a parsed page with headings, lists and rows of tables as in Markdown, in linear time."""
    from lxml.etree import iterwalk

    _drop(page, (*_HIDDEN, "footer", "aside", "menu", "svg", "form", "button", "select", "iframe", "dialog"))
    main = page.find(".//main")
    pieces: list[str] = []
    for event, part in iterwalk(page if main is None else main, events=("start", "end", "comment", "pi")):
        if event == "start":
            gap = "\n" if part.tag in _LINES else ""
            words = part.text or ""
            words = words if part.tag == "pre" else _SPACE.sub(" ", words)
            pieces.append(f"{gap}{_MARKS.get(part.tag, '')}{words}")
        else:
            gap = "\n\n" if part.tag in _APART else "\n" if part.tag == "br" else ""
            pieces.append(gap + _SPACE.sub(" ", part.tail or ""))
    text = re.sub(r" *\n(?: (?! ))?", "\n", "".join(pieces))
    return re.sub(r"\n{3,}", "\n\n", text).strip()


def _drop(tree: Any, tags: tuple[str, ...]) -> None:
    for part in tree.xpath("|".join(f"//{tag}" for tag in tags)):
        part.drop_tree()


def _extracted(text: str) -> str:
    import trafilatura

    # What it cannot read is reported once and by name; its own warnings quote the text.
    logging.getLogger("trafilatura").setLevel(logging.CRITICAL)
    return trafilatura.extract(text, output_format="markdown", include_comments=False, favor_recall=True) or ""


def _parsed(text: str, source: str) -> Any:
    from lxml import html
    from lxml.etree import ParserError, XMLSyntaxError

    # With a declaration of its encoding lxml takes bytes alone.
    for content, encoding in ((text.replace("\0", ""), None), (text.encode(), "utf-8")):
        try:
            # `huge_tree`: a text of more than 10 MB in one element would else be cut off without a word.
            parser = html.HTMLParser(encoding=encoding, no_network=True, huge_tree=True)
            return html.document_fromstring(content, parser=parser)
        except (ParserError, XMLSyntaxError, ValueError):
            continue
    raise DocumentError(source, "empty: no text in it")
