"""The single-chunk pipeline."""

from pathlib import Path

from prefect import flow

from flows.parameters.checks import check_making
from flows.parameters.languages import settled
from flows.parameters.models import SingleChunkParameters, fields
from flows.parameters.naming import run_name
from flows.parameters.permissions import run_parameters
from flows.steps.approval import approve, cancelled
from flows.steps.ending import ended
from flows.steps.finish import write_goldens
from flows.steps.generate import make_goldens
from flows.steps.recipe import recipe_of
from flows.steps.sources import Chunks
from ragset.dataset.claim import claimed
from ragset.generation.checks import HardnessMix, SplitSettings
from ragset.settings import (
    ApprovalSettings,
    Budget,
    ChunkingSettings,
    EmbeddingSettings,
    ModelSettings,
    SamplingSettings,
    WritingSettings,
)
from tasks.dataset import DatasetSummary
from tasks.documents import read_corpus
from tasks.index import draw_order, index_corpus
from tasks.run.caching import digest
from tasks.run.lifecycle import attended
from tasks.run.models import Account, connected


@flow(
    name="single-chunk",
    flow_run_name=run_name,
    description="Make n goldens, each answered by one chunk.",
    validate_parameters=False,
)
async def single_chunk(
    documents: fields.Documents,
    n: fields.Count = 100,
    chunking: fields.Chunking = ChunkingSettings(),
    embedding: fields.Embedding = EmbeddingSettings(),
    sampling: fields.Sampling = SamplingSettings(),
    writing: fields.Writing = WritingSettings(),
    generator: fields.Generator = ModelSettings(),
    critic: fields.Critic = None,
    preset: fields.PresetOf = "standard",
    checks: fields.Checks = None,
    hardness: fields.Mix = HardnessMix(),
    split: fields.SplitBy = SplitSettings(),
    budget: fields.Limits = Budget(),
    approval: fields.Approval = ApprovalSettings(),
    seed: fields.Seed = 0,
    out: fields.Folder = "out/single-chunk",
) -> DatasetSummary:
    """Make `n` goldens, each answered by one chunk, and write them to the folder `out`.

    Prefect's form shows what stands under Args.

    Args:
        documents: Which texts, and how they are cleaned.
        n: How many to make; all makes one of every chunk that passes.
        chunking: How documents are cut into retrievable chunks.
        embedding: Which model turns chunks into vectors.
        sampling: Which chunks queries are drawn from.
        writing: How queries are drafted, evolved and judged.
        generator: The model that writes queries and answers.
        critic: The model that filters and judges; empty: the generator's.
        preset: Which checks to make: quick is cheap, standard is sound, thorough leaves nothing out.
        checks: The checks one by one; empty: as the preset says.
        hardness: Weights of easy, medium and hard goldens; none at all: as they come.
        split: Whether goldens are divided for training, validation and testing.
        budget: Where the run ends well with what it has.
        approval: Above which estimate the run pauses until a person lets it go on; empty: it never asks.
        seed: Of sampling and of mixing styles and evolutions; 0 or more.
        out: Folder of the dataset. One that is there already is replaced when the new one is complete.

    Raises:
        InputError: documents or parameters that cannot be used.
        ProviderError: a model that cannot be asked; what was answered until then is kept.
    """
    async with attended():
        parameters = run_parameters(SingleChunkParameters)
        check_making(parameters)
        with claimed(Path(parameters.out)):
            async with connected(parameters.models, parameters.budget, [parameters.embedding]):
                corpus = await read_corpus(parameters.documents)
                parameters = settled(parameters, corpus.language)
                recipe = recipe_of(parameters)
                account = Account(
                    run=digest([parameters.identity, corpus.hash, recipe.identity]), budget=parameters.budget
                )
                index = await index_corpus(corpus, parameters.chunking, parameters.embedding, account)
                order = await draw_order(index, parameters.sampling, parameters.seed)
                approved = await approve(
                    parameters.approval,
                    parameters.n,
                    recipe,
                    Chunks(index, order),
                    parameters.out,
                    mixed=bool(parameters.hardness.weights),
                )
                if approved.declined:
                    return cancelled(approved.declined)
                parameters = parameters.model_copy(update={"n": approved.n})
                source = Chunks(index, order)
                made = await make_goldens(source, parameters.wanted, recipe, account, mix=parameters.hardness.weights)
            return ended(await write_goldens(made, parameters, recipe, corpus, index, source, account))
