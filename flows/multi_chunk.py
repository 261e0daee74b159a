"""The multi-chunk pipeline."""

from pathlib import Path

from prefect import flow, get_run_logger

from flows.cli.options import joining_documents
from flows.parameters.checks import check_making
from flows.parameters.languages import settled
from flows.parameters.models import MultiChunkParameters, fields
from flows.parameters.naming import run_name
from flows.parameters.permissions import run_parameters
from flows.steps.approval import approve, cancelled
from flows.steps.ending import ended
from flows.steps.finish import write_goldens
from flows.steps.generate import make_goldens
from flows.steps.recipe import recipe_of
from flows.steps.sources import Contexts
from ragset.dataset.claim import claimed
from ragset.generation.checks import HardnessMix, SplitSettings
from ragset.settings import (
    ApprovalSettings,
    Budget,
    ChunkingSettings,
    ContextSettings,
    ContextWritingSettings,
    EmbeddingSettings,
    ModelSettings,
    SamplingSettings,
)
from tasks.contexts import settle_similarity
from tasks.dataset import DatasetSummary
from tasks.documents import read_corpus
from tasks.index import draw_order, index_corpus
from tasks.run.caching import digest
from tasks.run.lifecycle import attended
from tasks.run.models import Account, connected


@flow(
    name="multi-chunk",
    flow_run_name=run_name,
    description="Make n goldens, each needing two or more chunks.",
    validate_parameters=False,
)
async def multi_chunk(
    documents: fields.Documents,
    n: fields.Count = 100,
    chunking: fields.Chunking = ChunkingSettings(),
    embedding: fields.Embedding = EmbeddingSettings(),
    sampling: fields.Sampling = SamplingSettings(),
    contexts: fields.Contexts = ContextSettings(),
    writing: fields.ContextWriting = ContextWritingSettings(),
    generator: fields.Generator = ModelSettings(),
    critic: fields.Critic = None,
    preset: fields.PresetOf = "standard",
    checks: fields.Checks = None,
    hardness: fields.Mix = HardnessMix(),
    split: fields.SplitBy = SplitSettings(),
    budget: fields.Limits = Budget(),
    approval: fields.Approval = ApprovalSettings(),
    seed: fields.Seed = 0,
    out: fields.Folder = "out/multi-chunk",
) -> DatasetSummary:
    """Make `n` goldens, each needing two or more similar chunks, and write them to the folder `out`.

    Prefect's form shows what stands under Args.

    Args:
        documents: Which texts, and how they are cleaned.
        n: How many to make; all makes one of every context that passes.
        chunking: How documents are cut into retrievable chunks.
        embedding: Which model turns chunks into vectors.
        sampling: Which chunks contexts are grown from.
        contexts: How chunks grow into contexts of similar chunks.
        writing: How queries are drafted, split, evolved, tested and judged.
        generator: The model that writes queries and answers.
        critic: The model that filters and judges; empty: the generator's.
        preset: Which checks to make: quick is cheap, standard is sound, thorough leaves nothing out.
        checks: The checks one by one; empty: as the preset says.
        hardness: Weights of easy, medium and hard goldens; none at all: as they come.
        split: Whether goldens are divided for training, validation and testing.
        budget: Where the run ends well with what it has.
        approval: Above which estimate the run pauses until a person lets it go on; empty: it never asks.
        seed: Of sampling and of mixing shapes and evolutions; 0 or more.
        out: Folder of the dataset. One that is there already is replaced when the new one is complete.

    Raises:
        InputError: documents or parameters that cannot be used.
        ProviderError: a model that cannot be asked; what was answered until then is kept.
    """
    async with attended():
        parameters = run_parameters(MultiChunkParameters)
        check_making(parameters)
        with claimed(Path(parameters.out)):
            if said := joining_documents(parameters):
                get_run_logger().warning(said)
            async with connected(parameters.models, parameters.budget, [parameters.embedding]):
                corpus = await read_corpus(parameters.documents)
                parameters = settled(parameters, corpus.language)
                recipe = recipe_of(parameters)
                account = Account(
                    run=digest([parameters.identity, corpus.hash, recipe.identity]), budget=parameters.budget
                )
                index = await index_corpus(corpus, parameters.chunking, parameters.embedding, account)
                contexts = await settle_similarity(index, parameters.contexts, parameters.sampling.min_chars)
                parameters = parameters.model_copy(update={"contexts": contexts})
                order = await draw_order(index, parameters.sampling, parameters.seed)
                approved = await approve(
                    parameters.approval,
                    parameters.n,
                    recipe,
                    Contexts(index, order, contexts, parameters.sampling.min_chars),
                    parameters.out,
                    mixed=bool(parameters.hardness.weights),
                )
                if approved.declined:
                    return cancelled(approved.declined)
                parameters = parameters.model_copy(update={"n": approved.n})
                source = Contexts(index, order, contexts, parameters.sampling.min_chars)
                made = await make_goldens(source, parameters.wanted, recipe, account, mix=parameters.hardness.weights)
            return ended(await write_goldens(made, parameters, recipe, corpus, index, source, account))
