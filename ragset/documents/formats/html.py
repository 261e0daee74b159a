"""Web pages to their text: the article without navigation and footers, as Markdown."""

import logging
import re
from collections.abc import Iterator
from typing import Any

from ragset.documents.decoding import decode
from ragset.documents.formats.large_page import render
from ragset.documents.formats.opened import Opened, Read
from ragset.errors import DocumentError

_SHORT = 200
"""Characters: of a page with less text than this, all is read."""
_LARGE = 500_000
"""Characters of markup above which trafilatura is not asked: its time grows with the square of the inline elements, and took
minutes on a page of a few megabytes."""


def read_html(opened: Opened) -> Iterator[Read]:
    """The title and the main text of a page.

    Raises:
        DocumentError: there is no text in it.
    """
    content = opened.content()
    text = decode(content, opened.source, opened.charset or _declared(content))
    tree = _parsed(text, opened.source)
    title = " ".join((tree.findtext(".//title") or tree.findtext(".//h1") or "").split())
    main = render(tree) if len(text) > _LARGE else _extracted(text)
    if len(main) < _SHORT:
        tree = _parsed(text, opened.source)
        for hidden in tree.xpath("//script|//style|//noscript|//template|//nav|//head"):
            hidden.drop_tree()
        whole = "\n".join(line.strip() for line in tree.text_content().splitlines())
        main = whole if len(whole.strip()) > len(main) else main
    yield Read(opened.source, main, title or opened.stem)


def _declared(content: bytes) -> str | None:
    """The encoding that the page names."""
    found = re.search(rb"charset=[\"']?([A-Za-z0-9_-]+)", content[:4096])
    return found[1].decode() if found else None


def _extracted(text: str) -> str:
    import trafilatura

    # What it cannot read is reported once and by name; its own warnings quote the text.
    logging.getLogger("trafilatura").setLevel(logging.CRITICAL)
    return trafilatura.extract(text, output_format="markdown", include_comments=False, favor_recall=True) or ""


def _parsed(text: str, source: str) -> Any:
    from lxml import html
    from lxml.etree import ParserError, XMLSyntaxError

    # `huge_tree`: a text of more than 10 MB in one element would else be cut off without a word.
    try:
        parser = html.HTMLParser(encoding=None, no_network=True, huge_tree=True)
        return html.document_fromstring(text.replace("\0", ""), parser=parser)
    except (ParserError, XMLSyntaxError, ValueError):
        try:
            parser = html.HTMLParser(encoding="utf-8", no_network=True, huge_tree=True)
            return html.document_fromstring(text.encode(), parser=parser)
        except (ParserError, XMLSyntaxError, ValueError):
            raise DocumentError(source, "empty: no text in it") from None
