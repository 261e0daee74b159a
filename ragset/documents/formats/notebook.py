"""Jupyter notebooks as Markdown: the text of their cells and the code between, without its output."""

from collections.abc import Iterator
from typing import Any

from ragset.documents.formats.opened import Opened, Read
from ragset.documents.formats.tables import loads
from ragset.documents.formats.text import markdown_title
from ragset.errors import DocumentError


def read_notebook(opened: Opened) -> Iterator[Read]:
    """The cells in their order; the title is the first heading."""
    try:
        notebook = loads(opened.text())
        language = notebook.get("metadata", {}).get("language_info", {}).get("name", "python")
        cells = [*_cells(notebook["cells"], language)]
    except (ValueError, RecursionError, KeyError, TypeError, AttributeError):
        raise DocumentError(opened.source, "not a notebook of format 4; open it in Jupyter and save it again") from None
    text = "\n\n".join(cells)
    yield Read(opened.source, text, markdown_title(text) or opened.stem)


def _cells(cells: list[Any], language: str) -> Iterator[str]:
    for cell in cells:
        source = cell["source"] if isinstance(cell["source"], str) else "".join(cell["source"])
        if source.strip():
            yield f"```{language}\n{source}\n```" if cell["cell_type"] == "code" else source
