"""Candidates of chunks, in the order of the sample."""

from collections.abc import Sequence
from typing import NamedTuple

from ragset.dataset import FunnelRow
from ragset.models import Candidate, Reject
from tasks.documents import CorpusFile
from tasks.index import IndexFile
from tasks.sampling import draw_chunks


class DrawResult(NamedTuple):
    """Candidates for the stages, and those that rules refused."""

    tried: int
    """Passages, chunks or contexts before the rules."""
    candidates: tuple[Candidate, ...]
    rejects: tuple[Reject, ...]
    counts: tuple[tuple[str, int, int], ...]
    """Name, input and output of each stage before the models."""


class Chunks:
    """Makes a candidate of each chunk of the sample that passes the free rules."""

    of = "chunks"
    stages: tuple[str, ...] = ("rules",)

    def __init__(self, index: IndexFile, corpus: CorpusFile, order: Sequence[int]) -> None:
        self.index, self.corpus = index, corpus
        self._order = order
        self._place = 0  # how many were drawn

    @property
    def eligible(self) -> int:
        """Chunks that can be drawn."""
        return len(self._order)

    @property
    def sampled(self) -> int:
        """Chunks that were drawn."""
        return self._place

    @property
    def left(self) -> int:
        """Chunks not drawn yet."""
        return len(self._order) - self.sampled

    def funnel(self, eligible: int) -> tuple[FunnelRow, ...]:
        """How the chunks came to be those that were tried, of those `eligible` to be."""
        return self.index.funnel(eligible, self.sampled)

    async def draw(self, size: int) -> DrawResult:
        """Draw the next `size` chunks of the sample, without those that rules refuse."""
        rows = self._order[self.sampled : self.sampled + size]
        label = f"chunks {self.sampled + 1}-{self.sampled + len(rows)}"
        self._place += len(rows)
        drawn = await draw_chunks(self.index, self.corpus, [*rows], label)
        counts = (("rules", len(rows), len(drawn.candidates)),)
        return DrawResult(len(rows), drawn.candidates, drawn.rejects, counts)

    def learn(self, finished: Sequence[Candidate]) -> None:
        """Nothing: the order of the sample stays what it is."""
