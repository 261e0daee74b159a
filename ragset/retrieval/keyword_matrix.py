"""BM25 without a vector store: for passages that none holds, and for stores that take no sparse vectors."""

import mmap
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from ragset.retrieval.bm25 import Statistics
from ragset.retrieval.embedding.vectors import release_file
from ragset.text.words import tokenise

BLOCK = 2**16  # texts whose weights are in memory together while a matrix is made


class Block(NamedTuple):
    """The weights of some texts by term: a term's are from the end of the one before it to its own end."""

    terms: NDArray[np.uint32]  # ascending
    ends: NDArray[np.int64]
    rows: NDArray[np.uint32]
    weights: NDArray[np.float32]


@dataclass(frozen=True)
class KeywordMatrix:
    """The BM25 weights of texts, a row for each; 8 bytes for each distinct word of a text."""

    rows: int
    blocks: Sequence[Block]
    file: mmap.mmap | None = None

    @classmethod
    def of(cls, texts: Sequence[str], statistics: Statistics) -> Self:
        """In memory."""
        return cls(len(texts), [*make_blocks(texts, statistics)])

    @classmethod
    def open(cls, path: Path, rows: int) -> Self:
        """Of the file that `write_matrix` wrote, mapped: what queries ask for is read."""
        import pyarrow as pa

        with path.open("rb") as file:
            mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        batches = pa.ipc.open_file(pa.py_buffer(mapped))
        blocks = [_block(batches.get_batch(place)) for place in range(batches.num_record_batches)]
        return cls(rows, blocks, mapped)

    def release(self) -> None:
        """Let go of the memory that queries took; it stays in the system's cache."""
        if self.file is not None:
            release_file(self.file)

    def scores(self, query: Mapping[int, float]) -> NDArray[np.float32]:
        """Of each row for the weights of a query; 0 where they share no word."""
        found = np.zeros(self.rows, dtype=np.float32)
        wanted = np.array(list(query), dtype=np.uint32)
        for block in self.blocks:
            places = np.searchsorted(block.terms, wanted)
            for term, place in zip(wanted.tolist(), places.tolist(), strict=True):
                if place < len(block.terms) and block.terms[place] == term:
                    of_term = slice(int(block.ends[place - 1]) if place else 0, int(block.ends[place]))
                    found[block.rows[of_term]] += block.weights[of_term] * np.float32(query[term])
        return found


def make_blocks(texts: Iterable[str], statistics: Statistics) -> Iterator[Block]:
    """The weights of all texts, those of `BLOCK` texts at a time."""
    texts, first = iter(texts), 0
    while some := [*islice(texts, BLOCK)]:
        terms, rows, weights = array("I"), array("I"), array("f")
        for row, text in enumerate(some, start=first):
            if tokens := tokenise(text):
                known = statistics.document_weights(tokens)
                terms.extend(known)
                weights.extend(known.values())
                rows.extend([row] * len(known))
        first += len(some)
        by_term = np.argsort(np.frombuffer(terms, np.uint32), kind="stable")
        distinct, counts = np.unique(np.frombuffer(terms, np.uint32), return_counts=True)
        of = (np.frombuffer(rows, np.uint32)[by_term], np.frombuffer(weights, np.float32)[by_term])
        yield Block(distinct, np.cumsum(counts, dtype=np.int64), *of)


def write_matrix(path: Path, texts: Iterable[str], statistics: Statistics) -> None:
    """Write the matrix of these texts as an Arrow file with a record batch for each block."""
    import pyarrow as pa

    schema = pa.schema({"term": pa.uint32(), "rows": pa.list_(pa.uint32()), "weights": pa.list_(pa.float32())})
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, schema) as writer:
        for block in make_blocks(texts, statistics):
            offsets = pa.array(np.concatenate([[0], block.ends]), pa.int32())
            lists = (pa.ListArray.from_arrays(offsets, pa.array(values)) for values in (block.rows, block.weights))
            writer.write_batch(pa.record_batch([pa.array(block.terms), *lists], schema=schema))


def _block(batch: Any) -> Block:
    terms, rows, weights = (batch.column(place) for place in range(3))
    ends = rows.offsets.to_numpy()[1:]
    return Block(terms.to_numpy(), ends, rows.values.to_numpy(), weights.values.to_numpy())
