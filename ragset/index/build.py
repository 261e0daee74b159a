"""Chunks to an index: embed what is new, keep what is known, drop what has left."""

import logging
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

import numpy as np

from ragset.bm25 import TOKENS, Statistics
from ragset.embed import Embedder, check_vectors
from ragset.errors import InputError, StoreError
from ragset.index.collection import write_collection
from ragset.index.files import (
    META,
    Index,
    Meta,
    Report,
    generation,
    index_folder,
    open_index,
    remove_unused,
    write_meta,
)
from ragset.index.pending import Pending
from ragset.index.table import Keys, read_chunks, write_chunks
from ragset.index.uses import keep_generation
from ragset.lock import locked
from ragset.models import Chunk
from ragset.rows import storable
from ragset.settings import OFFLINE, ChunkingSettings
from ragset.store import Store, collection_name

logger = logging.getLogger(__name__)

_TEXTS = 512
"""Embedded together and kept together: what an interrupted run may lose."""
_ROWS = 8_192
"""Vectors copied at a time."""


def build_index(
    chunks: Iterable[Chunk],
    *,
    corpus: str,
    chunking: ChunkingSettings,
    embedder: Embedder,
    home: Path,
    store: Store,
    corpus_hash: str = "",
    progress: Callable[[int, int], None] | None = None,
    filled: Callable[[int, int], None] | None = None,
    keep: bool = False,
) -> Index:
    """The index of exactly these chunks, in files below `home` and as a collection of `store`.

    With `keep` it stays as it is until this process ends, whatever other runs index meanwhile.

    `chunks` is read once, as a stream; a repeated id counts once. A chunk that is in the index of this
    corpus, strategy and embedding already, or that an interrupted run has embedded, is not embedded
    again. `progress` is told how many of the new chunks are embedded, and how many there are;
    `filled` how many rows the store has got, of those that it has to get.

    Raises:
        InputError: there are no chunks, or one is longer than Milvus stores.
        EmbeddingError: a vector cannot be stored; it names the chunk.
        StoreError: Milvus fails, or another run is writing this index.
        ProviderRefused, LLMUnavailable: from the embedder; what was embedded until then is kept.
    """
    name = collection_name(corpus, chunking.name, embedder.name, embedder.identity)
    folder = index_folder(home, name)
    with locked(folder / "lock"):
        known = _known(home, name)
        partial = folder / "chunks.partial"
        try:
            keys = write_chunks(partial, map(storable, chunks))
            if not keys.ids:
                raise InputError(f"corpus {corpus or name}: there are no chunks to index")
            meta = Meta(
                corpus=corpus,
                chunking=chunking.name,
                embedding=embedder.name,
                corpus_hash=corpus_hash,
                rows=len(keys.ids),
                dimensions=known.meta.dimensions if known else 0,
                digest=generation(keys, TOKENS),
            )
            there = _there(home, name, meta, known)
            if there is not None:
                if there is not known or there.meta != meta:
                    write_meta(folder, meta, known.meta if known else None)
                else:
                    remove_unused(folder, meta)
                index = replace(there, meta=meta, report=_report(keys, known, embedded=0))
            else:
                index = _new_generation(folder, partial, meta, keys, known, embedder, progress)
        finally:
            partial.unlink(missing_ok=True)
        # Words that are cut another way change the weights of every chunk.
        index = write_collection(store, index, known if known and known.meta.version == TOKENS else None, filled)
        if keep:
            keep_generation(folder, index.meta.digest)
    logger.info(
        "index %s: %d chunks, %d added, %d removed, %d embedded",
        name,
        len(index),
        index.report.added,
        index.report.removed,
        index.report.embedded,
    )
    return index


def _known(home: Path, name: str) -> Index | None:
    """The current generation; None where there is none or its files are damaged."""
    if not (index_folder(home, name) / META).exists():
        return None
    try:
        return open_index(home, name)
    except (InputError, StoreError) as error:
        logger.warning("%s: all chunks are embedded again", error)
        return None


