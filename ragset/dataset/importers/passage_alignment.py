"""Passages as another program extracted them, found again in the documents.

What counts is letters and digits in their order. White space, markup, bullets, case, hyphens, ligatures, accents and
small edits make no difference, and a passage may hold more than the document has: a title or a summary put in front.
"""

import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from ragset.dataset.importers.blocks import ALPHABETIC, UNSPACED, Block, Scale, align
from ragset.dataset.importers.letters import Letters, letters_of
from ragset.dataset.importers.seeds import Ints, Seeds, Sought, find_seeds
from ragset.documents.corpus import Corpus
from ragset.models import Document, Span
from ragset.text.words import writes_without_spaces

_MOST_WINDOWS = 8
"""Stretches of documents that a passage is laid over, those with most runs first."""
_LEAST_VOTES = 0.1
"""Runs that a stretch shares, of those that the best one shares: what shares fewer does so by chance."""
_EQUAL = 0.01
"""Places whose scores differ by less are equally good."""
_HARDLY, _NEARLY = 0.1, 0.9
"""Shares of a part of the passage that other parts hold too."""
_NAMED = 0.5
"""Score from which a place in the document that the system names is taken, though another may be better."""


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


class _Window(NamedTuple):
    document: int
    seeds: list[tuple[int, int]]


class _Found(NamedTuple):
    """A passage laid over one window."""

    document: int
    blocks: tuple[Block, ...]

    @property
    def same(self) -> int:
        return sum(block.same for block in self.blocks)


def align_passages(passages: Sequence[Passage], corpus: Corpus) -> dict[Passage, Alignment]:
    """The best place of each passage; in the document that is said where it stands there, else anywhere.

    A passage too short to hold one run of letters must stand in the corpus once, exactly, as whole words.
    """
    distinct = list(dict.fromkeys(passages))
    letters = [letters_of(unicodedata.normalize("NFC", passage.text)) for passage in distinct]
    scales = [_scale(one.text) for one in letters]
    sought = [
        Sought(one.codes, min(scale.run, len(one.codes)), passage.doc_id)
        for one, scale, passage in zip(letters, scales, distinct, strict=True)
    ]
    ids: list[str] = []
    seeds = find_seeds(sought, _numbered(corpus, ids))
    aligner = _Aligner(distinct, letters, scales, ids)
    # By document, so that the letters of each are made once.
    by_document: dict[int, list[tuple[int, _Window]]] = defaultdict(list)
    for number, window in aligner.windows(seeds):
        by_document[window.document].append((number, window))
    for document, windows in sorted(by_document.items()):
        text = corpus[ids[document]].text
        aligner.lay(text, letters_of(text), windows)
    return {passage: aligner.alignment(number) for number, passage in enumerate(distinct)}


def _distinct(values: Ints, starts: Ints, ends: Ints) -> Ints:
    """How many different values each group has."""
    group = np.repeat(np.arange(len(starts)), ends - starts)
    order = np.lexsort((values, group))
    new = np.append(True, (np.diff(values[order]) != 0) | (np.diff(group[order]) != 0))
    return np.bincount(group[order], weights=new).astype(np.int64)


def _numbered(corpus: Corpus, ids: list[str]) -> Iterator[Document]:
    for document in corpus:
        ids.append(document.id)
        yield document


def _scale(letters: str) -> Scale:
    sample = letters[:200]
    return UNSPACED if 2 * sum(map(writes_without_spaces, sample)) > len(sample) else ALPHABETIC


