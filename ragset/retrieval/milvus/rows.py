"""Chunks as Milvus takes them: within a server's limits, in messages that it accepts."""

from collections.abc import Iterable, Iterator
from typing import Any

from ragset.errors import InputError
from ragset.models import Chunk
from ragset.retrieval.vector_store import Row

MAX_TEXT_BYTES = 65_535
"""Of a VARCHAR and of a JSON field on a server; Milvus Lite counts characters."""
ROWS_AT_ONCE = 1_000
_MESSAGE_BYTES = 32_000_000
"""Half of what a server takes, as texts and weights grow on the way."""


def check_size(chunk: Chunk) -> Chunk:
    """The chunk itself, if its text fits.

    Raises:
        InputError: it is longer than Milvus stores.
    """
    size = len(chunk.text.encode())
    if size > MAX_TEXT_BYTES:
        raise InputError(
            f"chunk {chunk.id} has {size:,} bytes, and Milvus stores at most {MAX_TEXT_BYTES:,}: "
            "choose a smaller chunk size"
        )
    return chunk


def messages(rows: Iterable[Row]) -> Iterator[list[dict[str, Any]]]:
    """Batches of at most 1,000 rows that fit one message."""
    batch: list[dict[str, Any]] = []
    size = 0
    for entity in map(_entity, rows):
        entity_bytes = 3 * len(entity["text"]) + 4 * len(entity["dense"]) + 8 * len(entity["bm25"]) + 1_000
        if batch and (len(batch) == ROWS_AT_ONCE or size + entity_bytes > _MESSAGE_BYTES):
            yield batch
            batch, size = [], 0
        batch.append(entity)
        size += entity_bytes
    if batch:
        yield batch


def _entity(row: Row) -> dict[str, Any]:
    chunk = check_size(row.chunk)
    return {
        "id": chunk.id,
        "doc_id": chunk.doc_id,
        "start": chunk.start,
        "end": chunk.end,
        "text": chunk.text,
        # For filters of other programs; the index files hold both in full.
        "meta": {"title": chunk.title[:500], "headings": [heading[:500] for heading in chunk.headings[:16]]},
        "dense": row.dense,
        "bm25": dict(row.bm25),
    }
