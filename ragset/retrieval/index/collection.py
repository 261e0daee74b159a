"""The copy of an index in a vector store, brought up to date with as little writing as is safe.

A mark, a file beside the index, says which generation a collection holds; it is away while the collection is written. A
collection is filled anew if its mark is missing, or its number of rows or a sample of its ids is wrong. While a run
uses one, the next generation gets a collection of its own, which is removed when no run uses it any more.
"""

import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from pydantic import ValidationError

from ragset.errors import StoreError
from ragset.models import Model
from ragset.retrieval.embedding.vectors import release
from ragset.retrieval.index.files import Index
from ragset.retrieval.index.table import read_chunks, slabs
from ragset.retrieval.index.uses import in_use
from ragset.retrieval.vector_store import Row, VectorStore
from ragset.settings.whole_file import replace_text
from ragset.text.words import tokenise

logger = logging.getLogger(__name__)

Progress = Callable[[int, int], None]  # called with what is done and the total

_SAMPLE = 256


class Mark(Model):
    """What a collection holds."""

    digest: str
    typical_length: float  # with which its BM25 weights were computed; 0 where the store takes none


def ignore_progress(_done: int, _total: int) -> None:
    """Where no progress is asked for."""


def write_collection(
    store: VectorStore, index: Index, before: Index | None, progress: Progress = ignore_progress
) -> Index:
    """Make sure that `store` holds a collection of `index`, and that it is loaded; the index as stored.

    The caller holds the lock of the folder. The store may still hold `before`. `progress` counts the rows to write.
    """
    typical_length = index.statistics.typical_length if store.takes_sparse else 0.0
    wanted = Mark(digest=index.meta.digest, typical_length=typical_length)
    used = in_use(index.folder)
    shared, own = replace(index, stored_as=""), replace(index, stored_as=_own_name(index.folder, index.meta.digest))
    for one in (shared, own):
        if _read(_mark(one, store)) == wanted and _intact(store, one):
            index = one
            break
    else:
        held = _read(_mark(shared, store))
        index = own if held is not None and held.digest in used - {wanted.digest} else shared
        _write(store, index, before, wanted, progress)
    for path in sorted(index.folder.glob(f"stored-{store.digest}*.json")):
        held = _read(path)
        if path != _mark(index, store) and held is not None and held.digest not in used:
            is_own = path.stem != f"stored-{store.digest}"
            store.drop(_own_name(index.folder, held.digest) if is_own else index.folder.name)
            path.unlink()
    return index


def _write(store: VectorStore, index: Index, before: Index | None, wanted: Mark, progress: Progress) -> None:
    path = _mark(index, store)
    held = _read(path)
    path.unlink(missing_ok=True)
    changed_in_place = (
        before is not None
        and held != wanted
        and held == wanted.model_copy(update={"digest": before.meta.digest})
        and _write_changes(store, index, before, progress)
    )
    if not changed_in_place:
        logger.info("collection %s: writing all of its %d rows", index.collection, len(index))
        store.create(index.collection, index.meta.dimensions)
        progress(0, len(index))
        store.upsert(index.collection, _rows(store, index), lambda written: progress(written, len(index)))
    if not _intact(store, index):
        found = f"{store.count(index.collection)} rows instead of {len(index)} after writing"
        raise StoreError(f"collection {index.collection} has {found}; is something else writing to this store?")
    replace_text(path, wanted.model_dump_json() + "\n")


def _write_changes(store: VectorStore, index: Index, before: Index, progress: Progress) -> bool:
    """Write what differs from `before`; whether the collection then holds the rows of `index`."""
    marks = dict(zip(before.ids, before.marks.tolist(), strict=True))
    rows = enumerate(zip(index.ids, index.marks.tolist(), strict=True))
    changed = [row for row, (key, mark) in rows if marks.get(key) != mark]
    try:
        if not store.has(index.collection):
            return False
        store.load(index.collection)
        progress(0, len(changed))
        store.upsert(index.collection, _rows(store, index, changed), lambda written: progress(written, len(changed)))
        store.delete(index.collection, [key for key in before.ids if key not in index.rows])
    except StoreError as error:
        logger.warning("%s", error)
        return False
    return _intact(store, index)


def _own_name(folder: Path, digest: str) -> str:
    return f"{folder.name}_{digest[:8]}"


def _mark(index: Index, store: VectorStore) -> Path:
    own = f"-{index.meta.digest[:8]}" if index.stored_as else ""
    return index.folder / f"stored-{store.digest}{own}.json"


def _read(path: Path) -> Mark | None:
    try:
        return Mark.model_validate_json(path.read_bytes())
    except (FileNotFoundError, ValidationError):
        return None


def _intact(store: VectorStore, index: Index) -> bool:
    """Whether the collection can be loaded, its number of rows is right, and ids spread over the index are all there."""
    try:
        if not store.has(index.collection):
            return False
        store.load(index.collection)
        if store.count(index.collection) != len(index):
            return False
        places = np.unique(np.linspace(0, len(index) - 1, _SAMPLE).astype(np.int64))
        ids = [index.ids[place] for place in places]
        return len(store.existing(index.collection, ids)) == len(ids)
    except StoreError as error:
        logger.warning("%s", error)
        return False


def _rows(store: VectorStore, index: Index, only: Sequence[int] | None = None) -> Iterator[Row]:
    if only is None:
        chunks = enumerate(read_chunks(index.chunk_file))
    else:
        chunks = ((row, chunk) for rows in slabs(only) for row, chunk in zip(rows, index.chunks(rows), strict=True))
    for some in slabs(chunks):
        vectors = index.vectors[[row for row, _ in some]]
        release(index.vectors)
        for (_, chunk), vector in zip(some, vectors, strict=True):
            weights = index.statistics.document_weights(tokenise(chunk.text)) if store.takes_sparse else {}
            yield Row(chunk, vector, weights)
