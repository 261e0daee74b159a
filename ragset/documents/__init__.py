"""Files, folders and web pages to documents: read, cleaned, known by their text."""

import logging
import os
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing, nullcontext
from pathlib import Path
from typing import NamedTuple

from ragset.documents.isolated import Job, Readers
from ragset.documents.web import fetch, is_url
from ragset.errors import DocumentError, InputError
from ragset.models import Document, Model
from ragset.settings import DocumentSettings
from ragset.storage import check_there, local_copy

logger = logging.getLogger(__name__)


File = Job | DocumentError  # what to read and how, or why it cannot be read


class Failure(Model):
    """A file or page that could not be read, and why."""

    source: str
    reason: str


class Reading(NamedTuple):
    """The documents of all sources, and what could not be read."""

    documents: list[Document]  # each text once, in the order of its id
    failures: tuple[Failure, ...]


def check_sources(settings: DocumentSettings) -> None:
    """Raise an InputError if a file or folder is missing; pages are not asked for."""
    for source in settings.sources:
        if not is_url(source):
            check_there(source)


def read_documents(settings: DocumentSettings) -> Reading:
    """Read the documents of all sources; report those that cannot be read, and raise an InputError if none can."""
    failures: list[Failure] = []
    documents = distinct(iterate_documents(settings, failures))
    return Reading(documents, tuple(failures))


def distinct(documents: Iterable[Document]) -> list[Document]:
    """Each text once, with all places that it was found in; in the order of their ids."""
    found: dict[str, Document] = {}
    for document in documents:
        known = found.get(document.id)
        found[document.id] = known.found_at(document.sources) if known else document
    return [found[key] for key in sorted(found)]


def read_files(files: Iterable[File], readers: Readers | None = None) -> Generator[Document | Failure]:
    """The documents of the files, one at a time, and what could not be read of them; `readers` are left open."""
    with nullcontext(readers) if readers else closing(Readers()) as readers:
        for file in files:
            for found in readers.read(file) if isinstance(file, Job) else (file,):
                if isinstance(found, DocumentError):
                    yield Failure(source=found.source, reason=found.reason)
                else:
                    yield Document.of(found.text, source=found.source, title=found.title, metadata=dict(found.metadata))


def iterate_documents(
    settings: DocumentSettings,
    failures: list[Failure],
    read: Callable[[Iterable[File]], Generator[Document | Failure]] = read_files,
) -> Generator[Document]:
    """As `read_documents`, one document at a time: a text that was found in several places comes several times.

    What cannot be read is added to `failures`. `read` reads the files of the sources, as `read_files` does.
    """
    check_sources(settings)
    count = 0
    with closing(_files(settings)) as files, closing(read(files)) as all_found:
        for found in all_found:
            if isinstance(found, Failure):
                failures.append(found)
                continue
            count += 1
            yield found
    if not count:
        shown = "".join(f"\n  {failure.source}: {failure.reason}" for failure in failures[:10])
        what = f"none of {len(failures)} can be read:{shown}" if failures else "there is no file in it"
        raise InputError(f"no readable document in {', '.join(settings.sources)}: {what}")
    logger.info("%d documents read, %d failed", count, len(failures))


def _files(settings: DocumentSettings) -> Generator[File]:
    for source in settings.sources:
        path = Path(source) if is_url(source) else local_copy(source)
        try:
            if is_url(source):
                page = fetch(source, settings)
                yield _job(page.content, source, page.kind, settings, page.charset)
            elif path.is_dir():
                yield from _folder(path, settings)
            else:
                yield _file(path, _shown(path.name), settings)
        except DocumentError as error:
            yield error


def _job(place: str | bytes, source: str, kind: str, settings: DocumentSettings, charset: str | None = None) -> Job:
    return Job(
        place,
        source,
        kind,
        charset,
        drop_references=settings.drop_references,
        max_bytes=settings.max_bytes,
        text_field=settings.text_field,
        reader=next((one for one in settings.readers if one.extension == kind), None),
        seconds=settings.read_timeout,
    )


def _folder(folder: Path, settings: DocumentSettings) -> Iterator[File]:
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
                yield _file(path, source, settings)
    yield from problems


def _shown(name: str) -> str:
    """A name that can be written down, whatever bytes the file system holds."""
    return os.fsencode(name).decode(errors="replace")


def _file(path: Path, source: str, settings: DocumentSettings) -> File:
    try:
        if not path.is_file():
            return DocumentError(source, "not a file")
    except OSError as error:
        return DocumentError(source, f"unreadable: {error.strerror}")
    return _job(str(path), source, path.suffix.lower(), settings)
