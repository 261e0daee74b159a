"""Chunks that another program cut: a JSON Lines or Parquet file of them, or a collection in Milvus as it stands.

Fields are found by the names that LlamaIndex, LangChain and ragset give them, unless the settings name them.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ragset.errors import InputError
from ragset.retrieval.stores import store_kind
from ragset.settings import ChunkFields, Environment, ExistingChunks

_USUAL = {
    "id": ("id", "chunk_id", "pk"),
    "text": ("text", "page_content", "content"),
    "document": (
        *("document", "file_path", "source", "file_name"),
        *("metadata.file_path", "metadata.source", "metadata.file_name", "_node_content.metadata.file_path"),
    ),
    "start": ("start", "start_char_idx", "start_index", "metadata.start_index", "_node_content.start_char_idx"),
    "end": ("end", "end_char_idx", "_node_content.end_char_idx"),
}
"""By what they hold, in the order of trying."""


class ExistingChunk(NamedTuple):
    """A chunk as another program cut it."""

    id: str
    text: str
    document: str = ""  # path, file name, title or id; empty where nothing is said
    start: int | None = None  # with `end` half-open characters of the document, as the other program counted them
    end: int | None = None
    vector: NDArray[np.float32] | None = None


def check_existing(settings: ExistingChunks) -> None:
    """Return if the file is there. Raises InputError."""
    file = settings.file or ("" if "://" in settings.milvus else settings.milvus)
    if file and not Path(file).exists():
        raise InputError(f"{file}: there is no such file")


def read_existing(settings: ExistingChunks, env: Environment) -> list[ExistingChunk]:
    """All chunks, in the order of the file or the collection.

    Raises:
        InputError: the file or the collection cannot be read, or a chunk has no text, or the id of another.
    """
    fields = settings.fields
    if settings.file:
        path = Path(settings.file)
        records = _parquet(path) if path.suffix.lower() == ".parquet" else _lines(path)
        return _distinct(_chunk(record, fields, where) for where, record in records)
    of = _environment_of(settings, env)
    with store_kind(of).collection_rows(of, settings.collection, fields.vector) as (primary, rows):
        named = fields.model_copy(update={"id": fields.id or primary})
        where = f"{settings.milvus}, collection {settings.collection}"
        return _distinct(_chunk(row, named, f"{where}, {primary} {row[primary]}") for row in rows)


def _environment_of(settings: ExistingChunks, env: Environment) -> Environment:
    """With the address of the chunks, and the token for it; the token of ragset's own store goes nowhere else."""
    own = bool(env.milvus_uri) and settings.milvus.rstrip("/") == (env.milvus_uri or "").rstrip("/")
    token = env.milvus_token if own else env.ragset_chunks_token
    return env.model_copy(update={"milvus_uri": settings.milvus, "milvus_token": token})


def _distinct(chunks: Iterable[ExistingChunk]) -> list[ExistingChunk]:
    found: dict[str, ExistingChunk] = {}
    for chunk in chunks:
        if chunk.id in found:
            raise InputError(f"chunk {chunk.id!r} is there twice; name the field of an id that is unique in fields.id")
        found[chunk.id] = chunk
    if not found:
        raise InputError("there is no chunk in it")
    return list(found.values())


def _chunk(record: Mapping[str, Any], fields: ChunkFields, where: str) -> ExistingChunk:
    def value(of: str, name: str) -> Any:
        found = _value(record, (name,) if name else _USUAL[of])
        if found is None and (name or of in {"id", "text"}):
            there = ", ".join(map(str, record))
            raise InputError(f"{where}: has no field {name or of!r}; name the field in fields.{of} (there are {there})")
        return found

    id_, text = value("id", fields.id), value("text", fields.text)
    if not isinstance(text, str):
        raise InputError(f"{where}: field {fields.text or 'text'!r} is no text; name another in fields.text")
    document = _value(record, (fields.document,) if fields.document else _USUAL["document"])
    start, end = (
        _whole(_value(record, (name,) if name else _USUAL[of]))
        for of, name in (("start", fields.start), ("end", fields.end))
    )
    return ExistingChunk(
        id=str(id_),
        text=text,
        document=document if isinstance(document, str) else "",
        start=start,
        end=start + len(text) if end is None and start is not None else end,
        vector=_vector(value("vector", fields.vector), where) if fields.vector else None,
    )


def _value(record: Mapping[str, Any], names: Sequence[str]) -> Any:
    """Of the first of the fields that is there and not null; a dot goes into an object, or into the JSON of a text."""
    for name in names:
        found: Any = record.get(name)
        if found is None and "." in name:
            found = record
            for part in name.split("."):
                found = _parsed(found).get(part)
        if found is not None:
            return found
    return None


def _parsed(value: Any) -> Mapping[str, Any]:
    if isinstance(value, str) and value.startswith("{"):
        try:
            value = json.loads(value)
        except ValueError:
            return {}
    return value if isinstance(value, Mapping) else {}


def _whole(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def _vector(value: Any, where: str) -> NDArray[np.float32]:
    try:
        vector = np.asarray(value, dtype=np.float32)
    except (TypeError, ValueError):
        vector = np.empty((0, 0), dtype=np.float32)
    if vector.ndim != 1 or not len(vector):
        raise InputError(f"{where}: fields.vector names no vector of numbers")
    return vector


def _lines(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    try:
        with path.open(encoding="utf-8-sig") as file:
            for number, line in enumerate(file, start=1):
                if line.strip():
                    value = json.loads(line)
                    if not isinstance(value, dict):
                        raise InputError(f"{path}: line {number} is no object")
                    yield f"{path}: line {number}", value
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from None
    except UnicodeDecodeError:
        raise InputError(f"{path}: is not UTF-8 text") from None
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}: a line is no JSON ({error})") from None


def _parquet(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(path) as file:
            number = 0
            for batch in file.iter_batches():
                for record in batch.to_pylist():
                    number += 1
                    yield f"{path}: row {number}", record
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror or error})") from None
    except ValueError as error:  # pyarrow's errors
        raise InputError(f"{path}: is no Parquet file that can be read ({error})") from None
