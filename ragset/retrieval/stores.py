"""The vector stores there are, and opening the one that the environment names.

To add one, write a module with its `VectorStore` and put a line into `stores`.
"""

from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path
from typing import NamedTuple

from ragset.errors import InputError
from ragset.retrieval.milvus.connection import load_pymilvus, local_collections
from ragset.retrieval.milvus.reading import CollectionRows, collection_rows
from ragset.retrieval.milvus.store import open_milvus
from ragset.retrieval.vector_store import VectorStore
from ragset.settings import Environment


class StoreKind(NamedTuple):
    """One kind of vector store."""

    open: Callable[[Environment], VectorStore]
    preload: Callable[[], object] = lambda: None
    local_collections: Callable[[Environment], list[Path]] = lambda _env: []
    """The folders on this machine that hold the collections, named like them."""
    collection_rows: Callable[[Environment, str, str], AbstractContextManager[CollectionRows]] = collection_rows
    """Of a collection that another program wrote, with the vectors of one field."""


_MILVUS = StoreKind(open_milvus, load_pymilvus, local_collections)
# By the scheme of the address in MILVUS_URI; empty: a file, or no address.
stores: dict[str, StoreKind] = dict.fromkeys(("", "http", "https", "tcp", "unix"), _MILVUS)


@contextmanager
def open_store(env: Environment) -> Generator[VectorStore]:
    """The store that `env` names, closed after the block; without an address Milvus Lite in a file of `ragset_home`."""
    with closing(store_kind(env).open(env)) as store:
        yield store


def is_shared(env: Environment) -> bool:
    """Whether several processes can open the store at once: a server, and no file."""
    return "://" in (env.milvus_uri or "")


def store_kind(env: Environment) -> StoreKind:
    """The kind of the store that `env` names."""
    scheme, separator, _ = (env.milvus_uri or "").partition("://")
    if kind := stores.get(scheme if separator else ""):
        return kind
    known = ", ".join(f"{name}://" for name in stores if name)
    raise InputError(f"MILVUS_URI: {scheme}:// is no known vector store; there are {known}, and files ending in .db")
