"""Chunks in Parquet, sorted by document and place, in row groups of one size, so that any row is read quickly."""

import hashlib
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import groupby, islice
from operator import attrgetter
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from ragset.models import Chunk
from ragset.text.words import TOKENS

T = TypeVar("T")

GROUP = 512  # rows of each row group but the last: what is read to get at one text


@dataclass(frozen=True)
class Keys:
    """All columns but the texts, titles and headings; row for row."""

    ids: list[str]  # `doc_id:start-end`
    doc_ids: list[str]
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    marks: NDArray[np.int64]
    """Hashes of title and headings. With the id, which pins the text, they say whether a row has changed."""

    @property
    def digest(self) -> str:
        """Of all rows in order, and of how texts are cut into words; 16 hexadecimal digits. It names the files of a generation."""
        whole = hashlib.sha256()
        for key, mark in zip(self.ids, self.marks.tolist(), strict=True):
            whole.update(f"{key} {mark}\n".encode())
        return hashlib.sha256(f"{TOKENS} {whole.hexdigest()[:16]}".encode()).hexdigest()[:16]


def write_chunks(path: Path, chunks: Iterable[Chunk], check: Callable[[Chunk], object] = bool) -> Keys:
    """Write each distinct chunk in order, after a `check` that may raise, and return what identifies the rows.

    A sequence may be in any order. Other iterables give documents in the order of their ids, and one at a time is in memory.
    """
    import pyarrow.parquet as pq

    schema = _schema()
    with pq.ParquetWriter(path, schema, compression="zstd") as writer:
        for batch in slabs(_in_order(chunks, check)):
            writer.write_batch(_records(batch, schema), row_group_size=GROUP)
    return read_keys(path)


def _in_order(chunks: Iterable[Chunk], check: Callable[[Chunk], object]) -> Iterator[Chunk]:
    if isinstance(chunks, Sequence):
        chunks = sorted(chunks, key=attrgetter("doc_id"))
    before = ""
    for doc_id, members in groupby(chunks, attrgetter("doc_id")):
        if doc_id <= before:
            raise ValueError(f"document {doc_id} comes after {before}")
        before = doc_id
        distinct: dict[tuple[int, int], Chunk] = {}
        for chunk in members:
            check(chunk)
            distinct.setdefault((chunk.start, chunk.end), chunk)
        yield from (distinct[place] for place in sorted(distinct))


def _records(chunks: Sequence[Chunk], schema: Any) -> Any:
    import pyarrow as pa

    columns = {name: [getattr(chunk, name) for chunk in chunks] for name in schema.names if name != "mark"}
    columns["mark"] = [mark(chunk) for chunk in chunks]
    return pa.RecordBatch.from_pydict(columns, schema=schema)


def read_keys(path: Path) -> Keys:
    """Everything but the texts, titles and headings, which stay on disk."""
    import pyarrow.parquet as pq

    ids: list[str] = []
    doc_ids: list[str] = []
    numbers: list[list[NDArray[np.int64]]] = []
    with pq.ParquetFile(path, read_dictionary=["doc_id"]) as file:  # so that a document's id is in memory once
        for batch in file.iter_batches(columns=["id", "doc_id", "start", "end", "mark"]):
            ids += batch.column("id").to_pylist()
            documents = batch.column("doc_id").dictionary.to_pylist()
            doc_ids += [documents[place] for place in batch.column("doc_id").indices.to_numpy()]
            numbers.append([batch.column(name).to_numpy().astype(np.int64) for name in ("start", "end", "mark")])
    columns = zip(*numbers, strict=True) if numbers else [[np.empty(0, np.int64)]] * 3
    starts, ends, marks = map(np.concatenate, columns)
    return Keys(ids=ids, doc_ids=doc_ids, starts=starts, ends=ends, marks=marks)


def read_chunks(path: Path) -> Iterator[Chunk]:
    """All chunks in order, one row group in memory at a time."""
    import pyarrow.parquet as pq

    with pq.ParquetFile(path) as file:
        for group in range(file.num_row_groups):
            yield from map(_chunk, file.read_row_group(group).to_pylist())


@contextmanager
def read_groups(path: Path) -> Generator[Callable[[int], list[Chunk]]]:
    """A function that reads the row group of a number, 0 for the first."""
    import pyarrow.parquet as pq

    with pq.ParquetFile(path) as file:
        yield lambda number: [_chunk(record) for record in file.read_row_group(number).to_pylist()]


def read_texts(path: Path) -> Iterator[str]:
    """Those of all chunks in order, one row group in memory at a time."""
    import pyarrow.parquet as pq

    with pq.ParquetFile(path) as file:
        for group in range(file.num_row_groups):
            yield from file.read_row_group(group, columns=["text"])["text"].to_pylist()


def read_rows(path: Path, rows: Sequence[int]) -> list[Chunk]:
    """The chunks of these rows, in the order asked for."""
    import pyarrow.parquet as pq

    found: dict[int, Chunk] = {}
    with pq.ParquetFile(path) as file:
        for group, members in groupby(sorted(set(rows)), key=lambda row: row // GROUP):
            table = file.read_row_group(group)
            places = list(members)
            records = table.take([row % GROUP for row in places]).to_pylist()
            found.update(zip(places, map(_chunk, records), strict=True))
    return [found[row] for row in rows]


def slabs(items: Iterable[T]) -> Iterator[list[T]]:
    """As many chunks, or rows, at a time as a row group holds."""
    items = iter(items)
    return iter(lambda: list(islice(items, GROUP)), [])


def mark(chunk: Chunk) -> int:
    """The hash of what may change about a chunk while its id stays: title and headings."""
    words = "\x1f".join([chunk.title, *chunk.headings])
    return int.from_bytes(hashlib.blake2b(words.encode(), digest_size=8).digest(), "big", signed=True)


def _schema() -> Any:
    import pyarrow as pa

    kinds = {"id": pa.string(), "doc_id": pa.string(), "start": pa.int64(), "end": pa.int64(), "mark": pa.int64()}
    kinds |= {"title": pa.string(), "headings": pa.list_(pa.string()), "text": pa.large_string()}
    return pa.schema(list(kinds.items()))


def _chunk(record: dict[str, Any]) -> Chunk:
    return Chunk.model_validate({field: record[field] for field in Chunk.model_fields if field in record})
