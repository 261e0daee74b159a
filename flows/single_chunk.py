"""The single-chunk pipeline."""

from pathlib import Path

from prefect import flow
from prefect.runtime import flow_run

from flows.making import make_goldens
from flows.parameters import Count, SingleChunkParameters
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
from tasks.artifacts import show_costs, show_funnel, show_report
from tasks.asking import Account, connected
from tasks.batches import Recipe
from tasks.caching import digest
from tasks.dataset import DatasetSummary, Work, write_test_set
from tasks.documents import read_corpus
from tasks.index import draw_order, index_corpus
from tasks.progress import progress


def _run_name() -> str:
    parameters = flow_run.parameters
    return f"single-chunk {parameters['n']} of {parameters['chunking'].name}"


@flow(name="single-chunk", flow_run_name=_run_name, description="Make n goldens, each answered by one chunk.")
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
    seed: int = 0,
    out: str = "out/single-chunk",
) -> DatasetSummary:
    """Make `n` goldens, each answered by one chunk, and write them to the folder `out`.

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
        account = Account(run=digest(parameters.identity), budget=budget)
        made = await make_goldens(index, order, None if n == "all" else n, recipe, account)
    progress().begin("dataset")
    work = Work(
        wanted=None if n == "all" else n,
        goldens=tuple(made.goldens),
        rejects=tuple(made.rejects),
        usage=tuple(made.usage),
        funnel=(*index.funnel(len(order), made.tried), *made.funnel),
        ended=made.ended,
        prompts=tuple(prompt.id for prompt in recipe.prompts.values()),
        generator=recipe.generator.model,
        critic=recipe.critic.model,
        seed=seed,
        parameters=parameters.portable,
    )
    summary = await write_test_set(out, work, corpus, index)
    await show_funnel(corpus.name, summary.funnel)
    await show_costs(corpus.name, work.usage)
    await show_report(corpus.name, summary.report)
    return summary
