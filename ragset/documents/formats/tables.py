"""Tables of documents, read a row at a time, as a file may be larger than memory; rows that cannot be read are reported."""

import csv
import io
import json
import re
import sys
from collections.abc import Iterable, Iterator
from typing import Any

from ragset.documents.formats.opened import Opened, Read, encoding_of
from ragset.errors import DocumentError

_SAMPLE = 200_000
_PIECE = 1_000_000
_FOREIGN = re.compile("[\udc80-\udcff]")  # bytes that the encoding of the file does not have


class _TooLargeError(Exception):
    """A line, or the lines of a row, are longer than a document may be."""


class _Lines:
    """The lines of a file as text with their ends; those of one row together at most `limit` bytes."""

    def __init__(self, opened: Opened) -> None:
        file = opened.file
        self.encoding = encoding_of(file.read(_SAMPLE), opened.source, opened.charset)
        file.seek(0)
        if self.encoding.startswith(("utf-16", "utf-32")):
            # Line ends of two or four bytes are found in text alone.
            file = io.BytesIO(file.read().decode(self.encoding, "replace").encode())
            self.encoding = "utf-8"
        self._file = file
        self._most = opened.max_bytes
        self.text_field = opened.text_field
        self.limit = f"has more than `max_bytes`, {opened.max_bytes:,}"
        self.number = 0  # of the line read last, from 1
        self.taken = 0  # bytes read since the row began; set to 0 where one does

    def __iter__(self) -> "_Lines":
        return self

    def __next__(self) -> str:
        """The next line, foreign bytes as surrogates; one that does not fit the row is skipped with a _TooLargeError."""
        line = self._file.readline(self._most + 1)
        if not line:
            raise StopIteration
        self.number += 1
        self.taken += len(line)
        if self.taken > self._most:
            while line and not line.endswith(b"\n"):
                line = self._file.readline(_PIECE)
            raise _TooLargeError
        return line.decode(self.encoding, "surrogateescape")

    def foreign(self, place: str) -> DocumentError:
        return DocumentError(place, f"is not {self.encoding}; save the file as UTF-8")


def read_json_lines(opened: Opened) -> Iterator[Read | DocumentError]:
    """A document of each line that is not blank."""
    lines, found = _Lines(opened), False
    while True:
        lines.taken = 0
        try:
            line = next(lines).lstrip("\ufeff")
        except StopIteration:
            break
        except _TooLargeError:
            one = DocumentError(f"{opened.source}:{lines.number}", f"too large: the line {lines.limit}")
        else:
            if not line.strip():
                continue
            one = _json_document(line, f"{opened.source}:{lines.number}", lines)
        found = True
        yield one
    if not found:
        raise DocumentError(opened.source, "empty")


def _json_document(line: str, place: str, lines: _Lines) -> Read | DocumentError:
    if _FOREIGN.search(line):
        return lines.foreign(place)
    if "\0" in line:
        return DocumentError(place, "holds NUL bytes; take them out of the line")
    try:
        return read_record(loads(line), place, lines.text_field)
    except (ValueError, RecursionError) as error:
        return DocumentError(place, f"not JSON: {error}")


def read_table(opened: Opened) -> Iterator[Read | DocumentError]:
    """A document of each row below the names of the columns; one that is too large ends the table."""
    csv.field_size_limit(sys.maxsize)
    source, lines = opened.source, _Lines(opened)
    rows = csv.reader((line.replace("\0", "") for line in lines), delimiter="\t" if opened.kind == ".tsv" else ",")
    names: list[str] = []
    begins, found = 1, False
    try:
        for cells in rows:
            place = f"{source}:{begins}"
            if names and cells:
                found = True
                foreign = any(map(_FOREIGN.search, cells))
                row = dict(zip(names, cells, strict=False))
                yield lines.foreign(place) if foreign else read_record(row, place, lines.text_field)
            elif cells:
                names = [cells[0].lstrip("\ufeff"), *cells[1:]]
                if lines.text_field not in names:
                    break
            begins, lines.taken = lines.number + 1, 0
    except (_TooLargeError, csv.Error) as error:
        fault = f"not a row of a table: {error}"
        if isinstance(error, _TooLargeError):
            fault = f"too large: the row {lines.limit}; is a quotation mark not closed?"
        yield DocumentError(f"{source}:{begins}", f"{fault} It and the rows after it are left out")
        return
    if lines.text_field not in names:
        raise DocumentError(source, _missing(lines.text_field, "columns", names))
    if not found:
        raise DocumentError(source, "empty")


def read_json(opened: Opened) -> Iterator[Read | DocumentError]:
    """The document of an object, or one of each object in a list, which may be a field of the object (`items.text`)."""
    try:
        content = loads(opened.text())
    except (ValueError, RecursionError) as error:
        raise DocumentError(opened.source, f"not JSON: {error}") from None
    records, text_field = _records(content, opened.text_field)
    if isinstance(records, list):
        for number, one in enumerate(records, start=1):
            yield read_record(one, f"{opened.source}:{number}", text_field)
    else:
        yield read_record(content, opened.source, opened.text_field)


def _records(content: Any, path: str) -> tuple[Any, str]:
    """The list or the object that the path of a text leads to, and the rest of the path, from there on."""
    while isinstance(content, dict) and path not in content and "." in path:
        head, _, path = path.partition(".")
        content = content.get(head)
    return content, path


def loads(text: str) -> Any:
    """JSON without what it can name and no file can hold: NaN is null, and half of a surrogate pair a `?`."""
    value = json.loads(text, parse_constant=lambda _: None)
    return json.loads(json.dumps(value, ensure_ascii=False).encode(errors="replace")) if "\\u" in text else value


def read_record(fields: Any, source: str, text_field: str = "text") -> Read | DocumentError:
    """The document of an object: its text and `title`, and the other fields as metadata. A path names a field of a field."""
    inner, name = _records(fields, text_field)
    text = inner.get(name) if isinstance(inner, dict) else None
    if not isinstance(text, str):
        return DocumentError(source, _missing(text_field, "fields", _paths(fields)))
    top = text_field if text_field in fields else text_field.partition(".")[0]
    title = fields.get("title")
    metadata = {name: value for name, value in fields.items() if name not in {top, "title"} and value is not None}
    return Read(source, text, title if isinstance(title, str) else "", metadata)


def _paths(value: Any) -> Iterator[str]:
    """The names of the fields, of those with fields of their own as paths."""
    for name, inside in value.items() if isinstance(value, dict) else ():
        first = inside[0] if isinstance(inside, list) and inside else inside
        yield from (f"{name}.{path}" for path in _paths(first)) if isinstance(first, dict) and first else (name,)


def _missing(text_field: str, called: str, names: Iterable[Any]) -> str:
    found = ", ".join(map(str, names)) or "none"
    return (
        f"has no text in a field `{text_field}`; name its field with --text-field (`text_field` in YAML; its {called}: "
        f"{found[:300]})"
    )
