"""Passages of another program found again in the documents by their letters and digits, though words may stand around them."""

import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ragset.dataset.alignment.blocks import ALPHABETIC, UNSPACED, Block, Scale, align
from ragset.models import Document, Span
from ragset.text.words import writes_without_spaces

Ints = NDArray[np.int64]


class Letters(NamedTuple):
    """The letters and digits of a text, casefolded, ligatures taken apart, accents dropped."""

    text: str
    places: Ints  # for each letter the offset of the character that it comes from


def letters_of(text: str) -> Letters:
    """The letters and digits of `text`."""
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")
    distinct, which = np.unique(codes, return_inverse=True)
    folded = [_fold(chr(code)) for code in distinct.tolist()]
    sizes = np.array([len(letters) for letters in folded], dtype=np.int64)
    places = np.repeat(np.arange(len(which), dtype=np.int64), sizes[which])
    return Letters("".join([folded[number] for number in which.tolist()]), places)


@lru_cache(maxsize=2**16)
def _fold(character: str) -> str:
    compatible = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", character).casefold())
    letters = "".join(one for one in compatible if one.isalnum())
    if len(letters) != 1:
        return letters
    # A Hangul syllable comes apart into several letters and stays whole.
    base = [one for one in unicodedata.normalize("NFKD", letters) if one.isalnum()]
    return base[0] if len(base) == 1 else letters


_MOST_RUNS = 128  # runs of letters of one passage that are looked up, spread evenly
_MOST_HITS = 64  # places of one run that count; a run with more says little about where the passage is from
_MOST_WINDOWS = 8  # stretches of documents that a passage is aligned with, those with most runs first
_LEAST_VOTES = 0.1  # share of the best stretch's runs that a stretch must have; fewer are there by chance
_EQUAL = 0.01  # places whose scores differ by less are equally good
_HARDLY, _NEARLY = 0.1, 0.9  # shares of a part of the passage that other parts hold too
_NAMED = 0.5
"""Score from which a place in the document that the passage is said to be from wins over better ones elsewhere."""


class Passage(NamedTuple):
    """A text, and the document that it is said to be from; "" where nothing is said."""

    text: str
    doc_id: str = ""


class Alignment(NamedTuple):
    """The places of a passage in the documents."""

    score: float  # the share of its letters and digits that the documents have, in order
    places: tuple[tuple[Span, ...], ...] = ()
    """Equally good places, in reading order; each of one span or several. Empty where it stands nowhere."""
    before: int = 0  # characters in front of the first letter that was found, about
    beside: int = 0  # characters of all other letters that were not found, about
    second: float = 0.0  # the score of the best place that is not among `places`


class _Hit(NamedTuple):
    document: int  # its number in the order of reading
    shift: int  # position of the run in the document less that in the passage
    at: int  # position in the passage


class _Found(NamedTuple):
    document: int
    blocks: tuple[Block, ...]
    spans: tuple[Span, ...]

    @property
    def same(self) -> int:
        return sum(block.same for block in self.blocks)


