"""One passage aligned with one stretch of a document, letter by letter."""

from collections.abc import Sequence
from typing import NamedTuple

from rapidfuzz.distance import LCSseq, Postfix, Prefix

_MOST_RUNS = 100
"""Exact runs that are chained; of more the longest."""
_ALIKE = 0.75
"""Share of letters in common from which two short pieces between exact runs count as one edited piece. Two unrelated
pieces of English have about half of their letters in common, in order."""
_LONGEST_END = 400
"""Letters before the first and after the last exact run that may be an edited piece."""


class Scale(NamedTuple):
    """Lengths in letters, by how much a letter of the script says."""

    run: int
    """An exact run that is looked up."""
    gap: int
    """What the document may have between two parts of one place, and the passage not."""
    least: int
    """A place that proves itself by its length, however long the passage is."""


ALPHABETIC = Scale(run=16, gap=40, least=60)
UNSPACED = Scale(run=6, gap=15, least=20)
"""Scripts without spaces between words, of which a letter is worth several."""


class Block(NamedTuple):
    """A part of the passage with its place in the document; half-open positions in letters."""

    start: int
    end: int
    first: int
    """In the document."""
    last: int
    """In the document, half-open."""
    same: int
    """Letters of the passage that the document has, in order."""


def align(
    passage: str, document: str, within: tuple[int, int], seeds: Sequence[tuple[int, int]], scale: Scale
) -> list[Block]:
    """The parts of `passage` that `document` has `within` these positions, in order.

    `seeds` are positions in the passage and in the document at which a run may begin; their letters are compared here.
    """
    low, high = within
    whole = document.find(passage, low, high)
    if whole >= 0:
        return [_exact(0, whole, len(passage))]
    blocks: list[Block] = []
    for run in _chain(_exact_runs(passage, document, within, seeds, scale.run)):
        joined = _joined(blocks[-1], run, passage, document, scale.gap) if blocks else None
        blocks[-1:] = [joined] if joined else [*blocks[-1:], run]
    blocks = [_stretched(block, passage, document, within) for block in blocks]
    needed = min(scale.least, 0.8 * len(passage))
    return [block for block in blocks if block.same >= needed]


def _exact(start: int, first: int, length: int) -> Block:
    return Block(start, start + length, first, first + length, length)


def _exact_runs(
    passage: str, document: str, within: tuple[int, int], seeds: Sequence[tuple[int, int]], width: int
) -> list[Block]:
    """Stretches that are the same letter for letter, by position; each seed is extended as far as it goes."""
    low, high = within
    runs: list[Block] = []
    reach: dict[int, int] = {}
    """For each difference of positions, how far in the passage the last run goes."""
    for at, place in seeds:
        if at < reach.get(place - at, 0) or passage[at : at + width] != document[place : place + width]:
            continue
        size = len(passage) - at
        ahead = Prefix.similarity(passage[at:], document[place : min(high, place + size)])
        back = Postfix.similarity(passage[:at], document[max(low, place - at) : place])
        reach[place - at] = at + ahead
        runs.append(_exact(at - back, place - back, back + ahead))
    return sorted(sorted(runs, key=lambda run: -run.same)[:_MOST_RUNS])


def _chain(runs: Sequence[Block]) -> list[Block]:
    """The runs that rise in the passage and in the document and have most letters together; overlaps are cut."""
    best: list[int] = []
    before: list[int] = []
    for number, run in enumerate(runs):
        best.append(run.same)
        before.append(-1)
        for earlier, other in enumerate(runs[:number]):
            rises = other.start < run.start and other.first < run.first
            total = best[earlier] + run.same - _overlap(other, run)
            if rises and _overlap(other, run) < run.same and total > best[number]:
                best[number], before[number] = total, earlier
    chain: list[Block] = []
    at = max(range(len(runs)), key=best.__getitem__, default=-1)
    while at >= 0:
        run, at = runs[at], before[at]
        cut = _overlap(runs[at], run) if at >= 0 else 0
        chain.append(_exact(run.start + cut, run.first + cut, run.same - cut))
    return chain[::-1]


def _overlap(one: Block, other: Block) -> int:
    """Letters of the second run that the first one has already, in the passage or in the document."""
    return max(0, one.end - other.start, one.last - other.first)


def _joined(one: Block, other: Block, passage: str, document: str, gap: int) -> Block | None:
    """Both as one where the document has little between them, or nearly what the passage has; else None."""
    between, beside = passage[one.end : other.start], document[one.last : other.first]
    same = _same(between, beside)
    if not same and len(beside) > gap:
        return None
    return Block(one.start, other.end, one.first, other.last, one.same + same + other.same)


def _same(one: str, other: str) -> int:
    """Letters in common, in order; 0 unless they are most of both."""
    least = _ALIKE * max(len(one), len(other))
    if not one or not other or min(len(one), len(other)) < least:
        return 0
    same = LCSseq.similarity(one, other)
    return same if same >= least else 0


def _stretched(block: Block, passage: str, document: str, within: tuple[int, int]) -> Block:
    """With what stands before and behind it, edited, in both."""
    low, high = within
    if 0 < block.start <= _LONGEST_END:
        head = passage[: block.start][::-1]
        same, reach = _end(head, document[max(low, block.first - len(head) - 8) : block.first][::-1])
        block = block._replace(start=0 if same else block.start, first=block.first - reach, same=block.same + same)
    if 0 < len(passage) - block.end <= _LONGEST_END:
        tail = passage[block.end :]
        same, reach = _end(tail, document[block.last : min(high, block.last + len(tail) + 8)])
        block = block._replace(end=len(passage) if same else block.end, last=block.last + reach, same=block.same + same)
    return block


def _end(wanted: str, text: str) -> tuple[int, int]:
    """How many letters of `wanted` begin `text`, in order, and how far they reach; 0 unless they are most of it."""
    equal = [code for code in LCSseq.opcodes(wanted, text) if code.tag == "equal"]
    same = sum(code.src_end - code.src_start for code in equal)
    return (same, equal[-1].dest_end) if same >= _ALIKE * len(wanted) else (0, 0)
