"""The documents of a run in one file, `corpus.jsonl`, read one at a time."""

import hashlib
import json
import os
import threading
import weakref
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryFile
from typing import BinaryIO, NamedTuple, Self

from pydantic import ValidationError

from ragset.errors import InputError
from ragset.models import Document, Span

_RECENT = 8  # documents that are kept in memory


class Line(NamedTuple):
    """Where a document is in the file, and a digest of what is there."""

    start: int
    size: int  # bytes
    digest: bytes


class Corpus:
    """Documents on disk, in the order of their ids; only the places of lines are in memory.

    The file stays open, so replacing it changes nothing here; a change within it is an error.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file = path.open("rb")
        weakref.finalize(self, self._file.close)
        self._lock = threading.RLock()
        self._places: dict[str, Line] = {}  # by document, in the order of the file
        self.characters = 0  # of all texts
        start = 0
        for number, line in enumerate(self._file, start=1):
            try:
                document = Document.model_validate_json(line)
            except ValidationError:
                raise InputError(f"{path}: line {number} is not a document; read the documents again") from None
            self._places[document.id] = Line(start, len(line), _digest(line))
            start += len(line)
            self.characters += len(document.text)
        self._recent: dict[str, Document] = {}

    @classmethod
    def write(cls, path: Path, documents: Iterable[Document]) -> Self:
        """Write the file, in place of any of that name when it is complete.

        One document at a time is in memory. A text that comes again adds its sources to those of the first.
        """
        return cls._write(path, documents, lambda _digest: path)

    @classmethod
    def write_by_content(cls, folder: Path, documents: Iterable[Document]) -> Self:
        """As `write`, into a file of the folder that has the digest of its lines for a name."""
        return cls._write(folder / "corpus", documents, lambda digest: folder / f"{digest[:16]}.jsonl")

    @classmethod
    def _write(cls, path: Path, documents: Iterable[Document], name: Callable[[str], Path]) -> Self:
        partial = path.with_name(f"{path.name}.{os.getpid()}.partial")
        places: dict[str, Line] = {}
        again: dict[str, list[str]] = {}
        digest = hashlib.sha256()
        try:
            with TemporaryFile(dir=path.parent) as unsorted, partial.open("wb") as file:
                for document in documents:
                    if document.id in places:
                        again.setdefault(document.id, []).extend(document.sources)
                    else:
                        places[document.id] = Line(unsorted.tell(), unsorted.write(_line_of(document)), b"")
                for doc_id, place in sorted(places.items()):
                    unsorted.seek(place.start)
                    line = unsorted.read(place.size)
                    if doc_id in again:
                        line = _line_of(Document.model_validate_json(line).found_at(again[doc_id]))
                    digest.update(line)
                    file.write(line)
            path = partial.replace(name(digest.hexdigest()))
        except OSError as error:
            raise InputError(f"{path}: cannot be written ({error.strerror})") from None
        finally:
            partial.unlink(missing_ok=True)
        return cls.open(path)

    @classmethod
    def open(cls, path: Path) -> Self:
        """The corpus of a file."""
        try:
            return cls(path)
        except OSError as error:
            raise InputError(f"{path}: cannot be read ({error.strerror})") from None

    def copy(self, path: Path) -> None:
        """Write the same lines to `path`."""
        with path.open("wb") as file:
            for doc_id in self._places:
                file.write(self._line(doc_id))

    @property
    def ids(self) -> tuple[str, ...]:
        """Of all documents, sorted."""
        return tuple(sorted(self._places))

    @property
    def hash(self) -> str:
        """First 16 hexadecimal digits of the SHA-256 of the sorted ids: the same for the same texts."""
        return hashlib.sha256("\n".join(self.ids).encode()).hexdigest()[:16]

    def __len__(self) -> int:
        return len(self._places)

    def __iter__(self) -> Iterator[Document]:
        return (Document.model_validate_json(self._line(doc_id)) for doc_id in self._places)

    def __contains__(self, doc_id: str) -> bool:
        return doc_id in self._places

    def __getitem__(self, doc_id: str) -> Document:
        if doc_id not in self._places:
            raise InputError(f"{self.path}: there is no document {doc_id}")
        with self._lock:
            if doc_id not in self._recent:
                self._recent[doc_id] = Document.model_validate_json(self._line(doc_id))
                if len(self._recent) > _RECENT:
                    del self._recent[next(iter(self._recent))]
            return self._recent[doc_id]

    def text(self, span: Span) -> str:
        """The characters of `span`."""
        text = self[span.doc_id].text
        if span.end > len(text):
            raise InputError(f"{self.path}: document {span.doc_id} ends before {span.id}")
        return text[span.start : span.end]

    def line(self, doc_id: str) -> Line:
        """Where the document is, for `read_lines`."""
        return self._places[doc_id]

    def _line(self, doc_id: str) -> bytes:
        with self._lock:
            return _read(self._file, self.path, self._places[doc_id])


def read_lines(path: Path, lines: Iterable[Line]) -> Iterator[Document]:
    """The documents of these lines of a corpus file, without a look at the others."""
    with path.open("rb") as file:
        for line in lines:
            yield Document.model_validate_json(_read(file, path, line))


def write_documents(file: BinaryIO, documents: Iterable[Document]) -> None:
    """Write each as a line of a corpus file, in the order given."""
    file.writelines(map(_line_of, documents))


def parse_documents(file: BinaryIO) -> Iterator[Document]:
    """What `write_documents` wrote, one at a time."""
    return map(Document.model_validate_json, file)


def _read(file: BinaryIO, path: Path, line: Line) -> bytes:
    file.seek(line.start)
    read = file.read(line.size)
    if _digest(read) != line.digest:
        raise InputError(f"{path}: was changed while a run read it; run the same command again")
    return read


def _line_of(document: Document) -> bytes:
    fields = {name: getattr(document, name) for name in ("id", "text", "sources", "title", "metadata")}
    return (json.dumps(fields, ensure_ascii=False, default=str) + "\n").encode()


def _digest(line: bytes) -> bytes:
    return hashlib.blake2b(line, digest_size=16).digest()
