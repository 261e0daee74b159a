"""Chunks to an index: embed what is new, keep what is known, drop what has left."""

import logging
from collections.abc import Iterable
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np

from ragset.errors import InputError, StoreError
from ragset.models import Chunk
from ragset.retrieval.bm25 import Statistics
from ragset.retrieval.embedding import Embedder, check_vectors
from ragset.retrieval.embedding.vectors import release
from ragset.retrieval.index.collection import Progress, ignore_progress, write_collection
from ragset.retrieval.index.files import (
    META,
    Index,
    Meta,
    Report,
    collection_name,
    index_folder,
    open_index,
    write_meta,
)
from ragset.retrieval.index.groups import Group, Prepare, prepare_groups
from ragset.retrieval.index.shared import NewChunks, bring_index, share_index
from ragset.retrieval.index.table import Keys, slabs, write_chunks
from ragset.retrieval.index.uses import mark_used
from ragset.retrieval.vector_store import VectorStore
from ragset.settings import ChunkingSettings
from ragset.settings.lock import locked

logger = logging.getLogger(__name__)


def build_index(
    chunks: Iterable[Chunk],
    *,
    corpus: str,
    chunking: ChunkingSettings,
    embedder: Embedder,
    home: Path,
    store: VectorStore,
    corpus_hash: str = "",
    progress: Progress = ignore_progress,
    filled: Progress = ignore_progress,
    keep: bool = False,
    prepare: Prepare | None = None,
) -> Index:
    """The index of exactly these chunks, in files below `home` and as a collection of `store`.

    `chunks` come as `write_chunks` takes them. A repeated id counts once, and known chunks are not embedded again. `progress` counts the new chunks that are
    embedded, `filled` the rows that the store has got. With `keep` this generation stays until the process ends. `prepare`
    embeds new chunks in other processes, as the `embedder` would here.

    Raises:
        IndexBusy: another run is writing this index.
        BudgetSpent: before all chunks were embedded; those that were are kept.
    """
    name = collection_name(corpus, chunking.name, embedder.name, embedder.identity)
    folder = index_folder(home, name)
    prepare = prepare or partial(prepare_groups, embedder=embedder, home=home)
    with locked(folder / "lock"):
        bring_index(home, name)
        known = _current(home, name)
        chunk_file = folder / "chunks.partial"
        try:
            keys = write_chunks(chunk_file, chunks, store.check_size)
            if not keys.ids:
                raise InputError(
                    f"corpus {corpus or name}: there are no chunks to index; name documents with more text"
                )
            before = known.rows if known else {}
            kept = sum(key in before for key in keys.ids)
            report = Report(added=len(keys.ids) - kept, kept=kept, removed=len(before) - kept)
            meta = Meta(
                corpus=corpus,
                chunking=chunking.name,
                embedding=embedder.name,
                embedded_by=embedder.identity,
                corpus_hash=corpus_hash,
                rows=len(keys.ids),
                dimensions=known.meta.dimensions if known else 0,
                digest=keys.digest,
            )
            if known is None or known.meta.digest != meta.digest:
                dimensions = _write_files(chunk_file, keys, meta, report, known, prepare, progress)
                meta = meta.model_copy(update={"dimensions": dimensions})
            write_meta(folder, meta, known.meta if known else None)
        finally:
            chunk_file.unlink(missing_ok=True)
        index = replace(open_index(home, name), report=report)
        share_index(index)
        index = write_collection(store, index, known, filled)
        (folder / META).touch()  # says when the index was last used
        if keep:
            mark_used(folder, index.meta.digest)
    logger.info("index %s: %d chunks, %d added, %d removed", name, len(index), report.added, report.removed)
    return index


def _current(home: Path, name: str) -> Index | None:
    """The current generation; None where there is none or its files are damaged."""
    if not (index_folder(home, name) / META).exists():
        return None
    try:
        return open_index(home, name)
    except (InputError, StoreError) as error:
        logger.warning("%s: this run makes it again", error)
        return None


def _write_files(
    chunk_file: Path,
    keys: Keys,
    meta: Meta,
    report: Report,
    known: Index | None,
    prepare: Prepare,
    progress: Progress,
) -> int:
    """Write the files of a new generation and return the size of its vectors.

    Those of `known` are copied and the others embedded; words are counted in what differs from it.
    """
    folder = chunk_file.parent
    path = folder / "vectors.partial"  # somebody may have mapped a file of the final name
    before = known.rows if known else {}
    statistics = known.statistics.copy() if known else Statistics()
    dimensions, done = meta.dimensions, 0
    progress(done, report.added)
    groups = (Group.of(number, ids, before) for number, ids in enumerate(slabs(keys.ids)))
    try:
        with path.open("wb") as file, closing(prepare(NewChunks(chunk_file, meta.digest), groups)) as prepared:
            for ids, (embedded, words) in zip(slabs(keys.ids), prepared, strict=True):
                places = [before.get(key) for key in ids]
                new = np.array([place is None for place in places])
                if new.any():
                    fresh = [key for key, place in zip(ids, places, strict=True) if place is None]
                    check_vectors(embedded, fresh, dimensions or None)
                    dimensions = embedded.shape[1]
                if not file.tell():
                    shape = {"descr": "<f4", "fortran_order": False, "shape": (meta.rows, dimensions)}
                    np.lib.format.write_array_header_1_0(file, shape)
                vectors = np.empty((len(ids), dimensions), dtype="<f4")
                if new.any():
                    vectors[new] = embedded
                if known and not new.all():
                    vectors[~new] = known.vectors[[place for place in places if place is not None]]
                    release(known.vectors)
                file.write(vectors.data)
                statistics.merge(words)
                done += len(embedded)
                progress(done, report.added)
        path.replace(folder / f"vectors-{meta.digest}.npy")
    finally:
        path.unlink(missing_ok=True)
    if known:
        now = set(keys.ids)
        gone = (row for row, key in enumerate(known.ids) if key not in now)
        for some in slabs(gone):
            statistics.add((chunk.text for chunk in known.chunks(some)), by=-1)
    statistics.save(folder / f"bm25-{meta.digest}.npz")
    chunk_file.replace(folder / f"chunks-{meta.digest}.parquet")
    return dimensions
