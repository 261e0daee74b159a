"""The documents of a run in one file, `corpus.jsonl`, read one at a time."""

import hashlib
import json
import os
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Self

from pydantic import ValidationError

from ragset.errors import InputError
from ragset.models import Document, Span


class Corpus:
    """Documents on disk, in the order of their ids; only the places of lines are in memory."""

    def __init__(self, path: Path, places: dict[str, int]) -> None:
        self.path = path
        self._places = places
        self._read = lru_cache(maxsize=8)(self._read_at)

    @classmethod
    def write(cls, path: Path, documents: Iterable[Document]) -> Self:
        """Write the file, in place of any of that name when it is complete."""
        partial = path.with_name(f"{path.name}.{os.getpid()}.partial")
        try:
            with partial.open("w", encoding="utf-8", newline="\n") as file:
                for document in sorted(documents, key=lambda document: document.id):
                    file.write(_line(document))
            partial.replace(path)
        except OSError as error:
            raise InputError(f"{path}: cannot be written ({error.strerror})") from None
        finally:
            partial.unlink(missing_ok=True)
        return cls.open(path)

    @classmethod
    def open(cls, path: Path) -> Self:
        """The corpus of a file.

        Raises:
            InputError: the file cannot be read, or a line of it is no document; the message names the line.
        """
        places: dict[str, int] = {}
        try:
            with path.open("rb") as file:
                place = 0
                for number, line in enumerate(file, start=1):
                    places[_document(line, path, number).id] = place
                    place += len(line)
        except OSError as error:
            raise InputError(f"{path}: cannot be read ({error.strerror})") from None
        return cls(path, places)

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
        with self.path.open("rb") as file:
            for number, line in enumerate(file, start=1):
                yield _document(line, self.path, number)

    def __contains__(self, doc_id: str) -> bool:
        return doc_id in self._places

    def __getitem__(self, doc_id: str) -> Document:
        """The document of that id.

        Raises:
            InputError: there is none.
        """
        if doc_id not in self._places:
            raise InputError(f"{self.path}: there is no document {doc_id}")
        return self._read(doc_id)

    def text(self, span: Span) -> str:
        """The characters of `span`.

        Raises:
            InputError: there is no such document, or it ends before the span does.
        """
        text = self[span.doc_id].text
        if span.end > len(text):
            raise InputError(f"{self.path}: document {span.doc_id} ends before {span.id}")
        return text[span.start : span.end]

    def _read_at(self, doc_id: str) -> Document:
        with self.path.open("rb") as file:
            file.seek(self._places[doc_id])
            return _document(file.readline(), self.path, 0)


def _line(document: Document) -> str:
    fields = {
        "id": document.id,
        "text": document.text,
        "sources": document.sources,
        "title": document.title,
        "metadata": document.metadata,
    }
    return json.dumps(fields, ensure_ascii=False, default=str) + "\n"


def _document(line: bytes, path: Path, number: int) -> Document:
    try:
        return Document.model_validate_json(line)
    except ValidationError:
        raise InputError(f"{path}: line {number} is not a document; read the documents again") from None
