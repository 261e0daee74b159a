"""The multi-chunk pipeline."""

from pathlib import Path

from prefect import flow

from flows.finishing import write_goldens
from flows.making import make_goldens, run_name
from flows.parameters import Count, Folder, MultiChunkParameters, Seed
from flows.sources import Contexts
from ragset.dataset import check_output
from ragset.settings import (
    Budget,
    ChunkingSettings,
    ContextSettings,
    ContextWritingSettings,
    DocumentSettings,
    EmbeddingSettings,
    ModelSettings,
    SamplingSettings,
)
from tasks.asking import Account, connected
from tasks.batches import Recipe
from tasks.caching import digest
from tasks.contexts import settle_similarity
from tasks.dataset import DatasetSummary
from tasks.documents import read_corpus
from tasks.index import draw_order, index_corpus


@flow(name="multi-chunk", flow_run_name=run_name, description="Make n goldens, each needing two or more chunks.")
async def multi_chunk(
    documents: DocumentSettings,
    n: Count = 100,
    chunking: ChunkingSettings = ChunkingSettings(),
    embedding: EmbeddingSettings = EmbeddingSettings(),
    sampling: SamplingSettings = SamplingSettings(),
    contexts: ContextSettings = ContextSettings(),
    writing: ContextWritingSettings = ContextWritingSettings(),
    generator: ModelSettings = ModelSettings(),
    critic: ModelSettings | None = None,
    budget: Budget = Budget(),
    seed: Seed = 0,
    out: Folder = "out/multi-chunk",
) -> DatasetSummary:
    """Make `n` goldens, each needing two or more similar chunks, and write them to the folder `out`.

    Prefect's form shows what stands under Args.

    Args:
        documents: Which texts, and how they are cleaned.
        n: How many goldens to make; `all` makes one of every context that passes.
        chunking: How documents are cut into retrievable chunks.
        embedding: Which model turns chunks into vectors.
        sampling: Which chunks contexts are grown from.
        contexts: How chunks grow into contexts of similar chunks.
        writing: How queries are drafted, split, evolved, tested and judged.
        generator: The model that writes queries and answers.
        critic: The model that filters and judges; empty: the generator's.
        budget: Where the run ends well with what it has.
        seed: Of sampling and of mixing shapes and evolutions; 0 or more.
        out: Folder of the dataset. One that is there already is replaced when the new one is complete.

    Raises:
        InputError: documents or parameters that cannot be used.
        ProviderError: a model that cannot be asked; what was answered until then is kept.
    """
    parameters = MultiChunkParameters(
        documents=documents,
        n=n,
        chunking=chunking,
        embedding=embedding,
        sampling=sampling,
        contexts=contexts,
        writing=writing,
        generator=generator,
        critic=critic,
        budget=budget,
        seed=seed,
        out=out,
    )
    check_output(Path(out))
    recipe = Recipe.load(writing, generator, critic or generator, seed, contexts.min_chunks)
    async with connected((recipe.generator, recipe.critic), budget):
        corpus = await read_corpus(documents)
        index = await index_corpus(corpus, chunking, embedding)
        settled = await settle_similarity(index, contexts, sampling.min_chars)
        parameters = parameters.model_copy(update={"contexts": settled})
        order = await draw_order(index, sampling, seed)
        account = Account(run=digest([parameters.identity, corpus.hash, recipe.identity]), budget=budget)
        source = Contexts(index, order, settled, sampling.min_chars)
        made = await make_goldens(source, parameters.wanted, recipe, account)
    return await write_goldens(made, parameters, recipe, corpus, index, source)
