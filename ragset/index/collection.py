"""The copy of an index in Milvus, brought up to date with as little writing as is safe.

A file beside the index says which generation a Milvus holds. It is away while the collection is written,
so a run that was killed meanwhile leaves none, and the collection is written anew, as it is when its
number of rows or a sample of its ids are not what the files say.
"""

import logging
from collections.abc import Iterator

import numpy as np
from pydantic import ValidationError

from ragset.bm25 import tokenise
from ragset.errors import StoreError
from ragset.index.files import Index, replace_text
from ragset.index.table import read_chunks
from ragset.lock import locked
from ragset.models import Model
from ragset.store import Row, Store

logger = logging.getLogger(__name__)

_SAMPLE = 256


class Stored(Model):
    """What a Milvus holds of an index."""

    digest: str
    typical_length: float
    """With which its BM25 weights were computed."""


def store_index(index: Index, store: Store) -> None:
    """Make sure that `store` holds the collection of `index` as its files say, and that it is loaded.

    Raises:
        StoreError: Milvus fails, or another run is writing this index.
    """
    with locked(index.folder / "lock"):
        write_collection(store, index, index)


def write_collection(store: Store, index: Index, before: Index | None) -> None:
    """`store_index`, for who holds the lock; `before` is the generation that the store may hold still."""
    path = index.folder / f"stored-{store.digest}.json"
    wanted = Stored(digest=index.meta.digest, typical_length=index.statistics.typical_length)
    try:
        held = Stored.model_validate_json(path.read_bytes())
    except (FileNotFoundError, ValidationError):
        held = None
    if held == wanted and _intact(store, index):
        return
    path.unlink(missing_ok=True)
    changed_in_place = (
        held is not None
        and before is not None
        and held != wanted
        and held == wanted.model_copy(update={"digest": before.meta.digest})
        and _apply_changes(store, index, before)
    )
    if not changed_in_place:
        logger.info("collection %s: writing all of its %d rows", index.collection, len(index))
        store.create(index.collection, index.meta.dimensions)
        store.upsert(index.collection, _rows(index))
    store.load(index.collection)
    if not _matches(store, index):
        raise StoreError(
            f"collection {index.collection} has {store.count(index.collection)} rows instead of {len(index)} "
            "after writing; is something else writing to this Milvus?"
        )
    replace_text(path, wanted.model_dump_json() + "\n")


def _intact(store: Store, index: Index) -> bool:
    """Whether the collection can be loaded and matches; one that Milvus cannot read is written anew."""
    try:
        if not store.has(index.collection):
            return False
        store.load(index.collection)
        return _matches(store, index)
    except StoreError as error:
        logger.warning("%s", error)
        return False


def _apply_changes(store: Store, index: Index, before: Index) -> bool:
    """Write what differs from `before`; whether the collection then holds the rows of `index`."""
    old = dict(zip(before.ids, before.keys.marks.tolist(), strict=True))
    new = dict(zip(index.ids, index.keys.marks.tolist(), strict=True))
    try:
        if not store.has(index.collection):
            return False
        store.load(index.collection)
        store.upsert(index.collection, _rows(index, {key for key, mark in new.items() if old.get(key) != mark}))
        store.delete(index.collection, [key for key in before.ids if key not in new])
    except StoreError as error:
        logger.warning("%s", error)
        return False
    return _intact(store, index)


def _matches(store: Store, index: Index) -> bool:
    """Whether the number of rows is right and ids spread over the index are all there."""
    if store.count(index.collection) != len(index):
        return False
    places = np.unique(np.linspace(0, len(index) - 1, _SAMPLE).astype(np.int64))
    ids = [index.ids[place] for place in places]
    return len(store.existing(index.collection, ids)) == len(ids)


def _rows(index: Index, only: set[str] | None = None) -> Iterator[Row]:
    for row, chunk in enumerate(read_chunks(index.chunk_file)):
        if only is None or chunk.id in only:
            yield Row(chunk, index.vectors[row], index.statistics.document_weights(tokenise(chunk.text)))
