"""Which chunks lie where in the documents, read off their ids."""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable
from itertools import accumulate
from typing import NamedTuple, Self

from ragset.errors import InputError
from ragset.models import Span


class Place(NamedTuple):
    """A half-open range of characters of one document; what `Span` is, without its checks."""

    doc_id: str
    start: int
    end: int


def place_of(chunk_id: str) -> Place:
    """The characters that `doc_id:start-end` names.

    Raises:
        InputError: the id is of another form.
    """
    doc_id, _, range_ = chunk_id.rpartition(":")
    start, _, end = range_.partition("-")
    try:
        place = Place(doc_id, int(start), int(end))
    except ValueError:
        place = None
    if place is None or not doc_id or not 0 <= place.start < place.end:
        raise InputError(f"chunk {chunk_id[:80]!r}: an id must be doc_id:start-end, with start before end")
    return place


class Laid(NamedTuple):
    """A chunk where it lies."""

    start: int
    end: int
    id: str


class Layout:
    """Chunks by document, in the order of their starts."""

    def __init__(self, chunks: dict[str, list[Laid]]) -> None:
        self._chunks = chunks
        self._starts = {doc_id: [chunk.start for chunk in laid] for doc_id, laid in chunks.items()}
        # Chunks may lie within others, so their ends need not rise; the greatest end so far does.
        self._reach = {doc_id: list(accumulate((chunk.end for chunk in laid), max)) for doc_id, laid in chunks.items()}

    @classmethod
    def of(cls, chunk_ids: Iterable[str]) -> Self:
        """The layout of chunks, each counted once.

        Raises:
            InputError: an id is not `doc_id:start-end`.
        """
        chunks: dict[str, list[Laid]] = defaultdict(list)
        for chunk_id in dict.fromkeys(chunk_ids):
            doc_id, start, end = place_of(chunk_id)
            chunks[doc_id].append(Laid(start, end, chunk_id))
        return cls({doc_id: sorted(laid) for doc_id, laid in chunks.items()})

    def overlapping(self, span: Place | Span) -> list[Laid]:
        """The chunks that share a character with `span`, in reading order."""
        if span.doc_id not in self._chunks:
            return []
        first = bisect_right(self._reach[span.doc_id], span.start)
        last = bisect_left(self._starts[span.doc_id], span.end)
        return [chunk for chunk in self._chunks[span.doc_id][first:last] if chunk.end > span.start]
