"""Passages as another program extracted them, found again in the documents.

Letters and digits in their order count. White space, markup, bullets, case, hyphens, ligatures, accents and small edits
make no difference, and a passage may hold more than the document has: a title or a summary put in front.
"""

import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from ragset.dataset.alignment.blocks import ALPHABETIC, UNSPACED, Block, Scale, align
from ragset.dataset.alignment.letters import Letters, letters_of
from ragset.dataset.alignment.seeds import Seeds, Sought, find_seeds
from ragset.models import Document, Span
from ragset.text.rolling_hash import Ints
from ragset.text.words import writes_without_spaces

_MOST_WINDOWS = 8
"""Stretches of documents that a passage is aligned with, those with most runs first."""
_LEAST_VOTES = 0.1
"""Share of the best stretch's runs that a stretch must have; fewer are there by chance."""
_EQUAL = 0.01
"""Places whose scores differ by less are equally good."""
_HARDLY, _NEARLY = 0.1, 0.9
"""Shares of a part of the passage that other parts hold too."""
_NAMED = 0.5
"""Score from which a place in the document that the passage is said to be from wins over better ones elsewhere."""


class Passage(NamedTuple):
    """A text, and the document that it is said to be from; "" where nothing is said."""

    text: str
    doc_id: str = ""


class Alignment(NamedTuple):
    """Where a passage stands."""

    score: float
    """The share of its letters and digits that the documents have, in order."""
    places: tuple[tuple[Span, ...], ...] = ()
    """Equally good places, in reading order; each of one span or several. Empty where it stands nowhere."""
    before: int = 0
    """Characters in front of the first letter that was found, about."""
    beside: int = 0
    """Characters of all other letters that were not found, about."""
    second: float = 0.0
    """The score of the best place that is not among `places`."""


class _Window(NamedTuple):
    """A stretch of a document that shares runs with a passage."""

    passage: int
    document: int
    first: int
    """The least difference between a position in the document and in the passage, over the runs that they share."""
    last: int
    """The greatest one."""


class _Found(NamedTuple):
    """A passage aligned with one window."""

    document: int
    blocks: tuple[Block, ...]
    spans: tuple[Span, ...]

    @property
    def same(self) -> int:
        return sum(block.same for block in self.blocks)


class _Query(NamedTuple):
    """A passage made ready to be looked for."""

    passage: Passage
    letters: str
    scale: Scale

    @property
    def slack(self) -> int:
        """Letters by which the document may be longer or shorter."""
        return self.scale.run + len(self.letters) // 10


def align_passages(passages: Sequence[Passage], documents: Iterable[Document]) -> dict[Passage, Alignment]:
    """The best place of each passage: in the document that it is said to be from if it stands there, else anywhere.

    A passage too short to hold one run of letters must stand in the documents once, exactly, as whole words.
    `documents` are read twice, in the same order.
    """
    queries: list[_Query] = []
    sought: list[Sought] = []
    for passage in dict.fromkeys(passages):
        letters = letters_of(unicodedata.normalize("NFC", passage.text))
        sample = letters.text[:200]
        scale = UNSPACED if 2 * sum(map(writes_without_spaces, sample)) > len(sample) else ALPHABETIC
        queries.append(_Query(passage, letters.text, scale))
        sought.append(Sought(letters.codes, min(scale.run, len(letters.text)), passage.doc_id))
    ids: list[str] = []
    seeds = find_seeds(sought, _numbered(documents, ids))
    windows: dict[int, list[_Window]] = defaultdict(list)
    for window in _windows(queries, seeds, ids):
        windows[window.document].append(window)
    found: dict[int, list[_Found]] = defaultdict(list)
    for number, document in enumerate(documents if windows else ()):
        if number in windows:
            letters = letters_of(document.text)
            for window in windows[number]:
                if one := _align_window(queries[window.passage], window, document, letters):
                    found[window.passage].append(one)
    return {query.passage: _alignment(query, found[number], ids) for number, query in enumerate(queries)}


def _numbered(documents: Iterable[Document], ids: list[str]) -> Iterator[Document]:
    for document in documents:
        ids.append(document.id)
        yield document


