import io
import zipfile

import pytest

from ragset.documents.cleaning import clean_text
from ragset.documents.formats import Opened, Read, read_file
from ragset.errors import DocumentError

CONTAINER = """<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>
<rootfile full-path="O/book.opf"/></rootfiles></container>"""
PACKAGE = """<package xmlns="http://www.idpf.org/2007/opf"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:title>The mill book</dc:title></metadata><manifest><item id="b" href="two%20.xhtml" media-type="application/xhtml+xml"/>
<item id="n" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>
<item id="a" href="one.xhtml" media-type="application/xhtml+xml"/></manifest>
<spine><itemref idref="n"/><itemref idref="a"/><itemref idref="b"/></spine></package>"""
CHAPTERS = {
    "O/one.xhtml": '<?xml version="1.0" encoding="utf-8"?><html><head><title>1</title></head><body><h1>Één</h1><p>It turns.</p></body></html>',
    "O/two .xhtml": "<html><body><h1>Two</h1><p>It rings.</p></body></html>",
    "O/nav.xhtml": "<html><body><h1>Contents</h1></body></html>",
}


def read(content: bytes, max_bytes: int = 1_000_000) -> Read:
    [found] = read_file(Opened(io.BytesIO(content), "book.epub", ".epub", None, max_bytes))
    assert isinstance(found, Read)
    return found._replace(text=clean_text(found.text))


def epub(**files: str) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as book:
        book.writestr("mimetype", "application/epub+zip")
        for name, text in {"META-INF/container.xml": CONTAINER, "O/book.opf": PACKAGE, **files}.items():
            book.writestr(name, text)
    return content.getvalue()


def test_the_chapters_of_an_epub_are_read_in_order_without_its_table_of_contents() -> None:
    found = read(epub(**CHAPTERS))
    assert (found.title, found.text) == ("The mill book", "# Één\n\nIt turns.\n\n# Two\n\nIt rings.")


def test_a_damaged_or_an_empty_epub_says_so() -> None:
    with pytest.raises(DocumentError, match=r"damaged EPUB \(KeyError\); convert it anew"):
        read(epub())
    with pytest.raises(DocumentError, match="damaged EPUB"):
        read(epub(**CHAPTERS)[:300])
    with pytest.raises(DocumentError, match="empty: no text in it"):
        read(epub(**dict.fromkeys(CHAPTERS, " ")))


def test_an_epub_larger_than_a_document_may_be_is_not_unpacked() -> None:
    large = {**CHAPTERS, "O/one.xhtml": "<p>tick</p>" * 10_000}
    with pytest.raises(DocumentError, match="too large: its texts have more than `max_bytes`, 100,000"):
        read(epub(**large), 100_000)
