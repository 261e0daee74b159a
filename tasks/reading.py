"""Files read and cleaned by the workers of a run."""

from collections.abc import Generator, Iterable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import NamedTuple

from ragset.documents import Failure, File, read_files
from ragset.documents.corpus import parse_documents, write_documents
from ragset.documents.isolated import Job, Readers
from ragset.errors import InputError
from ragset.models import Document
from ragset.storage import address_of, local_copy
from tasks.run.threads import in_thread
from tasks.workers.ahead import by_size, in_order
from tasks.workers.parts import opened_part, write_part

_SLAB = 4_000_000  # bytes of files that a worker reads together
_A_FILE = 16_000  # bytes that take as long to read as it takes to open a file


_idle: list[Readers] = []  # of this process, which start once: that takes as long as reading a slab


class _Sent(NamedTuple):
    file: File
    address: str | None  # of which the file is a copy


class _ReadSlab(NamedTuple):
    part: str  # its documents
    failures: list[Failure]


def read_on_workers(files: Iterable[File]) -> Generator[Document | Failure]:
    """As `ragset.documents.read_files`, by the workers of the run; the documents come in parts of a file."""
    with closing(in_order(read_slab, ((slab,) for slab in by_size(map(_sent, files), _size, _SLAB)))) as done:
        for part, failures in done:
            yield from failures
            with opened_part(part) as file:
                yield from parse_documents(file)


async def read_slab(slab: list[_Sent]) -> _ReadSlab:
    """`ragset.documents.read_files` in a worker."""
    return await in_thread(_read_slab, slab)


def _read_slab(slab: list[_Sent]) -> _ReadSlab:
    failures: list[Failure] = []
    readers = _idle.pop() if _idle else Readers()

    def documents() -> Iterator[Document]:
        with closing(read_files(map(_here, slab), readers)) as found:
            for one in found:
                if isinstance(one, Failure):
                    failures.append(one)
                else:
                    yield one

    try:
        part = write_part(lambda file: write_documents(file, documents()))
    finally:
        _idle.append(readers)
    return _ReadSlab(part, failures)


def _here(sent: _Sent) -> File:
    """The file where it is on this machine."""
    file = sent.file
    if not isinstance(file, Job) or isinstance(file.place, bytes) or Path(file.place).exists():
        return file
    if sent.address:
        return file._replace(place=str(local_copy(sent.address)))
    if not (folder := Path(file.place).parent).exists():
        raise InputError(
            f"{folder}: a worker on another machine has no such folder; mount it there, or name documents at an address such "
            "as s3://bucket/folder"
        )
    return file


def _sent(file: File) -> _Sent:
    place = file.place if isinstance(file, Job) else ""
    return _Sent(file, address_of(Path(place)) if isinstance(place, str) and place else None)


def _size(sent: _Sent) -> int:
    """In bytes, with what it takes to open it."""
    place = sent.file.place if isinstance(sent.file, Job) else ""
    with suppress(OSError):
        return _A_FILE + (len(place) if isinstance(place, bytes) else Path(place).stat().st_size)
    return _A_FILE
