"""Passages of random length at random places of the documents, which no chunking strategy favours.

Chunks of an index give the places, so that passages spread over documents and topics as chunks do. From the place on,
the chunk no longer counts: a passage has whole sentences of the document on both sides of it.
"""

import math
import random
from bisect import bisect_left, bisect_right, insort
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import islice, pairwise
from typing import NamedTuple

from ragset.chunking import chunk_at
from ragset.chunking.boundaries import by_recursion
from ragset.chunking.markdown import outline
from ragset.chunking.packing import Stretch, pack
from ragset.chunking.ruler import Ruler
from ragset.models import Chunk, Document, Span
from ragset.text.sentences import PARAGRAPH, sentences

SHORTEST, LONGEST = 60, 500
"""Tokens of a passage, where the document is long enough; lengths are log-uniform between them."""
ROUNDS = 6
"""Places drawn within each chunk, one in each round: some give a passage that overlaps an earlier one."""
_APART = 3  # rounds in which passages hardly overlap; in later ones, for small corpora, they must only differ
_LONGEST_SENTENCE = 250  # tokens; a longer one, such as a table or text without full stops, is cut at lines or words
_FILL = 0.5  # how full such a part is before a line's end is better than a word's further on


class Place(NamedTuple):
    """A character of a document."""

    doc_id: str
    at: int
    round: int = 0


def place_in(chunk: Span, seed: int, number: int = 0) -> Place:
    """A character of the chunk, drawn uniformly in the round of that number."""
    drawn = random.Random(f"place {seed} {number} {chunk.id}").random()  # noqa: S311 (a sample, no secret)
    return Place(chunk.doc_id, chunk.start + int(drawn * (chunk.end - chunk.start)), number)


def draw_passages(
    places: Iterable[Place],
    document: Callable[[str], Document],
    *,
    size: int,
    taken: Iterable[Span] = (),
    language: str = "en",
    seed: int = 0,
) -> tuple[list[Chunk], int]:
    """The passages around the first of `places` until there are `size`, and the number of places that were used.

    A passage that shares more than half of the shorter of the two with one of `taken`, or with one drawn before, is skipped;
    in later rounds, more than half of the longer.
    """
    places, used = iter(places), 0
    drawn: list[Chunk] = []
    kept = _Spans(taken)
    while batch := list(islice(places, size - len(drawn))):
        used += len(batch)
        for place, passage in zip(batch, _passages(batch, document, language, seed), strict=True):
            if kept.add(passage, of=min if place.round < _APART else max):
                drawn.append(passage)
    return drawn, used


def _passages(
    places: Sequence[Place], document: Callable[[str], Document], language: str, seed: int
) -> Iterator[Chunk]:
    """The passage around each place, in order; each document is read once."""
    by_document: dict[str, list[Place]] = defaultdict(list)
    for place in places:
        by_document[place.doc_id].append(place)
    found: dict[Place, Chunk] = {}
    for doc_id, of in by_document.items():
        read = document(doc_id)
        sentences_of = _sentences_of(read.text, language)
        found |= {place: _passage(read, sentences_of, place, seed) for place in of}
    return (found[place] for place in places)


def _passage(document: Document, of: "_Sentences", place: Place, seed: int) -> Chunk:
    chance = random.Random(f"passage {seed} {place.doc_id} {place.at}")  # noqa: S311 (a sample, no secret)
    tokens = math.exp(chance.uniform(math.log(SHORTEST), math.log(LONGEST)))
    start, end = of.around(place.at, tokens, chance.random())
    return chunk_at(document, start, end, of.outline.headings(start, end))


