"""The rows of a collection that another program wrote, which stays as it is.

Milvus Lite writes index files when it loads a collection, so a copy of its folder is read. A server is asked to load the collection
if it is not loaded, and to release it afterwards.
"""

import os
import shutil
from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from ragset.errors import InputError, StoreError
from ragset.retrieval.milvus.connection import connect
from ragset.retrieval.milvus.store import MilvusStore
from ragset.settings import Environment
from ragset.settings.lock import hold

_ROWS_AT_ONCE = 1_000
_VECTORS = range(100, 110)  # the types of vectors, of which texts need none


class CollectionRows(NamedTuple):
    """A collection as it is read."""

    primary: str  # the name of the field of ids
    rows: Iterator[dict[str, Any]]  # in the order of the store; fields that no schema names are among the others


@contextmanager
def collection_rows(env: Environment, collection: str, vector: str = "") -> Generator[CollectionRows]:
    """The rows of a collection of the Milvus that `env` names; of its vectors, those of the field `vector` alone.

    Raises:
        InputError: there is no such file, collection or field.
        StoreError: it cannot be read, or other rows came than it counts.
    """
    with _readable(env) as readable, closing(MilvusStore(connect(readable))) as store:
        if not store.has(collection):
            raise InputError(f"{env.milvus_uri}: has no collection {collection}; it has {_others(store, collection)}")
        with store.asked("read", collection) as client:
            schema: dict[str, Any] = client.describe_collection(collection)
            was_loaded = "Loaded" in str(client.get_load_state(collection)["state"])
        fields: dict[str, Any] = {field["name"]: field for field in schema["fields"]}
        if vector and vector not in fields:
            raise InputError(f"{env.milvus_uri}: collection {collection} has no field {vector}: {', '.join(fields)}")
        store.load(collection)
        wanted = [name for name, field in fields.items() if name == vector or int(field["type"]) not in _VECTORS]
        if schema.get("enable_dynamic_field"):
            wanted = ["*"]
        try:
            primary = next(name for name, field in fields.items() if field.get("is_primary"))
            yield CollectionRows(primary, _rows(store, collection, primary, wanted))
        finally:
            if not was_loaded:
                with store.asked("release", collection) as client:
                    client.release_collection(collection)


def _rows(store: MilvusStore, collection: str, primary: str, fields: list[str]) -> Iterator[dict[str, Any]]:
    seen: set[Any] = set()
    with store.asked("read", collection) as client:
        iterator = client.query_iterator(collection, batch_size=_ROWS_AT_ONCE, output_fields=fields)
        while batch := iterator.next():
            for row in batch:
                seen.add(row[primary])
                yield dict(row)
        iterator.close()
    if len(seen) != (count := store.count(collection)):
        raise StoreError(f"collection {collection}: gave {len(seen):,} of {count:,} rows; is something writing to it?")


def _others(store: MilvusStore, collection: str) -> str:
    with store.asked("look for", collection) as client:
        return ", ".join(sorted(client.list_collections())) or "none"


@contextmanager
def _readable(env: Environment) -> Generator[Environment]:
    """The environment with the address of what can be opened: a server's own, or that of a copy of a file."""
    if "://" in (env.milvus_uri or ""):
        yield env
        return
    path = Path(env.milvus_uri or "")
    if not path.exists():
        raise InputError(f"{path}: there is no such Milvus Lite file")
    if not (path / "LOCK").is_file():
        raise InputError(
            f"{path}: Milvus Lite 3 did not write this (of version 2 it is a single file); write its chunks to a JSON Lines file "
            "with the version that made it, and name that"
        )
    if (held := hold(path / "LOCK")) is None:
        raise StoreError(f"{path}: another process holds this Milvus Lite file; wait for it to end, or name its server")
    with TemporaryDirectory(prefix="ragset-") as folder:
        try:
            copy = Path(shutil.copytree(path, Path(folder) / "copy.db"))
        finally:
            os.close(held)
        yield env.model_copy(update={"milvus_uri": str(copy)})