def _there(home: Path, name: str, meta: Meta, known: Index | None) -> Index | None:
    """The generation of `meta` where it is on disk: the current one, or an earlier one that somebody works with."""
    if known is None or known.meta.digest == meta.digest:
        return known
    try:
        return open_index(home, name, meta.digest)
    except StoreError:
        return None


def _new_generation(
    folder: Path,
    partial: Path,
    meta: Meta,
    keys: Keys,
    known: Index | None,
    embedder: Embedder,
    progress: Callable[[int, int], None] | None,
) -> Index:
    pending = Pending(folder / "pending")
    if known and known.meta.version != TOKENS and embedder.name.startswith(OFFLINE):
        known = None  # its vectors are made of words
    kept = known.rows if known else {}
    added = {key for key in keys.ids if key not in kept}
    embedded, dimensions = _embed_missing(partial, added, pending, meta.dimensions, embedder, progress)
    meta = meta.model_copy(update={"dimensions": dimensions})
    # Not in its place: somebody may have mapped a file of that name.
    vectors = folder / "vectors.partial"
    _write_vectors(vectors, keys, known, pending, dimensions)
    vectors.replace(folder / f"vectors-{meta.digest}.npy")
    Statistics.of(chunk.text for chunk in read_chunks(partial)).save(folder / f"bm25-{meta.digest}.npz")
    partial.replace(folder / f"chunks-{meta.digest}.parquet")
    write_meta(folder, meta, known.meta if known else None)
    pending.clear()
    return replace(open_index(folder.parent.parent, folder.name), report=_report(keys, known, embedded))


def _report(keys: Keys, known: Index | None, embedded: int) -> Report:
    before = known.rows if known else {}
    kept = sum(key in before for key in keys.ids)
    return Report(added=len(keys.ids) - kept, kept=kept, removed=len(before) - kept, embedded=embedded)


def _embed_missing(
    chunk_file: Path,
    added: set[str],
    pending: Pending,
    dimensions: int,
    embedder: Embedder,
    progress: Callable[[int, int], None] | None,
) -> tuple[int, int]:
    """Embed the added chunks that are not pending yet; how many, and the size of the vectors.

    `dimensions` is 0 while unknown.
    """
    done: set[str] = set()
    for ids, vectors in pending.batches(dimensions or None):
        done.update(added.intersection(ids))
        dimensions = vectors.shape[1]
    tell = progress or _tell_nobody
    tell(len(done), len(added))
    embedded = 0
    batch: list[Chunk] = []

    def flush() -> None:
        nonlocal embedded, dimensions
        ids = [chunk.id for chunk in batch]
        vectors = check_vectors(embedder.embed([chunk.text for chunk in batch]), ids, dimensions or None)
        dimensions = vectors.shape[1]
        pending.add(ids, vectors)
        embedded += len(batch)
        batch.clear()
        tell(len(done) + embedded, len(added))

    for chunk in read_chunks(chunk_file):
        if chunk.id in added and chunk.id not in done:
            batch.append(chunk)
            if len(batch) == _TEXTS:
                flush()
    if batch:
        flush()
    return embedded, dimensions


def _write_vectors(path: Path, keys: Keys, known: Index | None, pending: Pending, dimensions: int) -> None:
    """Old and new vectors in the order of `keys`, a slab at a time."""
    rows = {key: row for row, key in enumerate(keys.ids)}
    vectors = np.lib.format.open_memmap(path, mode="w+", dtype=np.float32, shape=(len(rows), dimensions))
    if known is not None:
        pairs = np.array(
            [(rows[key], row) for row, key in enumerate(known.ids) if key in rows], dtype=np.int64
        ).reshape(-1, 2)
        for start in range(0, len(pairs), _ROWS):
            new, old = pairs[start : start + _ROWS].T
            vectors[new] = known.vectors[old]
    for ids, batch in pending.batches(dimensions):
        places = [(rows[key], place) for place, key in enumerate(ids) if key in rows]
        if places:
            new, old = np.array(places, dtype=np.int64).T
            vectors[new] = batch[old]
    vectors.flush()


def _tell_nobody(done: int, total: int) -> None:
    """Where no progress is asked for."""
    del done, total
