"""Documents and slides of Office (.docx, .pptx) as Markdown: headings, lists and tables; each slide is a page."""

import io
from collections.abc import Iterable, Iterator
from typing import Any

from ragset.documents.formats.opened import Opened, Read
from ragset.documents.pages import join_pages
from ragset.errors import DocumentError

_DEEPEST = 6  # level of headings in Markdown


def read_docx(opened: Opened) -> Iterator[Read]:
    """The body of a document, without headers, footers, comments and footnotes."""
    import docx
    from docx.table import Table

    document = _opened(docx.Document, opened)
    blocks: list[str] = []
    for part in document.iter_inner_content():
        if isinstance(part, Table):
            blocks.append(_table(part))
        elif text := part.text.strip():
            blocks.append(_mark(part) + text)
    title = document.core_properties.title or ""
    yield Read(opened.source, "\n\n".join(blocks), title.strip() or opened.stem)


def read_pptx(opened: Opened) -> Iterator[Read]:
    """The slides in their order, each with its title as a heading, and with the speaker's notes."""
    import pptx

    presentation = _opened(pptx.Presentation, opened)
    slides = ["\n\n".join(filter(None, _slide(slide))) for slide in presentation.slides]
    if not any(slides):
        raise DocumentError(opened.source, "empty: no text in it, perhaps pictures of slides; run it through OCR first")
    title = presentation.core_properties.title or ""
    # "PowerPoint Presentation" is what a file is called until somebody gives it a title.
    yield Read(opened.source, join_pages(slides), title.strip().replace("PowerPoint Presentation", "") or opened.stem)


def _opened(reader: Any, opened: Opened) -> Any:
    try:
        return reader(io.BytesIO(opened.content()))
    except DocumentError:
        raise
    except Exception as error:  # the libraries raise nearly anything where a part is missing or wrong
        fault = f"damaged Office file ({type(error).__name__}); open it and save it again"
        raise DocumentError(opened.source, fault) from None


def _mark(paragraph: Any) -> str:
    name = (paragraph.style.name or "") if paragraph.style is not None else ""
    if name == "Title":
        return "# "
    if name.startswith("Heading ") and (level := name.removeprefix("Heading ")).isdecimal():
        return "#" * min(int(level), _DEEPEST) + " "
    return "- " if name.startswith("List") else ""


def _slide(slide: Any) -> Iterator[str]:
    title = slide.shapes.title
    if title is not None and title.text_frame.text.strip():
        yield "# " + " ".join(title.text_frame.text.split())
    # A shape is made anew each time it is asked for; its number stays.
    yield from _shapes(shape for shape in slide.shapes if title is None or shape.shape_id != title.shape_id)
    if slide.has_notes_slide and slide.notes_slide.notes_text_frame is not None:
        yield slide.notes_slide.notes_text_frame.text.strip()


def _shapes(shapes: Iterable[Any]) -> Iterator[str]:
    for shape in shapes:
        if hasattr(shape, "shapes"):
            yield from _shapes(shape.shapes)
        elif getattr(shape, "has_table", False):
            yield _table(shape.table)
        elif shape.has_text_frame:
            lines = (paragraph.text.strip() for paragraph in shape.text_frame.paragraphs)
            yield "\n".join(line for line in lines if line)


def _table(table: Any) -> str:
    rows = [[" ".join(cell.text.split()).replace("|", "\\|") for cell in row.cells] for row in table.rows]
    if not rows:
        return ""
    ruled = [rows[0], ["---"] * len(rows[0]), *rows[1:]]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in ruled)
