"""The sources of candidates: passages, chunks in the order of the sample, contexts of linked chunks, or themes."""

from collections.abc import Sequence
from typing import NamedTuple

from flows.parameters.models import AnyMaking, CorpusWideParameters, MultiChunkParameters, SingleChunkParameters
from ragset.dataset import FunnelRow, funnel_row
from ragset.generation.contexts import Context, Rows, Yields, origin_of
from ragset.generation.passages import ROUNDS
from ragset.models import Candidate, Reject, Span
from tasks.batches import Recipe
from tasks.documents import CorpusFile
from tasks.index import IndexFile
from tasks.run.caching import unsearched
from tasks.sampling import draw_at_places, draw_chunks, draw_contexts, expand_contexts, find_themes_around

AT_ONCE = 2_000
"""Seeds whose links are compared with each other: all of a small corpus, a sample spread over a large one."""


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

    def __init__(self, index: IndexFile, order: Sequence[int]) -> None:
        self.index = index
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
        drawn = await draw_chunks(self.index, [*rows], label)
        counts = (("rules", len(rows), len(drawn.candidates)),)
        return DrawResult(len(rows), drawn.candidates, drawn.rejects, counts)

    def learn(self, finished: Sequence[Candidate]) -> None:
        """Nothing: the order of the sample stays what it is."""


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
        super().__init__(index, order)
        self._corpus = corpus
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
            self._corpus,
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


class Themes(Chunks):
    """Makes a theme around each chunk of the sample that has neighbours in enough documents, unless it is an earlier one again."""

    of = "themes"
    stages = ("themes", "rules")

    def __init__(self, index: IndexFile, order: Sequence[int], parameters: CorpusWideParameters) -> None:
        super().__init__(index, order)
        self._settings, self._min_chars = parameters.writing, parameters.sampling.min_chars
        self._before: list[Rows] = []

    async def draw(self, size: int) -> DrawResult:
        """Draw the next themes; chunks are tried until there are `size`, or none is left."""
        first, themes = self.sampled, list[Rows]()
        while len(themes) < size and self.left:
            seeds = list(self._order[self.sampled : self.sampled + size - len(themes)])
            self._place += len(seeds)
            label = f"chunks {self.sampled - len(seeds) + 1}-{self.sampled}"
            before = [*self._before, *themes]
            themes += await find_themes_around(self.index, seeds, self._settings, self._min_chars, before, label)
        self._before += themes
        label = f"{len(themes)} themes"
        drawn = await draw_contexts(self.index, themes, self._settings.min_documents, label)
        counts = (("themes", self.sampled - first, len(themes)), ("rules", len(themes), len(drawn.candidates)))
        return DrawResult(len(themes), drawn.candidates, drawn.rejects, counts)


class Contexts(Chunks):
    """Makes contexts around the seeds of the sample, many at a time, and draws those first whose links promise most.

    When every seed was tried, another round begins, with links that no context has shown. No context begins with two chunks
    that were together in `before`.
    """

    stages = ("expand", "rules")

    def __init__(
        self, index: IndexFile, order: Sequence[int], parameters: MultiChunkParameters, before: Sequence[Rows]
    ) -> None:
        super().__init__(index, order)
        self._settings = parameters.contexts
        self._min_chars = parameters.sampling.min_chars
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
        """Contexts made but not drawn, and seeds that may make one."""
        return len(self._waiting) + (self.eligible - self._place or (self.eligible if self._made else 0))

    def learn(self, finished: Sequence[Candidate]) -> None:
        """Note how many goldens came of the contexts drawn last; later contexts are drawn by it."""
        self._yields.learn(self._drawn, (one.origin for one in finished))
        self._drawn = {}

    async def draw(self, size: int) -> DrawResult:
        """Draw the next contexts; seeds are tried until there are `size`, or none makes another."""
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
        drawn = await draw_contexts(self.index, [one.rows for one in taken], self._settings.min_chunks, label)
        counts += [("expand", 0, len(taken)), ("rules", len(taken), len(drawn.candidates))]
        return DrawResult(len(taken), drawn.candidates, (*rejects, *drawn.rejects), tuple(counts))


Source = Chunks
"""Any of them."""


def source_of(
    parameters: AnyMaking,
    index: IndexFile,
    corpus: CorpusFile,
    order: Sequence[int],
    before: Sequence[Rows] = (),
    taken: Sequence[Span] = (),
) -> Source:
    """Passages, chunks, contexts or themes, without the contexts that goldens have `before` and the passages that are `taken`."""
    if isinstance(parameters, MultiChunkParameters):
        return Contexts(index, order, parameters, before)
    if isinstance(parameters, CorpusWideParameters):
        return Themes(index, order, parameters)
    if parameters.sampling.from_ == "chunks":
        return Chunks(index, order)
    return Passages(index, corpus, order, parameters, taken)


def recipe_of(asked: AnyMaking) -> Recipe:
    """The recipe that the parameters ask for, with its prompts."""
    return Recipe.load(
        asked.writing,
        asked.generator,
        asked.critic or asked.generator,
        asked.seed,
        contexts=asked.contexts if isinstance(asked, MultiChunkParameters) else None,
        checks=asked.checking,
        documents=asked.chunking.language,
    )
