"""Writes records as JSON Lines and as Parquet, and texts into lines."""

import json
from collections.abc import Iterable, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

_ROWS = 1_000
"""Of Parquet written at once."""


def write_json_lines(path: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    """A line for each row."""
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def write_parquet(path: Path, columns: Mapping[str, Any], rows: Iterable[Mapping[str, Any]]) -> None:
    """A file with `columns`, pyarrow types by name; a cell that is missing is null."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    schema = pa.schema(list(columns.items()))
    with pq.ParquetWriter(path, schema) as file:
        left = iter(rows)
        while some := list(islice(left, _ROWS)):
            file.write_table(pa.Table.from_pylist(some, schema))


def one_line(text: str) -> str:
    """The text without line ends and tabs, for formats that part records and fields by them."""
    return " ".join(text.split())
