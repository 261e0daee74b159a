"""The multi-chunk pipeline."""

from pathlib import Path

from prefect import get_run_logger

from flows.parameters.languages import settled
from flows.parameters.models import MultiChunkParameters
from flows.steps.approval import approve
from flows.steps.ending import ended
from flows.steps.entry import flow_with, goldens_of_corpus
from flows.steps.finish import write_goldens
from flows.steps.generate import make_goldens
from flows.steps.recipe import recipe_of
from flows.steps.sources import Contexts
from ragset.dataset.claim import claimed
from tasks.contexts import settle_similarity
from tasks.dataset import DatasetSummary
from tasks.documents import read_corpus
from tasks.index import draw_order, index_corpus
from tasks.run.caching import digest
from tasks.run.models import Account, connected


@flow_with(MultiChunkParameters, name="multi-chunk", run_name=goldens_of_corpus)
async def multi_chunk(parameters: MultiChunkParameters) -> DatasetSummary:
    """Make n goldens, each needing two or more chunks.

    Raises:
        InputError: documents or parameters that cannot be used.
        ProviderError: a model that cannot be asked; what was answered until then is kept.
    """
    with claimed(Path(parameters.out)):
        if said := parameters.notice:
            get_run_logger().warning(said)
        async with connected(parameters.models, parameters.budget, [parameters.embedding]):
            corpus = await read_corpus(parameters.documents)
            parameters = settled(parameters, corpus.language)
            recipe = recipe_of(parameters)
            account = Account(run=digest([parameters.identity, corpus.hash, recipe.identity]), budget=parameters.budget)
            index = await index_corpus(corpus, parameters.chunking, parameters.embedding, account)
            contexts = await settle_similarity(index, parameters.contexts, parameters.sampling.min_chars)
            parameters = parameters.model_copy(update={"contexts": contexts})
            order = await draw_order(index, parameters.sampling, parameters.seed)
            n = await approve(
                parameters, parameters.n, recipe, Contexts(index, order, contexts, parameters.sampling.min_chars)
            )
            parameters = parameters.model_copy(update={"n": n})
            source = Contexts(index, order, contexts, parameters.sampling.min_chars)
            made = await make_goldens(source, parameters.wanted, recipe, account, mix=parameters.hardness.weights)
        return ended(await write_goldens(made, parameters, recipe, corpus, index, source, account))
