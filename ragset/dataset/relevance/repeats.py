"""Every other place in a corpus that says word for word what a span says.

The corpus is read once, whatever the number of spans: a rolling hash over 16 characters finds a part of each text that is looked
for, the one that it shares with the fewest others, and only there the texts themselves are compared.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ragset.dataset.alignment.letters import Ints, codes_of
from ragset.documents.corpus import Corpus
from ragset.models import Span
from ragset.text.words import writes_without_spaces

SHORTEST = 20
"""Characters, with white space folded; a shorter text is said in many places by chance."""

Codes = NDArray[np.uint32]
Hashes = NDArray[np.uint64]

_WINDOW = 16
_BEGINNING = 256
"""Windows of a text among which the rarest is looked for."""
_FACTOR = 0x9E3779B97F4A7C15
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
    """
    found: dict[Span, list[Span]] = {span: [] for span in spans}
    texts: list[_Wanted] = []
    # In the order of documents, so that each is read once.
    for span in sorted(found, key=lambda span: span.doc_id):
        said = corpus.text(span)
        codes, _ = _fold(said.strip())
        if len(codes) >= SHORTEST:
            start = span.start + len(said) - len(said.lstrip())
            whole = _whole(corpus[span.doc_id].text, start, span.end - len(said) + len(said.rstrip()))
            texts.append(_Wanted(codes, span, *whole))
    if not texts:
        return dict.fromkeys(found, ())
    wanted = _by_rarest_window(texts)
    # The first 20 bits of a hash tell nearly all others apart quickly.
    marked = np.zeros(1 << 20, dtype=bool)
    marked[np.array(list(wanted), dtype=np.uint64) >> np.uint64(44)] = True
    for document in corpus:
        codes, places = _fold(document.text)
        for position, key in _candidates(codes, marked):
            for offset, text in wanted.get(key, ()):
                first = position - offset
                last = first + len(text.codes)
                if first < 0 or not np.array_equal(codes[first:last], text.codes):
                    continue
                place = Span(doc_id=document.id, start=int(places[first]), end=int(places[last - 1]) + 1)
                begins, ends = _whole(document.text, place.start, place.end)
                whole = begins >= text.begins and ends >= text.ends
                if whole and not any(place.overlap(other) for other in (text.span, *found[text.span][-1:])):
                    found[text.span].append(place)
    return {span: tuple(places) for span, places in found.items()}


def _by_rarest_window(texts: Sequence[_Wanted]) -> dict[int, list[tuple[int, _Wanted]]]:
    """The texts, each with where its window is that the fewest others have, by the hash of that window."""
    hashes = [_rolling_hashes(text.codes[: _BEGINNING + _WINDOW - 1]) for text in texts]
    _, which, counts = np.unique(np.concatenate(hashes), return_inverse=True, return_counts=True)
    found: dict[int, list[tuple[int, _Wanted]]] = defaultdict(list)
    start = 0
    for text, own in zip(texts, hashes, strict=True):
        offset = int(np.argmin(counts[which[start : start + len(own)]]))
        found[int(own[offset])].append((offset, text))
        start += len(own)
    return found


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


def _candidates(codes: Codes, marked: NDArray[np.bool_]) -> Iterator[tuple[int, int]]:
    """Positions whose hash begins with marked bits, with that hash, rising."""
    for start in range(0, len(codes) - _WINDOW + 1, _AT_ONCE):
        hashes = _rolling_hashes(codes[start : start + _AT_ONCE + _WINDOW - 1])
        places = np.flatnonzero(marked[hashes >> np.uint64(44)])
        yield from zip((places + start).tolist(), hashes[places].tolist(), strict=True)


def _rolling_hashes(codes: Codes) -> Hashes:
    """A polynomial hash, modulo 2**64, of each `_WINDOW` code points in a row."""
    hashes = codes.astype(np.uint64)
    for size in (1, 2, 4, 8):
        hashes = hashes[:-size] * np.uint64(pow(_FACTOR, size, 2**64)) + hashes[size:]
    return hashes
