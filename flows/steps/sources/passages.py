"""Candidates of passages, which are drawn at places and not cut by any chunking."""

from collections.abc import Sequence

from flows.parameters.models import SingleChunkParameters
from flows.steps.sources.chunks import Chunks, DrawResult
from ragset.dataset import FunnelRow, funnel_row
from ragset.generation.passages import ROUNDS
from ragset.models import Span
from tasks.documents import CorpusFile
from tasks.index import IndexFile
from tasks.run.caching import unsearched
from tasks.sampling import draw_at_places


class Passages(Chunks):
    """Makes a candidate of each passage, drawn at places in the chunks of the sample, that passes the free rules.

    Passages in `taken` are not drawn again.
    """

    of = "passages"

    def __init__(
        self,
        index: IndexFile,
        corpus: CorpusFile,
        order: Sequence[int],
        parameters: SingleChunkParameters,
        taken: Sequence[Span] = (),
    ) -> None:
        super().__init__(index, corpus, order)
        self._seed, self._language = parameters.seed, parameters.chunking.language or "en"
        self._before = [*taken]
        self._places = 0

    @property
    def eligible(self) -> int:
        """Passages that can be drawn; until all are drawn, the chunks in which there are places."""
        return len(self._order) if self.left else self.sampled

    @property
    def left(self) -> int:
        """Places not used yet: at most so many passages are left."""
        return ROUNDS * len(self._order) - self._places

    def funnel(self, eligible: int) -> tuple[FunnelRow, ...]:
        """How the passages came to be those that were tried."""
        chunk, _ = self.index.funnel(eligible, 0)
        overlapping = self._places - self.sampled
        return chunk, funnel_row("passages", self._places, self.sampled, (), overlapping=overlapping)

    async def draw(self, size: int) -> DrawResult:
        """Draw the next `size` passages, without those that rules refuse."""
        label = f"passages {self.sampled + 1}-{self.sampled + size}"
        drawn = await draw_at_places(
            self.index,
            self.corpus,
            unsearched([*self._order]),
            self._places,
            size,
            unsearched(self._before),
            self._seed,
            self._language,
            label,
        )
        tried = len(drawn.drawn)
        self._before += drawn.drawn
        self._places += drawn.places
        self._place += tried
        counts = (("rules", tried, len(drawn.candidates)),)
        return DrawResult(tried, drawn.candidates, drawn.rejects, counts)
