"""The source of candidates and the recipe that parameters ask for."""

from collections.abc import Sequence

from flows.parameters.models import AnyMaking, CorpusWideParameters, MultiChunkParameters
from flows.steps.sources.chunks import Chunks
from flows.steps.sources.contexts import Contexts
from flows.steps.sources.passages import Passages
from flows.steps.sources.themes import Themes
from ragset.generation.contexts import Rows
from ragset.models import Span
from tasks.batches import Recipe
from tasks.documents import CorpusFile
from tasks.index import IndexFile

Source = Chunks
"""Any of the sources."""


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
        return Contexts(index, corpus, order, parameters, before)
    if isinstance(parameters, CorpusWideParameters):
        return Themes(index, corpus, order, parameters)
    if parameters.sampling.from_ == "chunks":
        return Chunks(index, corpus, order)
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
