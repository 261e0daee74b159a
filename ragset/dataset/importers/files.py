"""Text, JSON, JSON Lines and CSV read strictly: an error names the file, the line and the mend."""

import codecs
import csv
import io
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from pydantic import BaseModel, ValidationError

from ragset.errors import InputError

M = TypeVar("M", bound=BaseModel)

_MARKS = {codecs.BOM_UTF8: "utf-8", codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}


class Row(NamedTuple):
    """One record of a file."""

    line: int  # where it begins, from 1
    fields: dict[str, Any]


def read_text(path: Path) -> str:
    """The file in UTF-8, or as its byte order mark says, with line ends as they are."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from None
    mark = next((mark for mark in _MARKS if content.startswith(mark)), b"")
    try:
        text = content[len(mark) :].decode(_MARKS.get(mark, "utf-8"))
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start + len(mark)) + 1
        raise InputError(f"{path}: line {line} is not UTF-8; save the file as UTF-8") from None
    if not text.strip():
        raise InputError(f"{path}: is empty; name a file with data in it")
    return text


def read_json(path: Path) -> Any:
    """The value in a JSON file."""
    try:
        return json.loads(read_text(path))
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise InputError(f"{path}: {where} is not JSON ({error.msg}); mend the line") from None
    except (ValueError, RecursionError):
        raise InputError(f"{path}: is not JSON that can be read (nested too deeply or a number too long)") from None


def read_json_lines(path: Path) -> Iterator[Row]:
    """Each line that is not blank, as an object."""
    # Not `splitlines`, which also ends lines at characters that may stand in a JSON string.
    for number, line in enumerate(io.StringIO(read_text(path), newline="\n"), start=1):
        if not line.strip():
            continue
        try:
            fields = json.loads(line)
        except (ValueError, RecursionError) as error:
            fault = error.msg if isinstance(error, json.JSONDecodeError) else "nested too deeply"
            raise InputError(f"{path}: line {number} is not JSON ({fault}); mend or delete the line") from None
        if not isinstance(fields, dict):
            raise InputError(f"{path}: line {number} is not a JSON object; mend or delete the line")
        yield Row(number, fields)


def validated(model: type[M], value: Any, where: str) -> M:
    """The value as a model; an error names the place, the field and the fault."""
    try:
        return model.model_validate(value)
    except ValidationError as error:
        fault = error.errors(include_input=False, include_url=False)[0]
        at = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in fault["loc"]).lstrip(".")
        raise InputError(f"{where}: {at}: {fault['msg']}; mend the file") from None


def read_table(path: Path) -> tuple[tuple[str, ...], Iterator[Row]]:
    """The column names and the rows of a table whose cells are parted by commas, semicolons or tabs."""
    csv.field_size_limit(sys.maxsize)  # a context can be a whole document
    text = read_text(path)
    first = text.lstrip("\r\n").split("\n", 1)[0]
    rows = _rows(path, csv.reader(io.StringIO(text, newline=""), delimiter=max(",;\t", key=first.count), strict=True))
    names = tuple(name.strip() for name in next(rows)[1])
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise InputError(f"{path}: there are two columns called {twice or 'nothing'}; rename one")
    return names, _named(path, names, rows)


def _rows(path: Path, cells: Any) -> Iterator[tuple[int, list[str]]]:
    line = 1
    try:
        for row in cells:
            if row:
                yield line, row
            line = cells.line_num + 1
    except csv.Error as error:
        mend = "look for a quote that is not closed or not doubled"
        raise InputError(f"{path}: line {line} is not CSV ({error}); {mend}") from None


def _named(path: Path, names: tuple[str, ...], rows: Iterator[tuple[int, list[str]]]) -> Iterator[Row]:
    line = 0
    for line, cells in rows:
        if len(cells) != len(names):
            raise InputError(
                f"{path}: line {line} has {len(cells)} cells, and there are {len(names)} columns; "
                "quote cells that hold a separator or a line end"
            )
        yield Row(line, dict(zip(names, cells, strict=True)))
    if not line:
        raise InputError(f"{path}: is empty under the names of its columns; name a file with data in it")
