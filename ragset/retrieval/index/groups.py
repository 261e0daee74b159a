"""Row groups of a file of chunks: their new chunks embedded, their words counted."""

import hashlib
from collections.abc import Callable, Container, Generator, Iterable, Iterator, Sequence
from pathlib import Path
from typing import BinaryIO, NamedTuple, Self

import numpy as np

from ragset.errors import StoreError
from ragset.retrieval.bm25 import Statistics
from ragset.retrieval.embedding import Embedder
from ragset.retrieval.embedding.vectors import Vectors
from ragset.retrieval.index.shared import NewChunks
from ragset.retrieval.index.table import read_groups


class Group(NamedTuple):
    """A row group, and what of it is wanted."""

    number: int
    digest: bytes  # of its ids
    new: tuple[int, ...]  # rows within the group whose texts are embedded, and their words counted

    @classmethod
    def of(cls, number: int, ids: Sequence[str], known: Container[str]) -> Self:
        """With the chunks that are not `known`."""
        return cls(number, _digest(ids), tuple(row for row, key in enumerate(ids) if key not in known))


class Prepared(NamedTuple):
    """What became of a row group."""

    vectors: Vectors  # of the rows that were to be embedded
    statistics: Statistics


NOTHING = Prepared(np.empty((0, 0), dtype="<f4"), Statistics())
"""Of a group of which nothing is wanted."""

Prepare = Callable[[NewChunks, Iterable[Group]], Generator[Prepared]]
"""Prepares row groups of a file, in their order."""


def prepare_groups(chunks: NewChunks, groups: Iterable[Group], embedder: Embedder, home: Path) -> Generator[Prepared]:
    """Each group in turn; one of which nothing is wanted is not read."""
    path = chunks.here(home)
    with read_groups(path) as read:
        for group in groups:
            if not group.new:
                yield NOTHING
                continue
            found = read(group.number)
            if _digest([chunk.id for chunk in found]) != group.digest:
                raise StoreError(f"{path}: has other chunks than the run that makes it; run the same command again")
            texts = [found[row].text for row in group.new]
            yield Prepared(embedder.embed(texts), Statistics.of(texts))


def _digest(ids: Sequence[str]) -> bytes:
    return hashlib.blake2b("\n".join(ids).encode(), digest_size=16).digest()


def write_prepared(file: BinaryIO, groups: Iterable[Prepared]) -> None:
    """Write several groups into one file."""
    for group in groups:
        for array in (group.vectors, *group.statistics.arrays()):
            np.save(file, array, allow_pickle=False)


def parse_prepared(file: BinaryIO, count: int) -> Iterator[Prepared]:
    """The groups that `write_prepared` wrote, one at a time."""
    for _ in range(count):
        vectors, *statistics = (np.load(file, allow_pickle=False) for _ in range(4))
        yield Prepared(vectors, Statistics.of_arrays(*statistics))
