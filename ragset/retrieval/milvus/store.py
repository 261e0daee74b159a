"""Chunks in Milvus: a dense vector (COSINE) and BM25 weights (inner product) for each.

pymilvus' asynchronous client cannot create an index on Milvus Lite, and Milvus Lite checks few of a server's rules.
"""

import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, TypeVar

from ragset.errors import InputError, StoreError, StoreUnavailable
from ragset.models import Chunk
from ragset.retrieval.embedding.vectors import Vectors
from ragset.retrieval.fusion import Hit
from ragset.retrieval.milvus.connection import Connection, connect, is_transient
from ragset.retrieval.vector_store import Row
from ragset.settings import Environment

T = TypeVar("T")

MAX_HITS = 16_384  # that a search may ask for
MAX_TEXT_BYTES = 65_535  # of a VARCHAR and of a JSON field on a server; Milvus Lite counts characters
_MAX_ID = 256
_ROWS_AT_ONCE = 1_000
_MESSAGE_BYTES = 32_000_000  # half of what a server takes, as texts and weights grow on the way
_QUERIES = 512  # searched together; Milvus Lite holds a score for each of them and each chunk
_HITS_AT_ONCE = 500_000
_loading = threading.Lock()


def open_milvus(env: Environment) -> "MilvusStore":
    """The Milvus that `env` names: a server, or Milvus Lite in `milvus.db` of `ragset_home`."""
    return MilvusStore(connect(env))


