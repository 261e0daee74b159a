"""The single-chunk pipeline."""

from pathlib import Path

from prefect import flow

from flows.finishing import write_goldens
from flows.making import make_goldens, run_name
from flows.parameters import Count, Folder, Seed, SingleChunkParameters
from flows.sources import Chunks
from ragset.dataset import check_output
from ragset.settings import (
    Budget,
    ChunkingSettings,
    DocumentSettings,
    EmbeddingSettings,
    ModelSettings,
    SamplingSettings,
    WritingSettings,
)
from tasks.asking import Account, connected
from tasks.batches import Recipe
from tasks.caching import digest
from tasks.dataset import DatasetSummary
from tasks.documents import read_corpus
from tasks.index import draw_order, index_corpus


@flow(name="single-chunk", flow_run_name=run_name, description="Make n goldens, each answered by one chunk.")
async def single_chunk(
    documents: DocumentSettings,
    n: Count = 100,
    chunking: ChunkingSettings = ChunkingSettings(),
    embedding: EmbeddingSettings = EmbeddingSettings(),
    sampling: SamplingSettings = SamplingSettings(),
    writing: WritingSettings = WritingSettings(),
    generator: ModelSettings = ModelSettings(),
    critic: ModelSettings | None = None,
    budget: Budget = Budget(),
    seed: Seed = 0,
    out: Folder = "out/single-chunk",
) -> DatasetSummary:
    """Make `n` goldens, each answered by one chunk, and write them to the folder `out`.

    Prefect's form shows what stands under Args.

    Args:
        documents: Which texts, and how they are cleaned.
        n: How many goldens to make; `all` makes one of every chunk that passes.
        chunking: How documents are cut into retrievable chunks.
        embedding: Which model turns chunks into vectors.
        sampling: Which chunks queries are drawn from.
        writing: How queries are drafted, evolved and judged.
        generator: The model that writes queries and answers.
        critic: The model that filters and judges; empty: the generator's.
        budget: Where the run ends well with what it has.
        seed: Of sampling and of mixing styles and evolutions; 0 or more.
        out: Folder of the dataset. One that is there already is replaced when the new one is complete.

    Raises:
        InputError: documents or parameters that cannot be used.
        ProviderError: a model that cannot be asked; what was answered until then is kept.
    """
    parameters = SingleChunkParameters(
        documents=documents,
        n=n,
        chunking=chunking,
        embedding=embedding,
        sampling=sampling,
        writing=writing,
        generator=generator,
        critic=critic,
        budget=budget,
        seed=seed,
        out=out,
    )
    check_output(Path(out))
    recipe = Recipe.load(writing, generator, critic or generator, seed)
    async with connected((recipe.generator, recipe.critic), budget):
        corpus = await read_corpus(documents)
        index = await index_corpus(corpus, chunking, embedding)
        order = await draw_order(index, sampling, seed)
        account = Account(run=digest([parameters.identity, corpus.hash, recipe.identity]), budget=budget)
        source = Chunks(index, order)
        made = await make_goldens(source, parameters.wanted, recipe, account)
    return await write_goldens(made, parameters, recipe, corpus, index, source)