def _windows(queries: Sequence[_Query], seeds: Seeds, ids: Sequence[str]) -> Iterator[_Window]:
    """The stretches worth aligning, by passage: those in the named document first, then those with most runs."""
    if not len(seeds.passage):
        return
    shift = seeds.place - seeds.at
    slack = np.array([query.slack for query in queries])
    apart = np.diff(shift) > slack[seeds.passage[1:]]
    apart |= (np.diff(seeds.passage) != 0) | (np.diff(seeds.document) != 0)
    starts = np.flatnonzero(np.append(True, apart))
    ends = np.append(starts[1:], len(shift))
    passage, document = seeds.passage[starts], seeds.document[starts]
    votes = _distinct(seeds.at, starts, ends)
    numbers = {id_: number for number, id_ in enumerate(ids)}
    named = np.array([numbers.get(query.passage.doc_id, -1) for query in queries])
    elsewhere = named[passage] != document
    order = np.lexsort((-votes, elsewhere, passage))
    most = np.zeros(len(queries), dtype=np.int64)
    np.maximum.at(most, passage, votes)
    rank = np.arange(len(order)) - np.searchsorted(passage[order], passage[order])
    enough = ~elsewhere[order] | (votes[order] >= _LEAST_VOTES * most[passage[order]])
    for group in order[(rank < _MOST_WINDOWS) & enough].tolist():
        # Seeds of a group are sorted by their shift.
        first, last = int(shift[starts[group]]), int(shift[ends[group] - 1])
        yield _Window(int(passage[group]), int(document[group]), first, last)


def _distinct(values: Ints, starts: Ints, ends: Ints) -> Ints:
    """How many different values each group has."""
    group = np.repeat(np.arange(len(starts)), ends - starts)
    pairs = np.unique(np.stack([group, values]), axis=1)
    return np.bincount(pairs[0], minlength=len(starts))


def _align_window(query: _Query, window: _Window, document: Document, letters: Letters) -> _Found | None:
    size = len(query.letters)
    within = max(0, window.first - query.slack), min(len(letters.text), window.last + size + query.slack)
    blocks = align(query.letters, letters.text, within, query.scale)
    if size < query.scale.run:
        blocks = [block for block in blocks if _has_whole_words(document.text, letters, block)]
    spans = tuple(_span(document, letters, block) for block in blocks)
    return _Found(window.document, tuple(blocks), spans) if blocks else None


def _alignment(query: _Query, found: list[_Found], ids: Sequence[str]) -> Alignment:
    """The best place, completed by what it lacks and others have."""
    size, length = len(query.letters), len(query.passage.text)
    found = sorted(set(found), key=lambda one: (-one.same, one.document, one.blocks))
    named = [one for one in found if ids[one.document] == query.passage.doc_id]
    if named and named[0].same >= _NAMED * size:
        found = [*named, *(one for one in found if one not in named)]
    elif size < query.scale.run and len(found) > 1:
        found = []
    if not found:
        return Alignment(0.0, beside=length)
    best = found[0]
    more: list[tuple[Block, Span]] = []
    for other in found[1:]:
        taken = [*best.blocks, *(block for block, _ in more)]
        parts = zip(other.blocks, other.spans, strict=True)
        more += [part for part in parts if not _overlaps(part[0], taken, _HARDLY)]
    equal = [
        one
        for one in found
        if one.same > best.same - _EQUAL * size
        and (one.document == best.document or best not in named)
        and all(_overlaps(block, best.blocks, _NEARLY) for block in one.blocks)
    ]
    places: list[tuple[Span, ...]] = []
    for one in sorted(equal, key=lambda one: (one.document, one.blocks[0].first)):
        parts = sorted([*zip(one.blocks, one.spans, strict=True), *more], key=lambda part: part[0])
        places.append(tuple(span for _, span in parts))
    same = best.same + sum(block.same for block, _ in more)
    before = min(block.start for block in (*best.blocks, *(block for block, _ in more)))
    beside = max(0, size - same - before)
    others = [
        one.same for one in found if not any(span.overlap(mine) for span in one.spans for mine in sum(places, ()))
    ]
    return Alignment(
        min(1.0, same / size),
        tuple(dict.fromkeys(places)),
        before * length // size,
        beside * length // size,
        max(others, default=0) / size,
    )


def _overlaps(block: Block, others: Sequence[Block], share: float) -> bool:
    """Whether the others hold more than this share of the block's part of the passage."""
    shared = sum(max(0, min(block.end, other.end) - max(block.start, other.start)) for other in others)
    return shared > share * (block.end - block.start)


def _bounds(letters: Letters, block: Block) -> tuple[int, int]:
    return int(letters.places[block.first]), int(letters.places[block.last - 1]) + 1


def _span(document: Document, letters: Letters, block: Block) -> Span:
    """The characters of a block, with the signs that stand right before and behind it."""
    text = document.text
    start, end = _bounds(letters, block)
    while start > 0 and not text[start - 1].isspace() and not text[start - 1].isalnum():
        start -= 1
    while end < len(text) and not text[end].isspace() and not text[end].isalnum():
        end += 1
    return Span(doc_id=document.id, start=start, end=end)


def _has_whole_words(text: str, letters: Letters, block: Block) -> bool:
    """Whether no word is cut at either end."""
    start, end = _bounds(letters, block)
    before = start > 0 and text[start - 1].isalnum() and not writes_without_spaces(text[start - 1])
    after = end < len(text) and text[end].isalnum() and not writes_without_spaces(text[end])
    return not before and not after
