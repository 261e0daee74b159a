"""AsciiDoc, notebooks and EPUB."""

import io
import json
import zipfile
from typing import Any

import pytest

from ragset.documents.cleaning import clean_text
from ragset.documents.formats import Opened, Read, read_file
from ragset.errors import DocumentError

ADOC = """\
= The mill
Ada Finch <ada@mill.example>
:toc:

// a comment
[[wheel]]
== The wheel

The wheel was built in 1904; see https://town.example/mill[the town] and <<bell,the bell>>.

[source,sh]
----
mill --turn  # twice
= no heading
----

[NOTE]
Oil the pivots.
"""
CONTAINER = """<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>
<rootfile full-path="O/book.opf"/></rootfiles></container>"""
PACKAGE = """<package xmlns="http://www.idpf.org/2007/opf"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:title>The mill book</dc:title></metadata><manifest><item id="b" href="two%20.xhtml" media-type="application/xhtml+xml"/>
<item id="n" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>
<item id="a" href="one.xhtml" media-type="application/xhtml+xml"/></manifest>
<spine><itemref idref="n"/><itemref idref="a"/><itemref idref="b"/></spine></package>"""


def read(content: bytes, name: str, max_bytes: int = 1_000_000) -> Read:
    [found] = read_file(Opened(io.BytesIO(content), name, "." + name.rpartition(".")[2], None, max_bytes))
    assert isinstance(found, Read)
    return found._replace(text=clean_text(found.text))


def epub(**files: str) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as book:
        book.writestr("mimetype", "application/epub+zip")
        for name, text in {"META-INF/container.xml": CONTAINER, "O/book.opf": PACKAGE, **files}.items():
            book.writestr(name, text)
    return content.getvalue()


CHAPTERS = {
    "O/one.xhtml": '<?xml version="1.0" encoding="utf-8"?><html><head><title>1</title></head><body><h1>Één</h1><p>It turns.</p></body></html>',
    "O/two .xhtml": "<html><body><h1>Two</h1><p>It rings.</p></body></html>",
    "O/nav.xhtml": "<html><body><h1>Contents</h1></body></html>",
}


def test_asciidoc_is_read_as_markdown() -> None:
    found = read(ADOC.encode(), "mill.adoc")
    assert found.title == "The mill"
    assert found.text == (
        "# The mill\n\nAda Finch <ada@mill.example>\n\n## The wheel\n\nThe wheel was built in 1904; see "
        "[the town](https://town.example/mill) and the bell.\n\n```sh\nmill --turn  # twice\n= no heading\n```\n\n"
        "Note:\nOil the pivots."
    )


def test_a_notebook_is_its_cells_without_output() -> None:
    cells: list[dict[str, Any]] = [
        {"cell_type": "markdown", "source": ["# Wheel\n", "\n", "It turns."]},
        {"cell_type": "code", "source": "turn(2)", "outputs": [{"text": "done"}]},
        {"cell_type": "code", "source": []},
    ]
    notebook = {"metadata": {"language_info": {"name": "julia"}}, "cells": cells}
    found = read(json.dumps(notebook).encode(), "a.ipynb")
    assert (found.title, found.text) == ("Wheel", "# Wheel\n\nIt turns.\n\n```julia\nturn(2)\n```")


@pytest.mark.parametrize("content", ["[]", "{}", '{"cells": 3}', '{"cells": [{}]}', "# no JSON"])
def test_what_is_no_notebook_says_so(content: str) -> None:
    with pytest.raises(DocumentError, match="not a notebook of format 4"):
        read(content.encode(), "a.ipynb")


def test_the_chapters_of_an_epub_are_read_in_order_without_its_table_of_contents() -> None:
    found = read(epub(**CHAPTERS), "book.epub")
    assert (found.title, found.text) == ("The mill book", "# Één\n\nIt turns.\n\n# Two\n\nIt rings.")


def test_a_damaged_or_an_empty_epub_says_so() -> None:
    with pytest.raises(DocumentError, match=r"damaged EPUB \(KeyError\); convert it anew"):
        read(epub(), "book.epub")
    with pytest.raises(DocumentError, match="damaged EPUB"):
        read(epub(**CHAPTERS)[:300], "book.epub")
    with pytest.raises(DocumentError, match="empty: no text in it"):
        read(epub(**dict.fromkeys(CHAPTERS, " ")), "book.epub")


def test_an_epub_larger_than_a_document_may_be_is_not_unpacked() -> None:
    large = {**CHAPTERS, "O/one.xhtml": "<p>tick</p>" * 10_000}
    with pytest.raises(DocumentError, match="too large: its texts have more than `max_bytes`, 100,000"):
        read(epub(**large), "book.epub", 100_000)
