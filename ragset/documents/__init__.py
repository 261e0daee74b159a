"""Files, folders and web pages to documents: read, cleaned, known by their text."""

import logging
import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from ragset.documents.cleaning import clean_text
from ragset.documents.formats import Read, read_file
from ragset.documents.web import fetch, is_url
from ragset.errors import DocumentError, InputError
from ragset.models import Document, Model
from ragset.settings import DocumentSettings

__all__ = ["Failure", "Reading", "check_sources", "clean_text", "read_documents"]

logger = logging.getLogger(__name__)


class Failure(Model):
    """A file or page that could not be read, and why."""

    source: str
    reason: str


class Reading(NamedTuple):
    """What was found."""

    documents: list[Document]
    """Each text once, in the order of its id."""
    failures: tuple[Failure, ...]


def check_sources(settings: DocumentSettings) -> None:
    """Return if every file and folder is there; pages are not asked for.

    Raises:
        InputError: one is not.
    """
    for source in settings.sources:
        if not is_url(source) and not Path(source).exists():
            raise InputError(f"{source}: there is no such file or folder")


def read_documents(settings: DocumentSettings) -> Reading:
    """All documents of the sources; what cannot be read is reported, and the others go on.

    Raises:
        InputError: a source that is not there, or no readable document at all.
    """
    check_sources(settings)
    documents: dict[str, Document] = {}
    failures: list[Failure] = []
    for found in _found(settings):
        if isinstance(found, Read):
            text = clean_text(found.text, drop_references=settings.drop_references)
            if text:
                _add(documents, found, text)
                continue
            found = DocumentError(found.source, "empty: no text in it")
        failures.append(Failure(source=found.source, reason=found.reason))
    if not documents:
        shown = "".join(f"\n  {failure.source}: {failure.reason}" for failure in failures[:10])
        what = f"none of {len(failures)} can be read:{shown}" if failures else "there is no file in it"
        raise InputError(f"no readable document in {', '.join(settings.sources)}: {what}")
    logger.info("%d documents read, %d failed", len(documents), len(failures))
    return Reading([documents[key] for key in sorted(documents)], tuple(failures))


def _add(documents: dict[str, Document], found: Read, text: str) -> None:
    title = " ".join(clean_text(found.title).split())[:300].rstrip()
    document = Document.of(text, source=found.source, title=title, metadata=dict(found.metadata))
    known = documents.get(document.id)
    if known:
        sources = tuple(sorted({*known.sources, found.source}))
        document = known.model_copy(update={"sources": sources})
    documents[document.id] = document


def _found(settings: DocumentSettings) -> Iterator[Read | DocumentError]:
    for source in settings.sources:
        if is_url(source):
            yield from _page(source, settings)
            continue
        path = Path(source)
        if path.is_dir():
            yield from _folder(path, settings)
        else:
            yield from _file(path, _shown(path.name), settings)


def _page(url: str, settings: DocumentSettings) -> Iterator[Read | DocumentError]:
    try:
        page = fetch(url, settings)
        yield from read_file(page.content, url, page.kind, page.charset)
    except DocumentError as error:
        yield error


def _folder(folder: Path, settings: DocumentSettings) -> Iterator[Read | DocumentError]:
    """Every file below, by name; hidden ones are left out, and links that lead out of the folder reported."""
    root = Path(os.path.realpath(folder))
    problems: list[DocumentError] = []

    def unreadable(error: OSError) -> None:
        problems.append(DocumentError(_shown(os.path.relpath(error.filename, folder)), f"unreadable: {error.strerror}"))

    for place, folders, names in os.walk(folder, onerror=unreadable):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        links = [name for name in folders if (Path(place) / name).is_symlink()]
        for name in sorted([*links, *(name for name in names if not name.startswith("."))]):
            path = Path(place) / name
            source = _shown(path.relative_to(folder).as_posix())
            # Not `Path.resolve`, which raises where a link leads to itself.
            if path.is_symlink() and not Path(os.path.realpath(path)).is_relative_to(root):
                yield DocumentError(source, "a link out of the folder, which is not followed")
            elif name not in links:
                yield from _file(path, source, settings)
    yield from problems


def _shown(name: str) -> str:
    """A name that can be written down, whatever bytes the file system holds."""
    return os.fsencode(name).decode(errors="replace")


def _file(path: Path, source: str, settings: DocumentSettings) -> Iterator[Read | DocumentError]:
    try:
        if not path.is_file():
            raise DocumentError(source, "not a file")
        size = path.stat().st_size
        if size > settings.max_bytes:
            raise DocumentError(source, f"too large: {size:,} bytes, and `max_bytes` is {settings.max_bytes:,}")
        content = path.read_bytes()
        if not content.strip():
            raise DocumentError(source, "empty")
        yield from read_file(content, source, path.suffix.lower())
    except DocumentError as error:
        yield error
    except OSError as error:
        yield DocumentError(source, f"unreadable: {error.strerror}")
