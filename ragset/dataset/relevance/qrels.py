"""Which chunks are relevant to which golden: derived from the evidence spans, so that one test set scores every chunking.

A chunk is relevant to an evidence span where they share at least half of the shorter of the two. Every place in the
corpus with the same words stands for the evidence span. A chunk has the highest grade of the spans that it is relevant
to. All of a golden's evidence together suffices for the answer; so does each of its equivalents alone.
"""

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate
from typing import NamedTuple

from ragset.dataset.relevance.repeats import find_repeats
from ragset.documents.corpus import Corpus
from ragset.errors import InputError
from ragset.models import Golden, Span

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
    """The ranges that the id of a hit names, in the order of its text; other ids raise as in `place_of`.

    A chunk of ours is one range, `doc_id:start-end`; a passage of another system may be several, joined by `+`. Two ids stand for
    text that is in no document: `added` for text beside a passage that was found, such as a title, and `unaligned-…`.
    """
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


Pieces = Sequence[Sequence[Span]]
"""Passages that suffice together: for each of them all places that hold it, the span itself first."""

Gold = Mapping[str, Sequence[Pieces]]
"""By golden id, the sets of passages of which each suffices, the evidence first; none of a golden without evidence."""

Grades = Mapping[str, Sequence[int]]
"""By golden id, the grade of each span of the evidence; a golden that is not in it has evidence of grade 1."""
NO_GRADES: Grades = {}


def gold_of(goldens: Iterable[Golden], corpus: Corpus) -> dict[str, tuple[tuple[tuple[Span, ...], ...], ...]]:
    """Each golden's evidence, and each of its equivalents, with all their places in the corpus; () for a golden without."""
    goldens = tuple(goldens)
    repeats = find_repeats((span for golden in goldens for span in (*golden.evidence, *golden.equivalents)), corpus)

    def places(*spans: Span) -> tuple[tuple[Span, ...], ...]:
        return tuple((span, *repeats[span]) for span in spans)

    return {
        golden.id: (places(*golden.evidence), *map(places, golden.equivalents)) if golden.evidence else ()
        for golden in goldens
    }


def grades_of(goldens: Iterable[Golden]) -> dict[str, tuple[int, ...]]:
    """The grades of those goldens that have any."""
    return {golden.id: golden.grades for golden in goldens if golden.grades}


def qrels(gold: Gold, chunk_ids: Iterable[str], grades: Grades = NO_GRADES) -> dict[str, tuple[dict[str, int], ...]]:
    """The relevant chunks of each golden that has evidence, equivalents with grade 1; a set may be empty."""
    layout = Layout(chunk_ids)
    return {
        golden: tuple(
            _relevant(pieces, layout, grades.get(golden, ()) if number == 0 else ())
            for number, pieces in enumerate(sets)
        )
        for golden, sets in gold.items()
        if sets
    }


def is_relevant(start: int, end: int, evidence: Span) -> bool:
    """Whether `start` to `end`, of the same document, share at least half of the shorter with the evidence."""
    shared = min(end, evidence.end) - max(start, evidence.start)
    return 2 * shared >= min(end - start, evidence.end - evidence.start)


def is_hit_relevant(id_: str, evidence: Span) -> bool:
    """`is_relevant` for a hit, which may be several places."""
    return bool(_relevant([[evidence]], Layout([id_])))


def _relevant(pieces: Pieces, layout: Layout, grades: Sequence[int] = ()) -> dict[str, int]:
    """The relevant chunks with their grade; a chunk in several ranges counts as one."""
    found: dict[str, int] = {}
    for grade, places in zip(grades or [1] * len(pieces), pieces, strict=True):
        for place in places:
            shared: dict[str, int] = defaultdict(int)
            for chunk in layout.overlapping(place):
                shared[chunk.id] += min(chunk.end, place.end) - max(chunk.start, place.start)
            for id_, overlap in shared.items():
                if 2 * overlap >= min(length_of(places_of(id_)), place.end - place.start):
                    found[id_] = max(grade, found.get(id_, 0))
    return found
