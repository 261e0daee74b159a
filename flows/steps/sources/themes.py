"""Candidates of themes, for queries about the whole corpus."""

from collections.abc import Sequence

from flows.parameters.models import CorpusWideParameters
from flows.steps.sources.chunks import Chunks, DrawResult
from ragset.generation.contexts import Rows
from tasks.documents import CorpusFile
from tasks.index import IndexFile
from tasks.sampling import draw_contexts, find_themes_around


class Themes(Chunks):
    """Makes a theme around each chunk of the sample that has neighbours in enough documents, unless it is an earlier one again."""

    of = "themes"
    stages = ("themes", "rules")

    def __init__(
        self, index: IndexFile, corpus: CorpusFile, order: Sequence[int], parameters: CorpusWideParameters
    ) -> None:
        super().__init__(index, corpus, order)
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
        drawn = await draw_contexts(self.index, self.corpus, themes, self._settings.min_documents, label)
        counts = (("themes", self.sampled - first, len(themes)), ("rules", len(themes), len(drawn.candidates)))
        return DrawResult(len(themes), drawn.candidates, drawn.rejects, counts)
