"""The formats that can be imported; error messages list them, and tests hold the docs and the help to them."""

import logging
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

from ragset.dataset.importers.imported import ImportedSet, SetBuilder
from ragset.dataset.manifest import MANIFEST
from ragset.dataset.read import read_dataset
from ragset.documents.corpus import Corpus
from ragset.errors import InputError
from ragset.models import Document
from ragset.settings.registry import Registry

logger = logging.getLogger(__name__)

Reader = Callable[..., None]
"""Fills a `SetBuilder` from a path, with `documents` where it takes them."""


class Format(NamedTuple):
    """A format of test sets."""

    name: str
    is_: str  # what a person names, and what it holds
    recognises: Callable[[Path], bool]  # whether an existing file or folder has this format
    read: Reader
    takes_documents: bool = False  # whether the contexts are looked for in documents that the caller gives


FORMATS = Registry[Format]("formats of test sets")  # in the order in which they are tried


def importer(
    name: str, is_: str, *, recognises: Callable[[Path], bool], takes_documents: bool = False
) -> Callable[[Reader], Reader]:
    """Register a function `read(path, builder, **options)` as the reader of a format."""
    return FORMATS.of(name, lambda read: Format(name, is_, recognises, read, takes_documents))


def read_goldens(
    path: Path, *, kind: str | None = None, documents: Corpus | Iterable[Document] | None = None
) -> ImportedSet:
    """The goldens and documents of a ragset dataset or of a test set in another format.

    `kind` is one of `FORMATS` or `ragset`; None recognises the format by content. `documents` are where the contexts of a
    table are looked for; without them each context is a document.
    """
    kinds = ("ragset", *FORMATS)
    if kind is not None and kind not in kinds:
        raise InputError(f"there is no kind {kind} of data; choose one of {', '.join(kinds)}")
    if not path.exists():
        raise InputError(f"{path}: there is no such file or folder")
    kind = kind or recognise(path)
    format_ = FORMATS.get(kind)
    if documents is not None and not (format_ and format_.takes_documents):
        raise InputError(f"{path}: data of the kind {kind} bring their own documents; leave out the others")
    if format_ is None:
        dataset = read_dataset(path if path.is_dir() else path.parent)
        return ImportedSet(dataset.goldens, tuple(dataset.corpus), ())
    given = None if documents is None else tuple(documents)
    builder = SetBuilder(given or ())
    format_.read(path, builder, documents=given)
    result = builder.result()
    logger.info("%s: %d goldens, %d problems", path.name, len(result.goldens), len(result.problems))
    return result


def recognise(path: Path) -> str:
    """The name of the format of a file or folder."""
    if path.name == MANIFEST or (path / MANIFEST).is_file():
        return "ragset"
    for format_ in FORMATS.values():
        if format_.recognises(path):
            return format_.name
    raise InputError(f"{path}: is of no kind that can be told; name {known_formats()}")


def known_formats() -> str:
    """What can be named, for messages."""
    known = "; ".join(f"{format_.name}: {format_.is_}" for format_ in FORMATS.values())
    return f"a dataset folder of ragset ({MANIFEST}), or {known}"