class _Aligner:
    def __init__(
        self, passages: Sequence[Passage], letters: Sequence[Letters], scales: Sequence[Scale], ids: Sequence[str]
    ) -> None:
        self._passages = passages
        self._letters = letters
        self._scales = scales
        self._ids = ids
        self._found: dict[int, list[_Found]] = defaultdict(list)
        self._spans: dict[tuple[int, int, int], Span] = {}

    def windows(self, seeds: Seeds) -> list[tuple[int, _Window]]:
        """The stretches worth looking at, by passage: those in the named document first, then those with most runs."""
        if not len(seeds.passage):
            return []
        shift = seeds.place - seeds.at
        slack = np.array(
            [scale.run + len(one.text) // 10 for one, scale in zip(self._letters, self._scales, strict=True)]
        )
        apart = (
            (np.diff(seeds.passage) != 0) | (np.diff(seeds.document) != 0) | (np.diff(shift) > slack[seeds.passage[1:]])
        )
        starts = np.flatnonzero(np.append(True, apart))
        ends = np.append(starts[1:], len(shift))
        passage, document = seeds.passage[starts], seeds.document[starts]
        votes = _distinct(seeds.at, starts, ends)
        said = {id_: number for number, id_ in enumerate(self._ids)}
        named = np.array([said.get(one.doc_id, -1) for one in self._passages])
        elsewhere = named[passage] != document
        order = np.lexsort((-votes, elsewhere, passage))
        most = np.zeros(len(self._passages), dtype=np.int64)
        np.maximum.at(most, passage, votes)
        firsts = np.searchsorted(passage[order], passage[order])
        kept = (np.arange(len(order)) - firsts < _MOST_WINDOWS) & (
            ~elsewhere[order] | (votes[order] >= _LEAST_VOTES * most[passage[order]])
        )
        found: list[tuple[int, _Window]] = []
        for group in order[kept].tolist():
            rows = slice(int(starts[group]), int(ends[group]))
            pairs = sorted(zip(seeds.at[rows].tolist(), seeds.place[rows].tolist(), strict=True))
            found.append((int(passage[group]), _Window(int(document[group]), pairs)))
        return found

    def lay(self, text: str, letters: Letters, windows: Sequence[tuple[int, _Window]]) -> None:
        """Lay each passage over its window of the document with that text."""
        for number, window in windows:
            passage, scale = self._letters[number].text, self._scales[number]
            slack = scale.run + len(passage) // 10
            shifts = [place - at for at, place in window.seeds]
            within = max(0, min(shifts) - slack), min(len(letters.text), max(shifts) + len(passage) + slack)
            blocks = align(passage, letters.text, within, window.seeds, scale)
            if len(passage) < scale.run:
                blocks = [block for block in blocks if _whole(text, letters, block)]
            if blocks:
                self._found[number].append(_Found(window.document, tuple(blocks)))
                for block in blocks:
                    self._spans[window.document, block.first, block.last] = _span(
                        self._ids[window.document], text, letters, block
                    )

    def alignment(self, number: int) -> Alignment:
        """Of what was laid over windows the best, and from others what it lacks."""
        size, length = len(self._letters[number].text), len(self._passages[number].text)
        found = sorted(set(self._found[number]), key=lambda one: (-one.same, one.document, one.blocks))
        named = [one for one in found if self._ids[one.document] == self._passages[number].doc_id]
        if named and named[0].same >= _NAMED * size:
            found = [*named, *(one for one in found if one not in named)]
        elif size < self._scales[number].run and len(found) > 1:
            return Alignment(0.0, beside=length)
        if not found:
            return Alignment(0.0, beside=length)
        best = found[0]
        more: list[tuple[int, Block]] = []
        for other in found[1:]:
            taken = [*best.blocks, *(block for _, block in more)]
            more += [(other.document, block) for block in other.blocks if not _overlaps(block, taken, _HARDLY)]
        equal = [
            one
            for one in found
            if one.same > best.same - _EQUAL * size
            and (one.document == best.document or best not in named)
            and all(_overlaps(block, best.blocks, _NEARLY) for block in one.blocks)
        ]
        same = best.same + sum(block.same for _, block in more)
        before = min([*(block.start for block in best.blocks), *(block.start for _, block in more)])
        places = [self._place(one, more) for one in sorted(equal, key=lambda one: (one.document, one.blocks[0].first))]
        beside = max(0, size - same - before)
        return Alignment(
            min(1.0, same / size), tuple(dict.fromkeys(places)), before * length // size, beside * length // size
        )

    def _place(self, found: _Found, more: Sequence[tuple[int, Block]]) -> tuple[Span, ...]:
        """The spans in the order of the passage."""
        blocks = sorted([*((found.document, block) for block in found.blocks), *more], key=lambda one: one[1])
        return tuple(self._spans[document, block.first, block.last] for document, block in blocks)


def _overlaps(block: Block, others: Sequence[Block], share: float) -> bool:
    """Whether the others hold more than this share of the block's part of the passage."""
    shared = sum(max(0, min(block.end, other.end) - max(block.start, other.start)) for other in others)
    return shared > share * (block.end - block.start)


def _span(doc_id: str, text: str, letters: Letters, block: Block) -> Span:
    """The characters of a block, with the signs that stand right before and behind it."""
    start, end = int(letters.places[block.first]), int(letters.places[block.last - 1]) + 1
    while start > 0 and not text[start - 1].isspace() and not text[start - 1].isalnum():
        start -= 1
    while end < len(text) and not text[end].isspace() and not text[end].isalnum():
        end += 1
    return Span(doc_id=doc_id, start=start, end=end)


def _whole(text: str, letters: Letters, block: Block) -> bool:
    """Whether no word is cut at either end."""
    start, end = int(letters.places[block.first]), int(letters.places[block.last - 1]) + 1
    before = start > 0 and text[start - 1].isalnum() and not writes_without_spaces(text[start - 1])
    after = end < len(text) and text[end].isalnum() and not writes_without_spaces(text[end])
    return not before and not after
