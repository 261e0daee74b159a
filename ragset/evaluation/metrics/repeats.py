"""Every other place in a corpus that says word for word what a span says.

The corpus is read once, whatever the number of spans: a rolling hash over 16 characters finds the beginnings of the texts
that are looked for, and only there the texts themselves are compared.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from ragset.documents.corpus import Corpus
from ragset.models import Span
from ragset.text.rolling_hash import Codes, HashTable, Ints, codes_of, rolling_hashes
from ragset.text.words import writes_without_spaces

SHORTEST = 20
"""Characters, with white space folded; a shorter text is said in many places by chance."""

_WINDOW = 16
_AT_ONCE = 1 << 20
_BEYOND_SPACES = 0x3001
"""No white space from here on."""
_IS_SPACE = np.array([chr(code).isspace() for code in range(_BEYOND_SPACES + 1)])


class _Wanted(NamedTuple):
    codes: Codes
    span: Span
    begins: bool
    """Whether it begins with a whole word."""
    ends: bool


def find_repeats(spans: Iterable[Span], corpus: Corpus) -> dict[Span, tuple[Span, ...]]:
    """For each span the other places of its text, in reading order; none overlaps the span or another of them.

    White space is no difference. A place that begins or ends within a word counts only if the span does.

    Raises:
        InputError: a span lies outside the corpus.
    """
    found: dict[Span, list[Span]] = {span: [] for span in spans}
    wanted: dict[int, list[_Wanted]] = defaultdict(list)
    # In the order of documents, so that each is read once.
    for span in sorted(found, key=lambda span: span.doc_id):
        said = corpus.text(span)
        codes, _ = _fold(said.strip())
        if len(codes) >= SHORTEST:
            start = span.start + len(said) - len(said.lstrip())
            whole = _whole(corpus[span.doc_id].text, start, span.end - len(said) + len(said.rstrip()))
            wanted[int(rolling_hashes(codes[:_WINDOW], _WINDOW)[0])].append(_Wanted(codes, span, *whole))
    if not wanted:
        return dict.fromkeys(found, ())
    table = HashTable(np.array(list(wanted), dtype=np.uint64))
    for document in corpus:
        codes, places = _fold(document.text)
        for position, key in _candidates(codes, table):
            for text in wanted[key]:
                last = position + len(text.codes)
                if not np.array_equal(codes[position:last], text.codes):
                    continue
                place = Span(doc_id=document.id, start=int(places[position]), end=int(places[last - 1]) + 1)
                begins, ends = _whole(document.text, place.start, place.end)
                whole = begins >= text.begins and ends >= text.ends
                if whole and not any(place.overlap(other) for other in (text.span, *found[text.span][-1:])):
                    found[text.span].append(place)
    return {span: tuple(places) for span, places in found.items()}


def _whole(text: str, start: int, end: int) -> tuple[bool, bool]:
    """Whether no word is cut at the start, and at the end."""
    return not _within_word(text[max(0, start - 1) : start + 1]), not _within_word(text[max(0, end - 1) : end + 1])


def _within_word(around: str) -> bool:
    """Whether two characters are of one word, as far as the script shows where words end."""
    return len(around) == 2 and all(c.isalnum() and not writes_without_spaces(c) for c in around)


def _fold(text: str) -> tuple[Codes, Ints]:
    """The code points of a text with each run of white space as one space, and where each stood."""
    codes = codes_of(text)
    space = _IS_SPACE[np.minimum(codes, _BEYOND_SPACES)]
    kept = ~space
    kept[1:] |= ~space[:-1]
    kept[:1] = True
    places = np.flatnonzero(kept)
    return np.where(space, np.uint32(0x20), codes)[places], places


def _candidates(codes: Codes, table: HashTable) -> Iterator[tuple[int, int]]:
    """Positions whose hash is in the table, with that hash, rising."""
    for start in range(0, len(codes) - _WINDOW + 1, _AT_ONCE):
        places, numbers = table.find(rolling_hashes(codes[start : start + _AT_ONCE + _WINDOW - 1], _WINDOW))
        yield from zip((places + start).tolist(), table.hashes[numbers].tolist(), strict=True)