class _Sentences:
    """The sentences of a text, without the white space between them, and the Markdown sections that they are in."""

    def __init__(self, text: str, language: str) -> None:
        self._ruler = Ruler(text, "tokens")
        self._stretches = [*_cut(text, language, self._ruler)]
        self._starts = [start for start, _ in self._stretches]
        self._paragraphs = sorted({0, *(match.end() for match in PARAGRAPH.finditer(text))})
        self.outline = outline(text)

    def around(self, at: int, tokens: float, before: float) -> Stretch:
        """About `tokens` of whole sentences around the character `at`, the share `before` of them ahead of it.

        An end that is near the end of its paragraph, within a quarter of the length, is moved there.
        """
        first = last = max(0, bisect_right(self._starts, at) - 1)
        while True:
            size = self._size(first, last)
            ahead = before * tokens - self._ruler.measure(self._starts[first], max(at, self._starts[first]))
            behind = (1 - before) * tokens - self._ruler.measure(min(at, self._end(last)), self._end(last))
            wider = [(first - 1, last), (first, last + 1)]
            for one in wider if ahead > behind else reversed(wider):
                grown = self._size(*one)
                if grown <= LONGEST and (size < SHORTEST or grown - tokens <= tokens - size):
                    first, last = one
                    break
            else:
                break
        return self._to_paragraphs(first, last, tokens / 4)

    def _size(self, first: int, last: int) -> float:
        """Tokens from one sentence to another; infinite if there is no such sentence."""
        if first < 0 or last >= len(self._stretches):
            return math.inf
        return self._ruler.measure(self._starts[first], self._end(last))

    def _end(self, number: int) -> int:
        return self._stretches[number][1]

    def _to_paragraphs(self, first: int, last: int, tokens: float) -> Stretch:
        most = self._size(first, last) + tokens
        opens = self._paragraphs[bisect_right(self._paragraphs, self._starts[first]) - 1]
        earlier = bisect_left(self._starts, opens)
        if self._size(earlier, last) <= min(most, LONGEST):
            first = earlier
        most = self._size(first, last) + tokens
        after = bisect_left(self._paragraphs, self._end(last))
        closes = self._paragraphs[after] if after < len(self._paragraphs) else math.inf
        later = bisect_left(self._starts, closes) - 1
        if self._size(first, later) <= min(most, LONGEST):
            last = later
        return self._starts[first], self._end(last)


@lru_cache(maxsize=8)  # a document of megabytes takes seconds, and every round of a run draws from it
def _sentences_of(text: str, language: str) -> _Sentences:
    return _Sentences(text, language)


def _cut(text: str, language: str, ruler: Ruler) -> Iterator[Stretch]:
    """Sentences, cut where they are too long; in order, apart from each other."""
    levels = by_recursion(text)
    for start, end in pairwise([0, *sentences(text, language), len(text)]):
        inside = text[start:end]
        start, end = start + len(inside) - len(inside.lstrip()), start + len(inside.rstrip())
        if start >= end:
            continue
        if ruler.measure(start, end) <= _LONGEST_SENTENCE:
            yield start, end
        else:
            yield from pack(text, ruler, levels, size=_LONGEST_SENTENCE, start=start, end=end, fill=_FILL)


class _Spans:
    """Spans of which none repeats another."""

    def __init__(self, spans: Iterable[Span]) -> None:
        self._of: dict[str, list[Stretch]] = {}
        self._longest = 0
        for span in spans:
            self._insert(span)

    def add(self, span: Span, of: Callable[[int, int], int]) -> bool:
        """Add the span, unless it shares more than half of the length with another: of the shorter (`min`) or longer (`max`)."""
        others = self._of.get(span.doc_id, [])
        # The earliest that can reach into the span; those after it start before its end.
        near = others[bisect_left(others, (span.start - self._longest, 0)) : bisect_left(others, (span.end, 0))]
        if any(_shares_half((span.start, span.end), other, of) for other in near):
            return False
        self._insert(span)
        return True

    def _insert(self, span: Span) -> None:
        insort(self._of.setdefault(span.doc_id, []), (span.start, span.end))
        self._longest = max(self._longest, span.end - span.start)


def _shares_half(one: Stretch, other: Stretch, of: Callable[[int, int], int]) -> bool:
    shared = min(one[1], other[1]) - max(one[0], other[0])
    return 2 * shared > of(one[1] - one[0], other[1] - other[0])
