"""Chunks in Milvus: a dense vector (COSINE) and BM25 weights (inner product) for each.

Synchronous, as pymilvus' asynchronous client cannot create an index on Milvus Lite; from a coroutine call it
through `asyncio.to_thread`. The rules of a Milvus server are checked here, because Milvus Lite keeps few of
them. What Milvus holds is a copy: `ragset.retrieval.index` writes it from files, and writes it again when it differs.
"""

import hashlib
import re
import threading
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import TracebackType
from typing import Any, Self, TypeVar

from ragset.errors import InputError, StoreError, StoreUnavailable
from ragset.retrieval.embedding.vectors import Vectors
from ragset.retrieval.fusion import Hit, reciprocal_rank_fusion
from ragset.retrieval.milvus.connection import Connection, connect, passes
from ragset.retrieval.milvus.rows import MAX_TEXT_BYTES, ROWS_AT_ONCE, Row, messages
from ragset.settings import Environment

T = TypeVar("T")

MAX_HITS = 16_384
"""That a search may ask for."""
_MAX_ID = 256
_QUERIES = 512
"""Searched together; Milvus Lite holds a score for each of them and each chunk."""
_HITS_AT_ONCE = 500_000
_loading = threading.Lock()


def connect_store(env: Environment) -> "Store":
    """The Milvus that `env` names: a server, or Milvus Lite in `milvus.db` of `ragset_home`.

    Raises:
        StoreError: it cannot be reached, or another process holds the file.
    """
    return Store(connect(env))


