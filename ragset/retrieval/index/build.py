"""Chunks to an index: embed what is new, keep what is known, drop what has left."""

import logging
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

import numpy as np

from ragset.errors import InputError, StoreError
from ragset.models import Chunk
from ragset.retrieval.bm25 import Statistics
from ragset.retrieval.embedding import Embedder, Vectors, check_vectors
from ragset.retrieval.index.collection import write_collection
from ragset.retrieval.index.files import (
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
from ragset.retrieval.index.table import Keys, read_chunks, slabs, write_chunks
from ragset.retrieval.index.uses import mark_used
from ragset.retrieval.milvus.rows import storable
from ragset.retrieval.milvus.store import Store, collection_name
from ragset.settings import OFFLINE, ChunkingSettings
from ragset.settings.lock import locked
from ragset.text.words import TOKENS

logger = logging.getLogger(__name__)


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
    corpus, strategy and embedding already is not embedded again. `progress` is told how many of the new
    chunks are embedded, and how many there are;
    `filled` how many rows the store has got, of those that it has to get.

    Raises:
        InputError: there are no chunks, or one is longer than Milvus stores.
        EmbeddingError: a vector cannot be stored; it names the chunk.
        StoreError: Milvus fails, or another run is writing this index.
        ProviderRefused, LLMUnavailable, BudgetSpent: from the embedder.
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
                embedded_by=embedder.identity,
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
                index = replace(there, meta=meta, report=_report(keys, known))
            else:
                index = _new_generation(folder, partial, meta, keys, known, embedder, progress)
        finally:
            partial.unlink(missing_ok=True)
        # Words that are cut another way change the weights of every chunk.
        index = write_collection(store, index, known if known and known.meta.version == TOKENS else None, filled)
        (folder / META).touch()  # says when the index was last used
        if keep:
            mark_used(folder, index.meta.digest)
    report = index.report
    logger.info("index %s: %d chunks, %d added, %d removed", name, len(index), report.added, report.removed)
    return index


def _known(home: Path, name: str) -> Index | None:
    """The current generation; None where there is none or its files are damaged."""
    if not (index_folder(home, name) / META).exists():
        return None
    try:
        return open_index(home, name)
    except (InputError, StoreError) as error:
        logger.warning("%s: this run makes it again", error)
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
    if known and known.meta.version != TOKENS and embedder.name.startswith(OFFLINE):
        known = None  # its vectors are made of words
    report = _report(keys, known)
    # Not in its place: somebody may have mapped a file of that name.
    vectors = folder / "vectors.partial"
    done = 0

    def tell(more: int) -> None:
        nonlocal done
        done += more
        if progress:
            progress(done, report.added)

    try:
        dimensions = _write_vectors(vectors, partial, meta, known, embedder, tell)
        vectors.replace(folder / f"vectors-{meta.digest}.npy")
    finally:
        vectors.unlink(missing_ok=True)
    meta = meta.model_copy(update={"dimensions": dimensions})
    Statistics.of(chunk.text for chunk in read_chunks(partial)).save(folder / f"bm25-{meta.digest}.npz")
    partial.replace(folder / f"chunks-{meta.digest}.parquet")
    write_meta(folder, meta, known.meta if known else None)
    return replace(open_index(folder.parent.parent, folder.name), report=report)


def _report(keys: Keys, known: Index | None) -> Report:
    before = known.rows if known else {}
    kept = sum(key in before for key in keys.ids)
    return Report(added=len(keys.ids) - kept, kept=kept, removed=len(before) - kept)


def _write_vectors(
    path: Path, chunk_file: Path, meta: Meta, known: Index | None, embedder: Embedder, tell: Callable[[int], None]
) -> int:
    """A row for each chunk of the file, in its order: those of `known` copied, the others embedded; the size of a vector."""
    before = known.rows if known else {}
    vectors: Vectors | None = None
    dimensions, first = meta.dimensions, 0
    tell(0)
    for chunks in slabs(read_chunks(chunk_file)):
        rows = range(first, first + len(chunks))
        fresh = {row: chunk for row, chunk in zip(rows, chunks, strict=True) if chunk.id not in before}
        embedded = None
        if fresh:
            texts, ids = [chunk.text for chunk in fresh.values()], [chunk.id for chunk in fresh.values()]
            embedded = check_vectors(embedder.embed(texts), ids, dimensions or None)
            dimensions = embedded.shape[1]
        if vectors is None:
            vectors = np.lib.format.open_memmap(path, mode="w+", dtype=np.float32, shape=(meta.rows, dimensions))
        if embedded is not None:
            vectors[list(fresh)] = embedded
        old = {row: before[chunk.id] for row, chunk in zip(rows, chunks, strict=True) if chunk.id in before}
        if known and old:
            vectors[list(old)] = known.vectors[list(old.values())]
        tell(len(fresh))
        first = rows.stop
    assert vectors is not None  # there is at least one chunk
    vectors.flush()
    return dimensions
