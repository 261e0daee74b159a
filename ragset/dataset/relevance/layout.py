"""Which chunks lie where in the documents, read off their ids.

A chunk of ours is one range of characters, `doc_id:start-end`; a passage of another system may be several, joined by `+`:
`doc_id:0-35+doc_id:90-120`. Two ids stand for text that is in no document: `added` for text beside a passage that was
found, such as a title, and `unaligned-…` where too little was found.
"""

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable
from itertools import accumulate
from typing import NamedTuple

from ragset.errors import InputError
from ragset.models import Span

ADDED = "added"
UNALIGNED = "unaligned"
_JOINT = re.compile(r"(?<=\d)\+")


class Place(NamedTuple):
    """A half-open range of characters of one document; a `Span` without its checks."""

    doc_id: str
    start: int
    end: int

    @property
    def span(self) -> Span:
        """The same, checked."""
        return Span(doc_id=self.doc_id, start=self.start, end=self.end)


def place_of(chunk_id: str) -> Place:
    """The characters that `doc_id:start-end` names.

    Raises:
        InputError: the id is of another form.
    """
    doc_id, _, range_ = chunk_id.rpartition(":")
    start, _, end = range_.partition("-")
    if doc_id and start.isdecimal() and end.isdecimal() and int(start) < int(end):
        return Place(doc_id, int(start), int(end))
    raise InputError(f"chunk {chunk_id[:80]!r}: an id must be doc_id:start-end, with start before end")


def places_of(id_: str) -> tuple[Place, ...]:
    """The ranges that the id of a hit names, in the order of its text; other ids raise as in `place_of`."""
    return tuple(map(place_of, _JOINT.split(id_)))


def length_of(places: Iterable[Place]) -> int:
    """Characters of all together, with repeats."""
    return sum(place.end - place.start for place in places)


class ChunkRange(NamedTuple):
    """One range of a chunk."""

    start: int
    end: int
    id: str


class Layout:
    """Chunks by document, in the order of their starts, each counted once."""

    def __init__(self, chunk_ids: Iterable[str]) -> None:
        self._chunks: dict[str, list[ChunkRange]] = defaultdict(list)
        for chunk_id in dict.fromkeys(chunk_ids):
            for doc_id, start, end in places_of(chunk_id):
                self._chunks[doc_id].append(ChunkRange(start, end, chunk_id))
        # Chunks may lie within others, so their ends need not rise; the greatest end so far does.
        self._reach: dict[str, list[int]] = {}
        for doc_id, chunks in self._chunks.items():
            chunks.sort()
            self._reach[doc_id] = list(accumulate((chunk.end for chunk in chunks), max))

    def overlapping(self, span: Place | Span) -> list[ChunkRange]:
        """The chunks that share a character with `span`, in reading order."""
        chunks = self._chunks.get(span.doc_id, [])
        first = bisect_right(self._reach.get(span.doc_id, []), span.start)
        last = bisect_left(chunks, span.end, key=lambda chunk: chunk.start)
        return [chunk for chunk in chunks[first:last] if chunk.end > span.start]
