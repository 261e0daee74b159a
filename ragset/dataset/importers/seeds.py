"""Where short runs of letters out of many passages stand in a corpus, which is read once.

Every window of a document is hashed and looked up among the runs, so the time grows with the texts and not with the
number of passages times the number of documents.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ragset.dataset.importers.letters import Codes, letters_of
from ragset.models import Document

MOST_SEEDS = 128
"""Runs out of one passage, spread evenly."""
MOST_HITS = 64
"""Places of one run in the corpus; a run that stands in more says little about where the passage is from."""
_FACTOR = 0x9E3779B97F4A7C15
_BITS = 20

Ints = NDArray[np.int64]


class Sought(NamedTuple):
    """A passage to look for."""

    codes: Codes
    width: int
    """Letters in a run."""
    doc_id: str = ""
    """The document that the passage is said to be from; runs are always looked up there, however frequent they are."""


class Seeds(NamedTuple):
    """Runs found, sorted by passage, document, and difference of the two positions."""

    passage: Ints
    document: Ints
    """The document's number in the order of the corpus."""
    at: Ints
    """Position in the passage's letters."""
    place: Ints
    """Position in the document's letters."""


class _Runs(NamedTuple):
    """All runs of one width."""

    hashes: NDArray[np.uint64]
    """Distinct, rising."""
    first: Ints
    """For each hash the first of its rows; one more at the end."""
    passage: Ints
    at: Ints
    found: Ints
    """How often each hash was found so far."""
    marked: NDArray[np.bool_]


def find_seeds(passages: Sequence[Sought], documents: Iterable[Document]) -> Seeds:
    """Every run of every passage in every document, by hash alone: whoever uses a seed compares the letters."""
    runs = {width: _runs(passages, width) for width in sorted({one.width for one in passages if len(one.codes)})}
    named: dict[str, set[int]] = {}
    for number, passage in enumerate(passages):
        if passage.doc_id:
            named.setdefault(passage.doc_id, set()).add(number)
    rows: list[tuple[Ints, Ints, Ints, Ints]] = []
    for number, document in enumerate(documents):
        codes = letters_of(document.text).codes
        for width, sought in runs.items():
            passage, at, place = _look_up(codes, width, sought, named.get(document.id, set()))
            rows.append((passage, np.full(len(passage), number), at, place))
    if not rows:
        return Seeds(*(np.zeros(0, dtype=np.int64) for _ in range(4)))
    passage, document_, at, place = (np.concatenate(column) for column in zip(*rows, strict=True))
    order = np.lexsort((at, place - at, document_, passage))
    return Seeds(passage[order], document_[order], at[order], place[order])


def hashes(codes: Codes, width: int) -> NDArray[np.uint64]:
    """A polynomial hash, modulo 2**64, of each `width` code points in a row."""
    whole = np.zeros(len(codes), dtype=np.uint64)
    power, done = codes.astype(np.uint64), 0
    size = 1
    while size <= width:
        if width & size:
            # What is hashed already, followed by the next `size` code points.
            length = len(codes) - done - size + 1
            if length <= 0:
                return np.zeros(0, dtype=np.uint64)
            whole = whole[:length] * np.uint64(pow(_FACTOR, size, 2**64)) + power[done : done + length]
            done += size
        power = power[:-size] * np.uint64(pow(_FACTOR, size, 2**64)) + power[size:]
        size *= 2
    return whole


def _runs(passages: Sequence[Sought], width: int) -> _Runs:
    keys: list[NDArray[np.uint64]] = []
    owners: list[Ints] = []
    places: list[Ints] = []
    for number, passage in enumerate(passages):
        last = len(passage.codes) - width
        if passage.width != width or last < 0:
            continue
        at = np.unique(np.append(np.arange(0, last, max(width // 2, last // MOST_SEEDS + 1)), last))
        keys.append(hashes(passage.codes, width)[at])
        owners.append(np.full(len(at), number, dtype=np.int64))
        places.append(at)
    key, owner, at = np.concatenate(keys), np.concatenate(owners), np.concatenate(places)
    order = np.argsort(key, kind="stable")
    distinct, first = np.unique(key[order], return_index=True)
    marked = np.zeros(1 << _BITS, dtype=bool)
    marked[distinct >> np.uint64(64 - _BITS)] = True
    return _Runs(
        distinct,
        np.append(first, len(key)).astype(np.int64),
        owner[order],
        at[order],
        np.zeros(len(distinct), dtype=np.int64),
        marked,
    )


def _look_up(codes: Codes, width: int, runs: _Runs, named: set[int]) -> tuple[Ints, Ints, Ints]:
    """Passage, position in it and position in the document of each run that the document has."""
    found = hashes(codes, width)
    places = np.flatnonzero(runs.marked[found >> np.uint64(64 - _BITS)])
    keys = np.searchsorted(runs.hashes, found[places])
    keys[keys == len(runs.hashes)] = 0
    kept = runs.hashes[keys] == found[places]
    places, keys = places[kept], keys[kept]
    # The how-manieth place of its run each is: those found in earlier documents count too.
    order = np.argsort(keys, kind="stable")
    starts = np.searchsorted(keys[order], keys[order])
    times = np.empty(len(keys), dtype=np.int64)
    times[order] = np.arange(len(keys)) - starts
    frequent_here = times >= MOST_HITS
    frequent = times + runs.found[keys] >= MOST_HITS
    np.add.at(runs.found, keys, 1)
    counts = runs.first[keys + 1] - runs.first[keys]
    rows = np.repeat(runs.first[keys] - np.cumsum(counts) + counts, counts) + np.arange(int(counts.sum()))
    passage = runs.passage[rows]
    kept = ~np.repeat(frequent, counts)
    if named:
        kept |= np.isin(passage, np.fromiter(named, dtype=np.int64)) & ~np.repeat(frequent_here, counts)
    return passage[kept], runs.at[rows][kept], np.repeat(places, counts)[kept]
