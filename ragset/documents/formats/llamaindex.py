"""Files that a reader of LlamaIndex reads, as settings name one for their extension."""

from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import Any

from ragset.documents.formats.opened import Opened, Read
from ragset.documents.pages import join_pages
from ragset.errors import DocumentError, InputError
from ragset.settings import FileReader
from ragset.settings.llamaindex import find_class, make, said

_PAGE = "page_label"  # key of metadata under which readers of LlamaIndex write the page
_OF_THE_FILE = {_PAGE, "file_name", "file_path", "filename", "source", "title", "total_pages"}


def read_with_llamaindex(opened: Opened, reader: FileReader) -> Iterator[Read]:
    """The pages of a file as one document; where they are no pages, each document that the reader makes of it."""
    what = f"reader {reader.llamaindex}"
    try:
        of = find_class(what, "readers", reader.llamaindex)
        if not hasattr(of, "load_data"):
            raise InputError(f"{what}: {of.__name__} is no reader; it has no load_data")
        made = make(what, of, reader.arguments)
    except InputError as error:
        raise DocumentError(opened.source, str(error)) from None
    # The reader wants a path, and a page of the web has none.
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"{PurePosixPath(opened.source).stem[-80:] or 'page'}{opened.kind}"
        path.write_bytes(opened.content())
        try:
            found = list(made.load_data(path))
        except (Exception, SystemExit) as error:  # of code that is not ours
            raise DocumentError(opened.source, f"{what} failed ({said(error)})") from None
    if not found:
        raise DocumentError(opened.source, f"empty: {what} found no text in it")
    if len(found) == 1 or all(_PAGE in one.metadata for one in found):
        text = join_pages(one.text for one in found) if _PAGE in found[0].metadata else found[0].text
        yield Read(opened.source, text, _title(found[0], opened), _plain(found[0]))
        return
    for number, one in enumerate(found, start=1):
        yield Read(f"{opened.source}:{number}", one.text, _title(one, opened), _plain(one))


def _title(of: Any, opened: Opened) -> str:
    title = of.metadata.get("title")
    return title if isinstance(title, str) and title else opened.stem


def _plain(of: Any) -> dict[str, Any]:
    return {
        key: value
        for key, value in of.metadata.items()
        if key not in _OF_THE_FILE and isinstance(value, str | int | float | bool)
    }
