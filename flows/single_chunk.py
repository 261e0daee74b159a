"""The single-chunk pipeline."""

from pathlib import Path

from flows.parameters.languages import settled
from flows.parameters.models import SingleChunkParameters
from flows.steps.approval import approve
from flows.steps.ending import ended
from flows.steps.entry import flow_with, goldens_of_corpus
from flows.steps.finish import write_goldens
from flows.steps.generate import make_goldens
from flows.steps.recipe import recipe_of
from flows.steps.sources import Chunks
from ragset.dataset.claim import claimed
from tasks.dataset import DatasetSummary
from tasks.documents import read_corpus
from tasks.index import draw_order, index_corpus
from tasks.run.caching import digest
from tasks.run.models import Account, connected


@flow_with(SingleChunkParameters, name="single-chunk", run_name=goldens_of_corpus)
async def single_chunk(parameters: SingleChunkParameters) -> DatasetSummary:
    """Make n goldens, each answered by one chunk.

    Raises:
        InputError: documents or parameters that cannot be used.
        ProviderError: a model that cannot be asked; what was answered until then is kept.
    """
    with claimed(Path(parameters.out)):
        async with connected(parameters.models, parameters.budget, [parameters.embedding]):
            corpus = await read_corpus(parameters.documents)
            parameters = settled(parameters, corpus.language)
            recipe = recipe_of(parameters)
            account = Account(run=digest([parameters.identity, corpus.hash, recipe.identity]), budget=parameters.budget)
            index = await index_corpus(corpus, parameters.chunking, parameters.embedding, account)
            order = await draw_order(index, parameters.sampling, parameters.seed)
            n = await approve(parameters, parameters.n, recipe, Chunks(index, order))
            parameters = parameters.model_copy(update={"n": n})
            source = Chunks(index, order)
            made = await make_goldens(source, parameters.wanted, recipe, account, mix=parameters.hardness.weights)
        return ended(await write_goldens(made, parameters, recipe, corpus, index, source, account))
