"""The estimate of a single-chunk run: documents read and cut, a few chunks sent through the stages."""

import asyncio
import math

import numpy as np

from flows.parameters import SingleChunkParameters
from ragset.chunking import count_tokens, drop_poor, split
from ragset.documents import read_documents
from ragset.embed import connect_embedder
from ragset.estimate import Counted, Estimate, pilot, scaled
from ragset.judge import screen_chunk
from ragset.llm.offline import Offline
from ragset.llm.protocol import LLM
from ragset.llm.usage import load_prices
from ragset.models import Candidate, Chunk, Usage
from ragset.settings import OFFLINE, Budget, EmbeddingSettings, Environment
from tasks.asking import Account, asking, connected
from tasks.batches import Recipe
from tasks.caching import digest

RULES_PILOT = 60
"""Chunks that a pilot by rules tries; it costs nothing."""


async def estimate_single_chunk(asked: SingleChunkParameters, paid_pilot: int) -> Estimate:
    """Calls, tokens and money of the run; `paid_pilot` chunks are tried with the models themselves, 0 with rules.

    What a paid pilot is answered goes into the journal: where the run draws one of its chunks, it is not paid again.

    Raises:
        InputError, ProviderError: as the run itself would.
    """
    env = Environment()
    prices = load_prices(env.ragset_prices)
    recipe = Recipe.load(asked.writing, asked.generator, asked.critic or asked.generator, asked.seed)
    chunks = await asyncio.to_thread(_chunks, asked)
    eligible = [chunk for chunk in chunks if len(chunk.text) >= asked.sampling.min_chars]
    order = np.random.default_rng(asked.seed).permutation(len(eligible))
    tried = [eligible[row] for row in order[: paid_pilot or RULES_PILOT].tolist()]
    candidates = [Candidate(chunks=(chunk,)) for chunk in tried if screen_chunk(chunk) is None]
    roles = {"generator": recipe.generator, "critic": recipe.critic}
    if paid_pilot:
        async with connected(roles.values(), Budget()):
            account = Account(run=digest({"estimate": asked.identity}))
            llms: dict[str, LLM] = {role: asking(settings, account) for role, settings in roles.items()}
            kept, usage = await pilot(candidates, recipe.stages(), recipe.prompts, llms, prices)
        basis = f"Measured on a paid pilot: {kept} of {len(tried)} chunks became goldens."
    else:
        llms = {role: Counted(Offline(), settings.model, recipe.prompts) for role, settings in roles.items()}
        kept, usage = await pilot(candidates, recipe.stages(), recipe.prompts, llms, prices)
        basis = f"Nothing was asked or paid: {kept} of {len(tried)} chunks passed the built-in rules"
        if {settings.model for settings in roles.values()} == {OFFLINE}:
            basis += ", which make the goldens, too: the run is free."
        else:
            basis += (
                ", which stand in for the models, and replies are as long as the prompts' examples. Models pass other "
                "chunks than rules do and may reply at greater length: `--pilot 20` measures both and is paid for."
            )
    estimate = scaled(
        usage,
        tried=len(tried),
        kept=kept,
        wanted=None if asked.n == "all" else asked.n,
        eligible=len(eligible),
        prices=prices,
        basis=basis,
    )
    return _with_embedding(estimate, chunks, asked.embedding)


def _chunks(asked: SingleChunkParameters) -> list[Chunk]:
    """Semantic chunks are cut by the offline embedding here: an estimate pays for no embeddings."""
    embedder = connect_embedder(EmbeddingSettings(), Environment())
    documents = read_documents(asked.documents).documents
    kept, _ = drop_poor(chunk for document in documents for chunk in split(document, asked.chunking, embedder))
    return kept


def _with_embedding(estimate: Estimate, chunks: list[Chunk], embedding: EmbeddingSettings) -> Estimate:
    """With a row for the index, where its embedding is paid for."""
    if embedding.model == OFFLINE or embedding.model.startswith("local:"):
        return estimate
    prices = load_prices(Environment().ragset_prices)
    row = Usage(
        stage="index",
        prompt="(embeddings)",
        model=embedding.model,
        calls=math.ceil(len(chunks) / embedding.batch_size),
        prompt_tokens=sum(count_tokens(chunk.text) for chunk in chunks),
    )
    rows = (row.model_copy(update={"cost": prices.cost(row.model, row)}), *estimate.usage)
    totals = type(estimate.totals).of(rows)
    return estimate.model_copy(update={"usage": rows, "totals": totals})
