"""Candidates of contexts, for queries over several chunks."""

from collections.abc import Sequence

from flows.parameters.models import MultiChunkParameters
from flows.steps.sources.chunks import Chunks, DrawResult
from ragset.generation.contexts import LATEST, Context, Rows, Yields, origin_of
from ragset.models import Candidate, Reject
from ragset.settings import OFFLINE
from tasks.documents import CorpusFile
from tasks.index import IndexFile
from tasks.run.caching import unsearched
from tasks.sampling import draw_contexts, expand_contexts

AT_ONCE = 2_000
"""Seeds whose links are compared with each other: all of a small corpus, a sample spread over a large one."""


class Contexts(Chunks):
    """Makes contexts around the seeds of the sample, many at a time, and draws those first whose links promise most.

    When every seed was tried, another round begins, with links that no context has shown. No context begins with two chunks
    that were together in `before`.
    """

    stages = ("expand", "rules")

    def __init__(
        self,
        index: IndexFile,
        corpus: CorpusFile,
        order: Sequence[int],
        parameters: MultiChunkParameters,
        before: Sequence[Rows],
    ) -> None:
        super().__init__(index, corpus, order)
        self._settings = parameters.contexts
        self._min_chars = parameters.sampling.min_chars
        # Whoever wants all that there is, or pays for none, goes on to the end.
        self._saves = bool(parameters.n) and parameters.generator.model != OFFLINE
        self._before = [*before]
        self._waiting: list[Context] = []
        self._yields = Yields()
        self._drawn: dict[str, str] = {}  # the kinds of the last contexts, by their origins
        self._round = 1
        self._made = 0  # contexts of this round

    @property
    def sampled(self) -> int:
        """Seeds that were tried."""
        return self.eligible if self._round > 1 else self._place

    @property
    def left(self) -> int:
        """Contexts made but not drawn, and seeds that may make one; none where the latest gave hardly any of the goldens wanted."""
        if self._saves and self._yields.dry:
            return 0
        return len(self._waiting) + (self.eligible - self._place or (self.eligible if self._made else 0))

    def learn(self, finished: Sequence[Candidate]) -> None:
        """Note how many goldens came of the contexts drawn last; later contexts are drawn by it."""
        self._yields.learn(self._drawn, (one.origin for one in finished))
        self._drawn = {}

    async def draw(self, size: int) -> DrawResult:
        """Draw the next contexts, at most as many as tell whether more are worth it; seeds are tried until there are so many."""
        size = min(size, LATEST) if self._saves else size
        rejects: list[Reject] = []
        counts: list[tuple[str, int, int]] = []
        while len(self._waiting) < size:
            if self._place == self.eligible:
                if not self._made:
                    break
                self._round, self._place, self._made = self._round + 1, 0, 0
            seeds = list(self._order[self._place : self._place + AT_ONCE])
            label = f"chunks {self._place + 1}-{self._place + len(seeds)}, round {self._round}"
            self._place += len(seeds)
            before = unsearched(self._before)
            expanded = await expand_contexts(self.index, seeds, self._settings, self._min_chars, before, label)
            self._waiting += expanded.contexts
            self._before += [context.rows for context in expanded.contexts]
            self._made += len(expanded.contexts)
            lost = expanded.rejects if self._round == 1 else ()
            rejects += lost
            counts.append(("expand", len(expanded.contexts) + len(lost), 0))
        places = self._yields.best(self._waiting, size)
        taken = [self._waiting[place] for place in places]
        gone = set(places)
        self._waiting = [context for place, context in enumerate(self._waiting) if place not in gone]
        index = self.index.open()
        self._drawn = {origin_of(index, context.rows): context.kind for context in taken}
        label = f"{len(taken)} contexts"
        drawn = await draw_contexts(
            self.index, self.corpus, [one.rows for one in taken], self._settings.min_chunks, label
        )
        counts += [("expand", 0, len(taken)), ("rules", len(taken), len(drawn.candidates))]
        return DrawResult(len(taken), drawn.candidates, (*rejects, *drawn.rejects), tuple(counts))