class _Query:
    def __init__(self, passage: Passage) -> None:
        self.passage = passage
        self.letters = letters_of(unicodedata.normalize("NFC", passage.text)).text
        sample = self.letters[:200]
        self.scale: Scale = UNSPACED if 2 * sum(map(writes_without_spaces, sample)) > len(sample) else ALPHABETIC
        self.slack = self.scale.run + len(self.letters) // 10  # letters by which the document may be longer or shorter
        self.hits: list[_Hit] = []
        self.found: list[_Found] = []

    def runs(self) -> Iterable[tuple[str, int]]:
        """The runs of letters to look up, with their positions."""
        width, last = self.scale.run, len(self.letters) - self.scale.run
        places = {*range(0, last, max(width // 2, last // _MOST_RUNS + 1)), last} if last >= 0 else ()
        return ((self.letters[at : at + width], at) for at in places)


def align_passages(passages: Sequence[Passage], documents: Iterable[Document]) -> dict[Passage, Alignment]:
    """The best place of each passage: in the document that it is said to be from if it stands there, else anywhere.

    A passage too short to hold one run of letters stands nowhere. `documents` are read twice, in the same order.
    """
    queries = [_Query(passage) for passage in dict.fromkeys(passages)]
    ids = _find_runs(queries, documents)
    windows: dict[int, list[tuple[_Query, int, int]]] = defaultdict(list)
    for query in queries:
        for document, low, high in _windows(query, ids):
            windows[document].append((query, low, high))
    for number, document in enumerate(documents if windows else ()):
        letters = letters_of(document.text if number in windows else "")
        for query, low, high in windows.get(number, ()):
            blocks = align(query.letters, letters.text, low, min(len(letters.text), high), query.scale)
            if blocks:
                spans = tuple(_span(document, letters, block) for block in blocks)
                query.found.append(_Found(number, tuple(blocks), spans))
    return {query.passage: _alignment(query, ids) for query in queries}


def _find_runs(queries: Sequence[_Query], documents: Iterable[Document]) -> list[str]:
    owners: dict[int, dict[str, list[tuple[_Query, int]]]] = defaultdict(lambda: defaultdict(list))
    for query in queries:
        for run, at in query.runs():
            owners[len(run)][run].append((query, at))
    times: Counter[str] = Counter()
    ids: list[str] = []
    for number, document in enumerate(documents):
        ids.append(document.id)
        text = letters_of(document.text).text
        here: Counter[str] = Counter()
        for width, runs in owners.items():
            for place in range(len(text) - width + 1):
                run = text[place : place + width]
                if run not in runs:
                    continue
                times[run] += 1
                here[run] += 1
                for query, at in runs[run]:
                    named = query.passage.doc_id == document.id and here[run] <= _MOST_HITS
                    if named or times[run] <= _MOST_HITS:
                        query.hits.append(_Hit(number, place - at, at))
    return ids


def _windows(query: _Query, ids: Sequence[str]) -> list[tuple[int, int, int]]:
    """Documents and stretches of them worth aligning: those in the named document first, then those with most runs."""
    groups: list[list[_Hit]] = []
    for hit in sorted(query.hits):
        near = groups and groups[-1][-1].document == hit.document
        if near and hit.shift - groups[-1][-1].shift <= query.slack:
            groups[-1].append(hit)
        else:
            groups.append([hit])
    votes = [len({hit.at for hit in group}) for group in groups]
    elsewhere = [ids[group[0].document] != query.passage.doc_id for group in groups]
    rated = sorted(zip(elsewhere, votes, groups, strict=True), key=lambda one: (one[0], -one[1]))[:_MOST_WINDOWS]
    reach = len(query.letters) + query.slack
    return [
        (group[0].document, max(0, group[0].shift - query.slack), group[-1].shift + reach)
        for away, count, group in rated
        if not away or count >= _LEAST_VOTES * max(votes)
    ]


def _alignment(query: _Query, ids: Sequence[str]) -> Alignment:
    """The best place, completed by what it lacks and others have."""
    size, length = len(query.letters), len(query.passage.text)
    found = sorted(set(query.found), key=lambda one: (-one.same, one.document, one.blocks))
    named = [one for one in found if ids[one.document] == query.passage.doc_id]
    if named and named[0].same >= _NAMED * size:
        found = [*named, *(one for one in found if one not in named)]
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
    blocks = [*best.blocks, *(block for block, _ in more)]
    same, before = sum(block.same for block in blocks), min(block.start for block in blocks)
    placed = [span for spans in places for span in spans]
    others = [one.same for one in found if not any(span.overlap(mine) for span in one.spans for mine in placed)]
    return Alignment(
        min(1.0, same / size),
        tuple(dict.fromkeys(places)),
        before * length // size,
        max(0, size - same - before) * length // size,
        max(others, default=0) / size,
    )


def _overlaps(block: Block, others: Sequence[Block], share: float) -> bool:
    shared = sum(max(0, min(block.end, other.end) - max(block.start, other.start)) for other in others)
    return shared > share * (block.end - block.start)


def _span(document: Document, letters: Letters, block: Block) -> Span:
    """The characters of a block, with the signs that stand right before and behind it."""
    text = document.text
    start, end = int(letters.places[block.first]), int(letters.places[block.last - 1]) + 1
    while start > 0 and not (text[start - 1].isspace() or text[start - 1].isalnum()):
        start -= 1
    while end < len(text) and not (text[end].isspace() or text[end].isalnum()):
        end += 1
    return Span(doc_id=document.id, start=start, end=end)
