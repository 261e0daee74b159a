"""What a vector must be before it is stored."""

import mmap
from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ragset.errors import EmbeddingError

Vectors: TypeAlias = NDArray[np.float32]  # a row for each text


def check_vectors(vectors: Vectors, ids: Sequence[str], size: int | None = None) -> Vectors:
    """`vectors`, when there is one for each id and every one is finite, not zero and of `size` (None: any)."""
    if vectors.ndim != 2 or len(vectors) != len(ids):
        first = f" from {ids[0]} on" if ids else ""
        raise EmbeddingError(f"{len(ids)} chunks{first}: their vectors came in the shape {vectors.shape}")
    if size is not None and len(ids) and vectors.shape[1] != size:
        raise EmbeddingError(
            f"chunk {ids[0]}: its vector has {vectors.shape[1]} numbers, the index has {size}; "
            "was the model behind this name changed? Then index under another corpus name"
        )
    usable = np.isfinite(vectors).all(axis=1) & vectors.any(axis=1)
    if not usable.all():
        raise EmbeddingError(
            f"chunk {ids[int(np.argmin(usable))]}: its vector is all zero, or holds NaN or an infinite number"
        )
    return vectors


def normalised(vectors: NDArray[np.float32] | NDArray[np.float64]) -> Vectors:
    """Rows of length 1 as float32; rows that have no length (zero, NaN, infinite) as they are."""
    wide = np.asarray(vectors, dtype=np.float64)
    norms = np.sqrt(np.einsum("ij,ij->i", wide, wide))
    usable = np.isfinite(norms) & (norms > 0)
    return (wide / np.where(usable, norms, 1.0)[:, None]).astype(np.float32)


def release(vectors: Vectors) -> None:
    """Let go of the memory that reading a mapped file took; it stays in the system's cache. Others stay as they are."""
    if isinstance(vectors.base, mmap.mmap):
        release_file(vectors.base)


def release_file(mapped: mmap.mmap) -> None:
    """As `release`, of all of a mapped file."""
    if hasattr(mmap, "MADV_DONTNEED"):
        mapped.madvise(mmap.MADV_DONTNEED)
