"""Tables of documents, JSON Lines and CSV: read a row at a time, so that a file may be larger than memory.

A row that cannot be read is reported by the number of its line, and the next one is read.
"""

import csv
import io
import json
import re
import sys
from collections.abc import Iterator
from typing import Any

from ragset.documents.decoding import encoding_of
from ragset.documents.formats.opened import Opened, Read
from ragset.errors import DocumentError

_MISSING_TEXT = "has no field `text`; name the field that holds the text so"
_SAMPLE = 200_000
_PIECE = 1_000_000
_CARRIAGE_RETURN = re.compile(r"(?<=\r)(?=[^\n])")
"""A line end of old Macintosh files."""


class _TooLargeError(Exception):
    """A line, or the lines of a row, are longer than a document may be."""


class _Lines:
    """The lines of a file as text with their ends; those of one row together at most `limit` bytes."""

    def __init__(self, opened: Opened) -> None:
        file = opened.file
        self.encoding = encoding_of(file.read(_SAMPLE), opened.source, opened.charset)
        file.seek(0)
        self._readline, self._decoder = file.readline, self.encoding
        # Line ends of two or four bytes are found in text alone; elsewhere a line that is wrong leaves the others readable.
        if self.encoding.startswith(("utf-16", "utf-32")):
            text = io.TextIOWrapper(file, self.encoding, errors="replace", newline="\n")

            def readline(most: int = -1) -> bytes:
                return text.readline(most).encode(errors="replace")

            self._readline, self._decoder = readline, "utf-8"
        self._limit = opened.max_bytes
        self.number = 0
        """Of the line read last, from 1."""
        self.taken = 0
        """Bytes read since the row began; set to 0 where one does."""
        self.quotes = 0
        """Quotation marks in them."""

    def __iter__(self) -> "_Lines":
        return self

    def __next__(self) -> str:
        """The next line.

        Raises:
            _TooLargeError: it does not fit the row; all of it is passed over.
            UnicodeDecodeError: it is in another encoding.
        """
        line = self._readline(self._limit + 1)
        if not line:
            raise StopIteration
        self.number += 1
        self.taken += len(line)
        self.quotes += line.count(b'"')
        if self.taken > self._limit:
            while not line.endswith(b"\n") and (line := self._readline(_PIECE)):
                self.quotes += line.count(b'"')
            raise _TooLargeError
        return line.decode(self._decoder)

    def skip_quoted(self) -> None:
        """Pass over the rest of a row that broke off inside of quotation marks."""
        while self.quotes % 2 and (line := self._readline(_PIECE)):
            self.number += line.endswith(b"\n")
            self.quotes += line.count(b'"')


def read_json_lines(opened: Opened) -> Iterator[Read | DocumentError]:
    """A document of each line that is not blank.

    Raises:
        DocumentError: there is none.
    """
    return _some(_json_lines(opened), opened.source)


def read_table(opened: Opened) -> Iterator[Read | DocumentError]:
    """A document of each row below the names of the columns.

    Raises:
        DocumentError: there is no row, or no column `text`.
    """
    return _some(_rows(opened), opened.source)


def read_json(opened: Opened) -> Iterator[Read | DocumentError]:
    """The document of an object, or one of each object in a list.

    Raises:
        DocumentError: it is not JSON.
    """
    try:
        content = loads(opened.text())
    except (ValueError, RecursionError) as error:
        raise DocumentError(opened.source, f"not JSON: {error}") from None
    if isinstance(content, list):
        for number, one in enumerate(content, start=1):
            yield read_record(one, f"{opened.source}:{number}")
    else:
        yield read_record(content, opened.source)


def _some(rows: Iterator[Read | DocumentError], source: str) -> Iterator[Read | DocumentError]:
    first = next(rows, None)
    if first is None:
        raise DocumentError(source, "empty")
    yield first
    yield from rows


def _json_lines(opened: Opened) -> Iterator[Read | DocumentError]:
    lines, source = _Lines(opened), opened.source
    while True:
        lines.taken = 0
        try:
            # Old Macintosh files end their lines with a carriage return alone, which JSON allows between values only.
            parts = next(lines).rstrip("\r\n").split("\r")
        except StopIteration:
            return
        except _TooLargeError:
            yield DocumentError(f"{source}:{lines.number}", _too_large("line", opened.max_bytes))
            continue
        except UnicodeDecodeError:
            yield DocumentError(f"{source}:{lines.number}", f"is not {lines.encoding}; save the file as UTF-8")
            continue
        lines.number += len(parts) - 1
        for number, line in enumerate(parts, start=lines.number - len(parts) + 1):
            place = f"{source}:{number}"
            line = line.lstrip("\ufeff")
            if "\0" in line:
                yield DocumentError(place, "holds NUL bytes; take them out of the line")
            elif line.strip():
                try:
                    yield read_record(loads(line), place)
                except (ValueError, RecursionError) as error:
                    yield DocumentError(place, f"not JSON: {error}")


def _rows(opened: Opened) -> Iterator[Read | DocumentError]:
    csv.field_size_limit(sys.maxsize)
    source, delimiter = opened.source, "\t" if opened.kind == ".tsv" else ","
    lines = _Lines(opened)
    rows = _cells(lines, delimiter)
    names: list[str] | None = None
    while True:
        lines.taken = lines.quotes = 0
        begins = lines.number + 1
        try:
            cells = next(rows)
        except StopIteration:
            break
        except (_TooLargeError, UnicodeDecodeError, csv.Error) as error:
            lines.skip_quoted()
            said = _too_large("row", opened.max_bytes) + "; is a quotation mark not closed?"
            if isinstance(error, UnicodeDecodeError):
                said = f"is not {lines.encoding}; save the file as UTF-8"
            elif isinstance(error, csv.Error):
                said = f"not a row of a table: {error}"
            yield DocumentError(f"{source}:{begins}", said)
            if names is None:
                return
            rows = _cells(lines, delimiter)  # anew, since an iterator that has raised is over
            continue
        if not cells:
            continue
        if names is None:
            names = [cells[0].lstrip("\ufeff"), *cells[1:]]
            if "text" not in names:
                break
            continue
        yield read_record(dict(zip(names, cells, strict=False)), f"{source}:{begins}")
    if names is None or "text" not in names:
        raise DocumentError(source, f"{_MISSING_TEXT} (its columns: {', '.join(names or ()) or 'none'})")


def _cells(lines: _Lines, delimiter: str) -> Iterator[list[str]]:
    parts = (part.replace("\0", "") for line in lines for part in _CARRIAGE_RETURN.split(line))
    return csv.reader(parts, delimiter=delimiter)


def _too_large(what: str, max_bytes: int) -> str:
    return f"too large: the {what} has more than `max_bytes`, {max_bytes:,}"


def loads(text: str) -> Any:
    """JSON without what it can name and no file can hold: NaN is null, and half of a surrogate pair a `?`."""
    value = json.loads(text, parse_constant=lambda _: None)
    return json.loads(json.dumps(value, ensure_ascii=False).encode(errors="replace")) if "\\u" in text else value


def read_record(fields: Any, source: str) -> Read | DocumentError:
    """The document of an object: its `text` and `title`, and the other fields as metadata."""
    text = fields.get("text") if isinstance(fields, dict) else None
    if not isinstance(text, str):
        return DocumentError(source, _MISSING_TEXT)
    title = fields.get("title")
    metadata = {name: value for name, value in fields.items() if name not in {"text", "title"} and value is not None}
    return Read(source, text, title if isinstance(title, str) else "", metadata)
