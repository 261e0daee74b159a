"""The estimate of a run: documents read and cut, a few chunks or contexts sent through the stages."""

import math
from collections.abc import Iterable, Sequence

import numpy as np

from flows.parameters.languages import settled
from flows.parameters.models import MultiChunkParameters, SingleChunkParameters
from flows.steps.recipe import recipe_of
from ragset.chunking import count_tokens, drop_poor, split
from ragset.documents import read_documents
from ragset.generation.contexts import InMemory, candidates_of, expand
from ragset.generation.estimate import Counted, Estimate, Find, pilot, scaled
from ragset.generation.offline import Offline
from ragset.generation.pipelines import Models
from ragset.generation.stages.judge_chunk import screen_chunk, screen_context
from ragset.generation.stages.round_trip import find_again
from ragset.llm.usage import load_prices
from ragset.models import Candidate, Chunk, Document, Usage
from ragset.retrieval.embedding import connect_embedder
from ragset.retrieval.embedding.requests import requests_of
from ragset.retrieval.embedding.stored import Bill
from ragset.retrieval.index.table import GROUP
from ragset.retrieval.search import MemorySearch
from ragset.retrieval.similarity import least_similarity
from ragset.settings import OFFLINE, Budget, ChunkingSettings, ContextSettings, EmbeddingSettings, Environment
from ragset.text.languages import detect_language
from ragset.text.sentences import sentences
from tasks.batches import Recipe
from tasks.embedding import usage_of
from tasks.run.caching import digest
from tasks.run.models import Account, asking, connected
from tasks.run.threads import in_thread

RULES_PILOT = 60
"""Chunks that a pilot by rules tries; it costs nothing."""
SEARCHED = 2_000
"""Chunks of which contexts for a pilot are made, and among which is searched what a run would search the corpus for."""
_QUERY_TOKENS = 20
"""About what a query has."""


async def estimate_run(asked: SingleChunkParameters | MultiChunkParameters, paid_pilot: int) -> Estimate:
    """Calls, tokens and money of the run; `paid_pilot` chunks are tried with the models themselves, 0 with rules.

    What a paid pilot is answered goes into the journal: where the run draws one of its chunks, it is not paid again.

    Raises:
        InputError, ProviderError: as the run itself would.
    """
    env = Environment()
    prices = load_prices(env.ragset_prices)
    documents = await in_thread(lambda: read_documents(asked.documents).documents)
    asked = settled(asked, detect_language(document.text for document in documents) or "")
    recipe = recipe_of(asked)
    chunks = await in_thread(_chunks, documents, asked.chunking)
    eligible = [chunk for chunk in chunks if len(chunk.text) >= asked.sampling.min_chars]
    order = np.random.default_rng(asked.seed).permutation(len(eligible)).tolist()
    if isinstance(asked, MultiChunkParameters):
        found = await in_thread(_contexts, eligible, order, asked.contexts, paid_pilot or RULES_PILOT)
        candidates, tried, sources = found, len(found), "contexts"
    else:
        drawn = [eligible[row] for row in order[: paid_pilot or RULES_PILOT]]
        candidates = [Candidate(chunks=(chunk,)) for chunk in drawn if screen_chunk(chunk) is None]
        tried, sources = len(drawn), "chunks"
    pool = [eligible[row] for row in order[:SEARCHED]]
    if not paid_pilot:
        estimate = await estimate_by_rules(
            candidates,
            tried,
            recipe,
            pool,
            wanted=asked.wanted,
            eligible=len(eligible),
            sources=sources,
            mixed=bool(asked.hardness.weights),
        )
        if {settings.model for settings in recipe.models} != {OFFLINE}:
            basis = f"{estimate.basis} `--pilot 20` measures both and is paid for."
            estimate = estimate.model_copy(update={"basis": basis})
        return _with_embedding(estimate, documents, chunks, asked)
    async with connected(recipe.models, Budget()):
        account = Account(run=digest({"estimate": asked.identity}))
        models = Models(*(asking(settings, account) for settings in recipe.models))
        find = await in_thread(_finding, recipe, pool)
        measured = await pilot(candidates, recipe.stages(), recipe.prompts, models, prices, find)
    estimate = scaled(
        measured,
        tried=tried,
        wanted=asked.wanted,
        eligible=len(eligible),
        prices=prices,
        basis=f"Measured on a paid pilot: {measured.kept} of {tried} {sources} became goldens.",
        mixed=bool(asked.hardness.weights),
    )
    return _with_embedding(estimate, documents, chunks, asked)


