"""Where short runs of letters of many passages stand in documents that are read once.

Every run of a document is hashed and looked up, so the time grows with the texts and not with the number of passages times
the number of documents.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from ragset.dataset.alignment.letters import letters_of
from ragset.models import Document
from ragset.text.rolling_hash import Codes, HashTable, Ints, rolling_hashes

MOST_SEEDS = 128
"""Runs of one passage that are looked up, spread evenly."""
MOST_HITS = 64
"""Places of one run that count; a run with more says little about where the passage is from."""


class Sought(NamedTuple):
    """A passage to look for."""

    codes: Codes
    width: int
    """Letters in a run."""
    doc_id: str = ""
    """The document that it is said to be from. Its runs always count there, however frequent they are elsewhere."""


class Seeds(NamedTuple):
    """Runs found, sorted by passage, document, and difference of the two positions."""

    passage: Ints
    document: Ints
    """The document's number in the order of reading."""
    at: Ints
    """Position in the passage's letters."""
    place: Ints
    """Position in the document's letters."""


def find_seeds(passages: Sequence[Sought], documents: Iterable[Document]) -> Seeds:
    """Every run of every passage in every document, by hash alone: who uses a seed compares the letters."""
    tables = [_Runs(passages, width) for width in sorted({one.width for one in passages if len(one.codes)})]
    by_name: dict[str, list[int]] = defaultdict(list)
    for number, passage in enumerate(passages):
        by_name[passage.doc_id].append(number)
    found = [np.zeros((4, 0), dtype=np.int64)]
    for number, document in enumerate(documents):
        codes = letters_of(document.text).codes
        named = np.array(by_name.get(document.id, []), dtype=np.int64)
        for table in tables:
            owner, at, place = table.find(codes, named)
            found.append(np.stack([owner, np.full(len(owner), number), at, place]))
    passages_, documents_, at, place = np.concatenate(found, axis=1)
    order = np.lexsort((at, place - at, documents_, passages_))
    return Seeds(passages_[order], documents_[order], at[order], place[order])


class _Runs:
    """The runs of one width of all passages."""

    def __init__(self, passages: Sequence[Sought], width: int) -> None:
        self._width = width
        rows: list[tuple[int, int, int]] = []
        for number, passage in enumerate(passages):
            last = len(passage.codes) - width
            if passage.width != width or last < 0:
                continue
            hashes = rolling_hashes(passage.codes, width)
            places = {*range(0, last, max(width // 2, last // MOST_SEEDS + 1)), last}
            rows += [(int(hashes[at]), number, at) for at in places]
        rows.sort()
        keys = np.array([key for key, _, _ in rows], dtype=np.uint64)
        self._passage = np.array([number for _, number, _ in rows], dtype=np.int64)
        self._at = np.array([at for _, _, at in rows], dtype=np.int64)
        self._table = HashTable(keys)
        # For each hash the first of its rows; one more at the end.
        self._first = np.append(np.searchsorted(keys, self._table.hashes), len(keys))
        self._times = np.zeros(len(self._table.hashes), dtype=np.int64)

    def find(self, codes: Codes, named: Ints) -> tuple[Ints, Ints, Ints]:
        """Passage, position in it and position in the document of each run that the document has."""
        places, keys = self._table.find(rolling_hashes(codes, self._width))
        # How many places of its run come before each, in this document and in all.
        order = np.argsort(keys, kind="stable")
        here = np.empty(len(keys), dtype=np.int64)
        here[order] = np.arange(len(keys)) - np.searchsorted(keys[order], keys[order])
        before = here + self._times[keys]
        np.add.at(self._times, keys, 1)
        counts = self._first[keys + 1] - self._first[keys]
        rows = np.repeat(self._first[keys] - np.cumsum(counts) + counts, counts) + np.arange(int(counts.sum()))
        passage = self._passage[rows]
        kept = np.repeat(before < MOST_HITS, counts)
        kept |= np.repeat(here < MOST_HITS, counts) & np.isin(passage, named)
        return passage[kept], self._at[rows][kept], np.repeat(places, counts)[kept]
