"""Where candidates come from, so many at a time: chunks in the order of the sample, or contexts of similar chunks."""

from collections.abc import Sequence
from typing import NamedTuple

from ragset.generation.contexts import Rows
from ragset.models import Candidate, Reject
from ragset.settings import ContextSettings
from tasks.contexts import draw_contexts, expand_contexts
from tasks.index import IndexFile, draw_chunks


class Count(NamedTuple):
    """What a stage before the models was given, and what it let through."""

    stage: str
    entered: int
    left: int


class DrawResult(NamedTuple):
    """Candidates for the stages, and what was refused on the way to them."""

    tried: int
    """Chunks or contexts that these are left of."""
    candidates: tuple[Candidate, ...]
    rejects: tuple[Reject, ...]
    counts: tuple[Count, ...]


class Chunks:
    """Each chunk of the sample is a candidate, if free rules let it pass."""

    stages: tuple[str, ...] = ("rules",)
    """Names of its own, in order."""

    def __init__(self, index: IndexFile, order: Sequence[int]) -> None:
        self.index = index
        self._order = order
        self.eligible = len(order)
        """Chunks that could be drawn."""
        self.sampled = 0
        """Of these, how many were drawn until now."""

    @property
    def left(self) -> int:
        """Chunks not drawn yet."""
        return len(self._order) - self.sampled

    async def draw(self, size: int) -> DrawResult:
        """The next `size` chunks of the sample, without those that rules refuse."""
        rows = self._order[self.sampled : self.sampled + size]
        label = f"chunks {self.sampled + 1}-{self.sampled + len(rows)}"
        self.sampled += len(rows)
        drawn = await draw_chunks(self.index, list(rows), label)
        passed = Count("rules", len(rows), len(drawn.candidates))
        return DrawResult(len(rows), drawn.candidates, drawn.rejects, (passed,))


class Contexts:
    """Each seed of the sample makes a context with similar chunks; several seeds are tried for each context asked for.

    When every seed was tried, another round begins, in which seeds get other chunks.
    """

    stages: tuple[str, ...] = ("expand", "rules")

    def __init__(
        self,
        index: IndexFile,
        order: Sequence[int],
        settings: ContextSettings,
        min_chars: int,
        before: Sequence[Rows] = (),
    ) -> None:
        """`before` are contexts that goldens have already: none of them is drawn again."""
        self.index = index
        self._order = order
        self.eligible = len(order)
        self._settings = settings
        self._min_chars = min_chars
        self._contexts: list[Rows] = [*before]
        self._taken = len(before)
        self._round = 1
        self._place = 0
        """In the order, of this round."""
        self._made = 0
        """Contexts of this round."""

    @property
    def sampled(self) -> int:
        """Seeds that were tried."""
        return self.eligible if self._round > 1 else self._place

    @property
    def left(self) -> int:
        """Contexts that are made already, and seeds that may make one."""
        seeds = self.eligible - self._place or (self.eligible if self._made else 0)
        return len(self._contexts) - self._taken + seeds

    async def draw(self, size: int) -> DrawResult:
        """The next contexts; seeds are tried until there are `size`, or none makes another."""
        rejects: list[Reject] = []
        counts: list[Count] = []
        while (missing := size - (len(self._contexts) - self._taken)) > 0:
            if self._place == self.eligible and not self._next_round():
                break
            seeds = list(self._order[self._place : self._place + self._settings.seeds * missing])
            label = f"chunks {self._place + 1}-{self._place + len(seeds)}, round {self._round}"
            self._place += len(seeds)
            expanded = await expand_contexts(
                self.index, seeds, self._settings, self._min_chars, list(self._contexts), label
            )
            self._contexts += expanded.contexts
            self._made += len(expanded.contexts)
            # Seeds of later rounds had a context already: that they get no other is no loss.
            first = self._round == 1
            rejects += expanded.rejects if first else ()
            counts.append(Count("expand", len(seeds) if first else len(expanded.contexts), 0))
        taken = self._contexts[self._taken : self._taken + size]
        label = f"contexts {self._taken + 1}-{self._taken + len(taken)}"
        self._taken += len(taken)
        drawn = await draw_contexts(self.index, taken, self._settings.min_chunks, label)
        counts += [Count("expand", 0, len(taken)), Count("rules", len(taken), len(drawn.candidates))]
        return DrawResult(len(taken), drawn.candidates, (*rejects, *drawn.rejects), tuple(counts))

    def _next_round(self) -> bool:
        """Begin another one, if the last one made any context."""
        if not self._made:
            return False
        self._round, self._place, self._made = self._round + 1, 0, 0
        return True


Source = Chunks | Contexts
"""Candidates in a fixed order."""
