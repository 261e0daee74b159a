"""Embeddings on disk as they come, so that an interrupted run loses at most the batch under way."""

import shutil
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from ragset.embed.vectors import Vectors


class Pending:
    """A folder of batches, each with its ids and vectors, until a generation of the index takes them in."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def add(self, ids: Sequence[str], vectors: Vectors) -> None:
        """Keep one batch; on return it is on disk."""
        self._folder.mkdir(exist_ok=True)
        partial = self._folder / "batch.partial"
        with partial.open("wb") as file:
            np.savez(file, ids=np.array(ids), vectors=vectors)
        partial.replace(self._folder / f"{len(list(self._folder.glob('*.npz'))):06d}.npz")

    def batches(self, dimensions: int | None = None) -> Iterator[tuple[list[str], Vectors]]:
        """What is there, first to last; unreadable batches and those of another size are passed over."""
        for path in sorted(self._folder.glob("*.npz")):
            try:
                with path.open("rb") as raw, np.load(raw, allow_pickle=False) as file:
                    ids, vectors = file["ids"].tolist(), file["vectors"]
            except (OSError, ValueError, KeyError, zipfile.BadZipFile):
                continue
            if dimensions is None or vectors.shape[1] == dimensions:
                dimensions = vectors.shape[1]
                yield ids, vectors

    def clear(self) -> None:
        """Forget everything."""
        shutil.rmtree(self._folder, ignore_errors=True)
