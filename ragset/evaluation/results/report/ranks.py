"""At which rank the first relevant chunk was found, and how often it was missed."""

import math
from typing import NamedTuple

from ragset.evaluation.results.model import Results
from ragset.evaluation.results.report.board import Board, Entry
from ragset.evaluation.results.report.scores import scores_of

RANKS = ("rank 1", "2–3", "4–5", "6–10", "beyond 10", "missed")
_LAST = (1, 3, 5, 10)
"""Rank of each of the first bins."""


class Part(NamedTuple):
    """A piece of a bar, in percent of it."""

    name: str
    number: int
    start: float
    width: float
    goldens: int


class RankBar(NamedTuple):
    """One configuration; pieces that are empty are left out."""

    entry: Entry
    n: int
    parts: tuple[Part, ...]

    @property
    def told(self) -> str:
        """All of it in words."""
        return ", ".join(f"{part.name}: {part.width:.0f} %" for part in self.parts)


def rank_bars(results: Results, board: Board) -> list[RankBar]:
    """A bar for each configuration with ranks. A golden without evidence has nothing to find, and is not counted."""
    ranks = scores_of(results, "gold_rank")
    sought = [golden.id for golden in results.goldens if golden.evidence]
    bars: list[RankBar] = []
    for entry in board.entries:
        found = [ranks[entry.name, golden] for golden in sought if (entry.name, golden) in ranks]
        if found:
            bars.append(RankBar(entry, len(found), _parts(found)))
    return bars


def _parts(ranks: list[float]) -> tuple[Part, ...]:
    counts = [0] * len(RANKS)
    for rank in ranks:
        counts[_bin(rank)] += 1
    parts: list[Part] = []
    before = 0
    for number, count in enumerate(counts):
        if count:
            start, width = 100 * before / len(ranks), 100 * count / len(ranks)
            parts.append(Part(RANKS[number], number, round(start, 2), round(width, 2), count))
        before += count
    return tuple(parts)


def _bin(rank: float) -> int:
    if math.isnan(rank):
        return len(RANKS) - 1
    return next((number for number, last in enumerate(_LAST) if rank <= last), len(_LAST))