class MilvusStore:
    """A `VectorStore` in Milvus."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self.digest = connection.digest
        self.takes_sparse = connection.takes_sparse

    def close(self) -> None:
        """Let the file go, once no other store of this process uses it."""
        self._connection.close()

    @staticmethod
    def check_size(chunk: Chunk) -> Chunk:
        """The chunk itself. Raises InputError if it is longer than Milvus stores."""
        if (size := len(chunk.text.encode())) > MAX_TEXT_BYTES:
            most = f"Milvus stores at most {MAX_TEXT_BYTES:,}: choose a smaller chunk size"
            raise InputError(f"chunk {chunk.id} has {size:,} bytes, and {most}")
        return chunk

    def has(self, collection: str) -> bool:
        """Whether the collection exists."""
        with self.asked("look for", collection) as client:
            return bool(client.has_collection(collection))

    def create(self, collection: str, dimensions: int) -> None:
        """Make an empty collection in place of any of that name."""
        from pymilvus import DataType

        with self.asked("create", collection) as client:
            client.drop_collection(collection)  # asking first would open it, and it may be damaged
            schema = client.create_schema(auto_id=False, enable_dynamic_field=False)
            schema.add_field("id", DataType.VARCHAR, is_primary=True, max_length=_MAX_ID)
            schema.add_field("doc_id", DataType.VARCHAR, max_length=_MAX_ID)
            schema.add_field("start", DataType.INT64)
            schema.add_field("end", DataType.INT64)
            schema.add_field("text", DataType.VARCHAR, max_length=MAX_TEXT_BYTES)
            schema.add_field("meta", DataType.JSON)
            schema.add_field("dense", DataType.FLOAT_VECTOR, dim=dimensions)
            indexes = client.prepare_index_params()
            # Exact search: Milvus Lite's HNSW misses most of what a filter leaves.
            indexes.add_index("dense", index_type="FLAT", metric_type="COSINE")
            if self.takes_sparse:
                schema.add_field("bm25", DataType.SPARSE_FLOAT_VECTOR)
                indexes.add_index("bm25", index_type="SPARSE_INVERTED_INDEX", metric_type="IP")
            client.create_collection(collection, schema=schema, consistency_level="Strong")
            # Nothing is there to wait for yet, and waiting is half a second a field; loading waits.
            client.create_index(collection, indexes, sync=False)

    def drop(self, collection: str) -> None:
        """Remove the collection, if there is one."""
        with self.asked("drop", collection) as client:
            client.drop_collection(collection)

    def load(self, collection: str) -> None:
        """Make the collection searchable."""
        from pymilvus.client.types import LoadState

        # One at a time: a Milvus Lite that loads a collection refuses to search it, though it says that it is loaded.
        with _loading, self.asked("load", collection) as client:
            if client.get_load_state(collection)["state"] != LoadState.Loaded:
                client.load_collection(collection)

    def count(self, collection: str) -> int:
        """Rows, without those that were deleted."""
        with self.asked("count", collection) as client:
            return int(client.query(collection, filter="", output_fields=["count(*)"])[0]["count(*)"])

    def upsert(self, collection: str, rows: Iterable[Row], progress: Callable[[int], None] = lambda _: None) -> None:
        """Write `rows`, of distinct ids, in batches and flush once. `progress` is told how many are written so far."""
        under_way: deque[tuple[int, Future[Any]]] = deque()
        written = 0

        def await_first() -> None:
            nonlocal written
            size, sent = under_way.popleft()
            sent.result()
            written += size
            progress(written)

        with self.asked("write to", collection) as client, ThreadPoolExecutor(self._connection.at_once) as pool:
            for batch in messages(rows, sparse=self.takes_sparse):
                if len(under_way) == self._connection.at_once:
                    await_first()
                under_way.append((len(batch), pool.submit(client.upsert, collection, data=batch)))
            while under_way:
                await_first()
            client.flush(collection)

    def delete(self, collection: str, ids: Sequence[str]) -> None:
        """Remove the chunks of these ids; unknown ids are ignored."""
        with self.asked("delete from", collection) as client:
            for batch in _slices(ids, _ROWS_AT_ONCE):
                client.delete(collection, ids=list(batch))
            client.flush(collection)

    def existing(self, collection: str, ids: Sequence[str]) -> set[str]:
        """Those of `ids` that the collection holds."""
        found: set[str] = set()
        with self.asked("read from", collection) as client:
            for batch in _slices(ids, _ROWS_AT_ONCE):
                found.update(row["id"] for row in client.get(collection, ids=list(batch), output_fields=["id"]))
        return found

    def search_dense(self, collection: str, vectors: Vectors, limit: int) -> list[list[Hit]]:
        """For each vector the nearest chunks by cosine, best first; exact."""
        return self._search(collection, "dense", "COSINE", vectors, limit)

    def search_sparse(self, collection: str, weights: Sequence[Mapping[int, float]], limit: int) -> list[list[Hit]]:
        """For each query's BM25 weights the best chunks; none that shares no word with it."""
        hits = iter(self._search(collection, "bm25", "IP", [dict(query) for query in weights if query], limit))
        return [next(hits) if query else [] for query in weights]

    def _search(self, collection: str, field: str, metric: str, queries: Any, limit: int) -> list[list[Hit]]:
        if not 1 <= limit <= MAX_HITS:
            raise InputError(f"top-k is {limit}: ask for 1 to {MAX_HITS:,} chunks")
        found: list[list[Hit]] = []
        size = max(1, min(_QUERIES, _HITS_AT_ONCE // limit))
        options = {"anns_field": field, "limit": limit, "search_params": {"metric_type": metric}}
        with self.asked("search", collection) as client:
            for batch in _slices(queries, size):
                answers = client.search(collection, data=list(batch), output_fields=["id"], **options)
                found.extend([Hit(str(hit["id"]), float(hit["distance"])) for hit in answer] for answer in answers)
        # Equal scores in the order of ids, whatever order Milvus met them in.
        return [sorted(hits, key=lambda hit: (-hit.score, hit.id)) for hits in found]

    @contextmanager
    def asked(self, verb: str, collection: str) -> Generator[Any]:
        """The client; what it raises in the block becomes a StoreError that says what could not be done."""
        client = self._connection.client
        if client is None:
            raise StoreError(f"collection {collection}: the store is closed")
        from grpc import RpcError
        from pymilvus import MilvusException

        try:
            yield client
        except (MilvusException, RpcError) as error:
            said = error.message if isinstance(error, MilvusException) else getattr(error, "details", error.__str__)()
            reason = str(said).splitlines()[0][:300]
            kind = StoreUnavailable if is_transient(error) else StoreError
            raise kind(f"Milvus could not {verb} collection {collection}: {reason}") from error


def _slices(items: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    for start in range(0, len(items), size):
        yield items[start : start + size]


def messages(rows: Iterable[Row], *, sparse: bool = True) -> Iterator[list[dict[str, Any]]]:
    """Batches of at most 1,000 rows that fit one message."""
    batch: list[dict[str, Any]] = []
    size = 0
    for chunk, dense, bm25 in rows:
        row_bytes = 3 * len(chunk.text) + 4 * len(dense) + 8 * len(bm25) + 1_000
        if batch and (len(batch) == _ROWS_AT_ONCE or size + row_bytes > _MESSAGE_BYTES):
            yield batch
            batch, size = [], 0
        # For filters of other programs; the index files hold both in full.
        meta = {"title": chunk.title[:500], "headings": [heading[:500] for heading in chunk.headings[:16]]}
        fields = {"id": chunk.id, "doc_id": chunk.doc_id, "start": chunk.start, "end": chunk.end, "text": chunk.text}
        batch.append({**fields, "meta": meta, "dense": dense, **({"bm25": dict(bm25)} if sparse else {})})
        size += row_bytes
    if batch:
        yield batch
