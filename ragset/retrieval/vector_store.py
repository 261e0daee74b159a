"""What ragset asks of a vector store. `ragset.retrieval.stores` opens one."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from ragset.models import Chunk
from ragset.retrieval.embedding.vectors import Vectors
from ragset.retrieval.fusion import Hit


class Row(NamedTuple):
    """A chunk as stored."""

    chunk: Chunk
    dense: Any  # its vector: one row of `Vectors`
    bm25: Mapping[int, float]
    """`ragset.retrieval.bm25.Statistics.document_weights`, which are never empty; empty for a store that takes none."""


class VectorStore(Protocol):
    """Collections of chunks, each with a dense vector and BM25 weights; `ragset.retrieval.index` fills them from files.

    Calls block and are safe from several threads. All raise StoreError; StoreUnavailable if it may answer later.
    """

    @property
    def digest(self) -> str:
        """Tells one store from another; letters and digits."""
        ...

    @property
    def takes_sparse(self) -> bool:
        """Whether it holds BM25 weights; where it does not, ragset scores words in memory."""
        ...

    def close(self) -> None:
        """Let go of files and connections."""
        ...

    def check_size(self, chunk: Chunk) -> Chunk:
        """The chunk itself. Raises InputError if it is longer than the store takes."""
        ...

    def has(self, collection: str) -> bool:
        """Whether the collection exists."""
        ...

    def create(self, collection: str, dimensions: int) -> None:
        """Make an empty collection, in place of any of that name."""
        ...

    def drop(self, collection: str) -> None:
        """Remove the collection, if there is one."""
        ...

    def load(self, collection: str) -> None:
        """Make the collection searchable; each newly opened store has to ask for it."""
        ...

    def count(self, collection: str) -> int:
        """How many chunks the collection holds."""
        ...

    def upsert(self, collection: str, rows: Iterable[Row], progress: Callable[[int], None] = ...) -> None:
        """Write `rows`, in place of those with the same ids. `progress` is told how many are written so far."""
        ...

    def delete(self, collection: str, ids: Sequence[str]) -> None:
        """Remove the chunks of these ids; unknown ids are ignored."""
        ...

    def existing(self, collection: str, ids: Sequence[str]) -> set[str]:
        """Those of `ids` that the collection holds."""
        ...

    def search_dense(self, collection: str, vectors: Vectors, limit: int) -> list[list[Hit]]:
        """For each vector the nearest chunks by cosine, best first, equal scores in the order of ids. Exact."""
        ...

    def search_sparse(self, collection: str, weights: Sequence[Mapping[int, float]], limit: int) -> list[list[Hit]]:
        """For each query the chunks with the highest inner product of BM25 weights; none that shares no word with it."""
        ...