class Store:
    """Collections of chunks. Close it, or use it in a `with`: until then the file is taken."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let the file go, once no other store of this process uses it."""
        self._connection.close()

    @property
    def digest(self) -> str:
        """Tells one Milvus from another."""
        return self._connection.digest

    def has(self, collection: str) -> bool:
        """Whether the collection exists."""
        with self._asked("look for", collection) as client:
            return bool(client.has_collection(collection))

    def create(self, collection: str, dimensions: int) -> None:
        """Make an empty collection in the place of any of that name."""
        from pymilvus import DataType

        with self._asked("create", collection) as client:
            client.drop_collection(collection)  # asking first would open it, and it may be damaged
            schema = client.create_schema(auto_id=False, enable_dynamic_field=False)
            schema.add_field("id", DataType.VARCHAR, is_primary=True, max_length=_MAX_ID)
            schema.add_field("doc_id", DataType.VARCHAR, max_length=_MAX_ID)
            schema.add_field("start", DataType.INT64)
            schema.add_field("end", DataType.INT64)
            schema.add_field("text", DataType.VARCHAR, max_length=MAX_TEXT_BYTES)
            schema.add_field("meta", DataType.JSON)
            schema.add_field("dense", DataType.FLOAT_VECTOR, dim=dimensions)
            schema.add_field("bm25", DataType.SPARSE_FLOAT_VECTOR)
            indexes = client.prepare_index_params()
            # Exact search: Milvus Lite's HNSW misses most of what a filter leaves.
            indexes.add_index("dense", index_type="FLAT", metric_type="COSINE")
            indexes.add_index("bm25", index_type="SPARSE_INVERTED_INDEX", metric_type="IP")
            client.create_collection(collection, schema=schema, consistency_level="Strong")
            # Nothing is there to wait for yet, and waiting is half a second a field; loading waits.
            client.create_index(collection, indexes, sync=False)

    def drop(self, collection: str) -> None:
        """Remove the collection, if there is one."""
        with self._asked("drop", collection) as client:
            client.drop_collection(collection)

    def load(self, collection: str) -> None:
        """Make the collection searchable; a new client has to ask for it.

        One at a time: while Milvus Lite loads a collection it refuses to search it, also to whom it told it was loaded.
        """
        from pymilvus.client.types import LoadState

        with _loading, self._asked("load", collection) as client:
            if client.get_load_state(collection)["state"] != LoadState.Loaded:
                client.load_collection(collection)

    def count(self, collection: str) -> int:
        """Rows, without those that were deleted."""
        with self._asked("count", collection) as client:
            return int(client.query(collection, filter="", output_fields=["count(*)"])[0]["count(*)"])

    def upsert(self, collection: str, rows: Iterable[Row], progress: Callable[[int], None] | None = None) -> int:
        """Write `rows` in batches and flush once; how many there were. `progress` is told how many are written.

        Raises:
            InputError: a chunk is longer than Milvus stores; the rows of earlier batches are written.
        """
        written = 0
        with self._asked("write to", collection) as client:
            for batch in messages(rows):
                client.upsert(collection, data=batch)
                written += len(batch)
                if progress is not None:
                    progress(written)
            client.flush(collection)
        return written

    def delete(self, collection: str, ids: Sequence[str]) -> None:
        """Remove the chunks of these ids; unknown ones are nothing to do."""
        with self._asked("delete from", collection) as client:
            for batch in _slices(ids, ROWS_AT_ONCE):
                client.delete(collection, ids=list(batch))
            client.flush(collection)

    def existing(self, collection: str, ids: Sequence[str]) -> set[str]:
        """Those of `ids` that the collection holds."""
        return set(self._fields(collection, ids, "id"))

    def texts(self, collection: str, ids: Sequence[str]) -> list[str]:
        """The texts of these chunks, in the order asked for.

        Raises:
            StoreError: an id is not in the collection.
        """
        found = self._fields(collection, ids, "text")
        if missing := [key for key in ids if key not in found]:
            raise StoreError(f"collection {collection}: chunk {missing[0]} is not in it; index again")
        return [found[key] for key in ids]

    def search_dense(self, collection: str, vectors: Vectors, limit: int, *, where: str = "") -> list[list[Hit]]:
        """For each vector the nearest chunks by cosine, best first; exact.

        `where` is a Milvus expression over `id`, `doc_id`, `start`, `end`, `text` and `meta`.
        """
        return self._search(collection, "dense", "COSINE", vectors, limit, where)

    def search_sparse(
        self, collection: str, weights: Sequence[Mapping[int, float]], limit: int, *, where: str = ""
    ) -> list[list[Hit]]:
        """For each query's BM25 weights the best chunks; only such as share a word with it."""
        asked = [dict(query) for query in weights if query]
        hits = iter(self._search(collection, "bm25", "IP", asked, limit, where))
        return [next(hits) if query else [] for query in weights]

    def search_hybrid(
        self,
        collection: str,
        vectors: Vectors,
        weights: Sequence[Mapping[int, float]],
        limit: int,
        *,
        where: str = "",
    ) -> list[list[Hit]]:
        """Dense and sparse search, each `limit` deep, fused by reciprocal rank."""
        if len(vectors) != len(weights):
            raise ValueError(f"{len(vectors)} vectors but {len(weights)} sparse queries")
        dense = self.search_dense(collection, vectors, limit, where=where)
        sparse = self.search_sparse(collection, weights, limit, where=where)
        return [reciprocal_rank_fusion(pair, limit) for pair in zip(dense, sparse, strict=True)]

    def _search(
        self, collection: str, field: str, metric: str, queries: Any, limit: int, where: str
    ) -> list[list[Hit]]:
        if not 1 <= limit <= MAX_HITS:
            raise InputError(f"top-k is {limit}: ask for 1 to {MAX_HITS:,} chunks")
        found: list[list[Hit]] = []
        with self._asked("search", collection) as client:
            for batch in _slices(queries, max(1, min(_QUERIES, _HITS_AT_ONCE // limit))):
                answers = client.search(
                    collection,
                    data=list(batch),
                    anns_field=field,
                    limit=limit,
                    filter=where,
                    search_params={"metric_type": metric},
                    output_fields=["id"],
                )
                found.extend(_ranked(answer) for answer in answers)
        return found

    def _fields(self, collection: str, ids: Sequence[str], field: str) -> dict[str, str]:
        found: dict[str, str] = {}
        with self._asked("read from", collection) as client:
            for batch in _slices(ids, ROWS_AT_ONCE):
                rows = client.get(collection, ids=list(batch), output_fields=["id", field])
                found.update((row["id"], row[field]) for row in rows)
        return found

    @contextmanager
    def _asked(self, verb: str, collection: str) -> Generator[Any]:
        """The client, its errors told as ours."""
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
            kind = StoreUnavailable if passes(error) else StoreError
            raise kind(f"Milvus could not {verb} collection {collection}: {reason}") from error


def collection_name(corpus: str, chunking: str, embedding: str, identity: str = "") -> str:
    """Readable and legal in Milvus (letters, digits, `_`; at most 255), one for each combination.

    `identity` is that of the embedder, where it says more than the name of the `embedding`.
    """
    key = "\n".join([corpus, chunking, identity or embedding])
    words = re.sub(r"[^A-Za-z0-9]+", "_", f"{corpus}_{chunking}_{embedding}").strip("_")
    return f"ragset_{words[:200]}_{hashlib.sha256(key.encode()).hexdigest()[:8]}"


def _slices(items: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    for start in range(0, len(items), size):
        yield items[start : start + size]


def _ranked(answer: Iterable[Mapping[str, Any]]) -> list[Hit]:
    """Equal scores in the order of ids, whatever order Milvus met them in."""
    hits = (Hit(str(hit["id"]), float(hit["distance"])) for hit in answer)
    return sorted(hits, key=lambda hit: (-hit.score, hit.id))
