"""One passage aligned with one stretch of a document, letter by letter."""

from itertools import zip_longest
from math import ceil
from typing import NamedTuple

from rapidfuzz.distance import LCSseq, Levenshtein, Postfix, Prefix

_ALIKE = 0.75
"""Share of letters in common from which two short pieces are one edited piece; unrelated English has about half."""
_LONGEST = 200_000
"""Letters; aligning takes the square of the length where little is the same, so a longer passage must stand exactly."""
_LONGEST_END = 400  # letters before the first and after the last exact run that may be an edited piece


class Scale(NamedTuple):
    """Lengths in letters, by how much a letter of the script says."""

    run: int  # an exact run that is looked up
    gap: int  # what the document may have between two parts of one place, and the passage not
    least: int  # a place of this length counts, however long the passage is


ALPHABETIC = Scale(run=16, gap=40, least=60)
UNSPACED = Scale(run=6, gap=15, least=20)  # scripts without spaces between words, of which a letter is worth several


class Block(NamedTuple):
    """A part of the passage with its place in the document; half-open positions in letters."""

    start: int
    end: int
    first: int  # in the document, as `last`
    last: int
    same: int  # letters of the passage that the document has, in order


def _exact(start: int, first: int, length: int) -> Block:
    return Block(start, start + length, first, first + length, length)


def align(passage: str, document: str, low: int, high: int, scale: Scale) -> list[Block]:
    """The parts of `passage` that `document` has from `low` to `high`, in order."""
    whole = document.find(passage, low, high)
    if whole >= 0:
        return [_exact(0, whole, len(passage))]
    if len(passage) > _LONGEST:
        return []
    codes = Levenshtein.opcodes(passage, document[low:high])
    exact = [code for code in codes if code.tag == "equal" and code.src_end - code.src_start >= scale.run]
    runs = [_exact(code.src_start, low + code.dest_start, code.src_end - code.src_start) for code in exact]
    blocks: list[Block] = []
    last = _exact(0, low, 0)
    for run, following in zip_longest(runs, runs[1:], fillvalue=_exact(len(passage), high, 0)):
        # As far as both are the same: of equal alignments, Levenshtein's may part a letter from its word.
        back = Postfix.similarity(passage[last.end : run.start], document[last.last : run.first])
        ahead = Prefix.similarity(passage[run.end : following.start], document[run.last : following.first])
        last = _exact(run.start - back, run.first - back, back + run.same + ahead)
        joined = _joined(blocks[-1], last, passage, document, scale.gap) if blocks else None
        blocks[-1:] = [joined] if joined else [*blocks[-1:], last]
    blocks = [_stretched(block, passage, document[low : block.first], document[block.last : high]) for block in blocks]
    needed = min(scale.least, 0.8 * len(passage))
    return [block for block in blocks if block.same >= needed]


def _joined(one: Block, other: Block, passage: str, document: str, gap: int) -> Block | None:
    """Both as one where the document has little between them, or nearly what the passage has; else None."""
    between, beside = passage[one.end : other.start], document[one.last : other.first]
    same = LCSseq.similarity(between, beside, score_cutoff=ceil(_ALIKE * max(len(between), len(beside))))
    if not same and len(beside) > gap:
        return None
    return Block(one.start, other.end, one.first, other.last, one.same + same + other.same)


def _stretched(block: Block, passage: str, before: str, after: str) -> Block:
    if 0 < block.start <= _LONGEST_END:
        same, reach = _end(passage[: block.start][::-1], before[::-1])
        block = block._replace(start=0 if same else block.start, first=block.first - reach, same=block.same + same)
    if 0 < len(passage) - block.end <= _LONGEST_END:
        same, reach = _end(passage[block.end :], after)
        block = block._replace(end=len(passage) if same else block.end, last=block.last + reach, same=block.same + same)
    return block


def _end(wanted: str, text: str) -> tuple[int, int]:
    """How many letters of `wanted` begin `text`, in order, and how far they reach; 0 unless they are most of it."""
    codes = LCSseq.opcodes(wanted, text[: len(wanted) + 8])
    equal = [code for code in codes if code.tag == "equal"]
    same = sum(code.src_end - code.src_start for code in equal)
    return (same, equal[-1].dest_end) if same >= _ALIKE * len(wanted) else (0, 0)