async def estimate_by_rules(
    candidates: Sequence[Candidate],
    tried: int,
    recipe: Recipe,
    pool: Sequence[Chunk],
    *,
    wanted: int | None,
    eligible: int,
    sources: str,
    mixed: bool = False,
) -> Estimate:
    """For `wanted` goldens, from the candidates that are left of `tried` chunks or contexts, as `sources` calls them.

    Rules stand in for the models, so nothing is asked or paid; what the run would search for in the corpus is searched
    for among the chunks of `pool`.
    """
    prices = load_prices(Environment().ragset_prices)
    models = Models(*(Counted(Offline(), settings.model, recipe.prompts) for settings in recipe.models))
    find = await in_thread(_finding, recipe, pool)
    found = await pilot(candidates, recipe.stages(), recipe.prompts, models, prices, find)
    basis = f"Nothing was asked or paid: {found.kept} of {tried} {sources} passed the built-in rules"
    if {settings.model for settings in recipe.models} == {OFFLINE}:
        basis += ", which make the goldens, too: the run is free."
    else:
        basis += (
            ", which stand in for the models, and replies are as long as the prompts' examples. Models pass other "
            f"{sources} than rules do and may reply at greater length."
        )
    unasked = sorted(
        {name for stage in recipe.stages() for name in stage.prompts} - {row.prompt for row in found.usage}
    )
    if unasked and found.kept:
        basis += f" Not counted, as the rules did not come to ask them: {', '.join(unasked)}."
    return scaled(found, tried=tried, wanted=wanted, eligible=eligible, prices=prices, basis=basis, mixed=mixed)


def _finding(recipe: Recipe, pool: Sequence[Chunk]) -> Find | None:
    """A search by BM25 and the offline embedding: nothing is indexed or paid. None where no stage searches."""
    if not any(stage.searches for stage in recipe.stages()):
        return None
    search = MemorySearch(pool, connect_embedder(EmbeddingSettings(), Environment()))
    return lambda candidates: find_again(candidates, search, recipe.checks)


def _contexts(chunks: list[Chunk], order: list[int], settings: ContextSettings, most: int) -> list[Candidate]:
    """The first contexts that chunks grow into, by the offline embedding of 2,000 of them: nothing is indexed or paid."""
    some = [chunks[row] for row in order[:SEARCHED]]
    vectors = connect_embedder(EmbeddingSettings(), Environment()).embed([chunk.text for chunk in some])
    pool = InMemory(some, vectors)
    least = settings.min_similarity if settings.min_similarity is not None else least_similarity(vectors)
    grown = expand(pool, pool.search, range(len(some)), settings, least=least, min_chars=0)
    screened = (screen_context(one, settings.min_chunks) for one in candidates_of(pool, grown.contexts[:most]))
    return [candidate for candidate in screened if isinstance(candidate, Candidate)]


def _chunks(documents: Iterable[Document], settings: ChunkingSettings) -> list[Chunk]:
    """Semantic chunks are cut by the offline embedding here: an estimate pays for no embeddings."""
    embedder = connect_embedder(EmbeddingSettings(), Environment())
    kept, _ = drop_poor(chunk for document in documents for chunk in split(document, settings, embedder.embed))
    return kept


def _with_embedding(
    estimate: Estimate,
    documents: Sequence[Document],
    chunks: Sequence[Chunk],
    asked: SingleChunkParameters | MultiChunkParameters,
) -> Estimate:
    """With rows for what is embedded, where that is paid for."""
    if asked.embedding.free:
        return estimate
    size = asked.embedding.batch_size
    slabs = (chunks[first : first + GROUP] for first in range(0, len(chunks), GROUP))
    bills = {"chunks": Bill.total(_bill([chunk.text for chunk in slab], size) for slab in slabs)}
    if asked.chunking.strategy == "semantic":
        # A sentence is embedded with those on either side of it.
        times = 2 * asked.chunking.buffer_size + 1
        language = asked.chunking.language or "en"
        parts = [(document.text, 1 + len(sentences(document.text, language))) for document in documents]
        bills["sentences"] = Bill.total(Bill(math.ceil(n / size), times * count_tokens(text)) for text, n in parts)

    def rows(goldens: int) -> tuple[Usage, ...]:
        queries = Bill(math.ceil(goldens / size), _QUERY_TOKENS * goldens)
        return usage_of(asked.embedding, **bills, queries=queries)

    usage = (*rows(estimate.goldens), *estimate.usage)
    if_all_pass = (*rows(estimate.if_all_pass_goldens), *estimate.if_all_pass) if estimate.if_all_pass else ()
    totals = type(estimate.totals).of(usage)
    return estimate.model_copy(update={"usage": usage, "totals": totals, "if_all_pass": if_all_pass})


def _bill(texts: list[str], size: int) -> Bill:
    return Bill(len(requests_of(texts, size)), sum(map(count_tokens, texts)))
