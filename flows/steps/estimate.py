"""Estimates a run from a few of its passages, chunks or contexts."""

import math
from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from flows.parameters.embeddings import with_embedding
from flows.parameters.languages import settled
from flows.parameters.models import MakingParameters, MultiChunkParameters, SingleChunkParameters
from flows.steps.past_runs import past_rates_of
from flows.steps.sources import recipe_of
from ragset.chunking import drop_poor, split
from ragset.dataset import Totals
from ragset.documents import distinct
from ragset.documents.corpus import Corpus
from ragset.generation.audience import PROMPT, describe_audience, foreseen, shown_passages
from ragset.generation.contexts import InMemory, candidates_of, expand
from ragset.generation.estimate import Estimate, Find, foresee, pilot, scaled
from ragset.generation.passages import ROUNDS, draw_passages, place_in
from ragset.generation.past_runs import PastRates
from ragset.generation.stage import Case, Models, Role
from ragset.generation.stages.judge_chunk import drop_chunks_by_rules
from ragset.generation.stages.round_trip import search_for_evidence
from ragset.llm.usage import Meter, Metered, priced
from ragset.models import Candidate, Chunk, Document, Usage
from ragset.retrieval.embedding import connect_embedder
from ragset.retrieval.embedding.requests import requests_of
from ragset.retrieval.embedding.stored import Bill
from ragset.retrieval.index import build_index
from ragset.retrieval.index.table import GROUP
from ragset.retrieval.search import IndexSearch
from ragset.retrieval.stores import open_store
from ragset.settings import (
    OFFLINE,
    Budget,
    ChunkingSettings,
    ContextSettings,
    EmbeddingSettings,
    Environment,
    ModelSettings,
)
from ragset.text.languages import detect_language
from ragset.text.sentences import sentences
from ragset.text.tokens import count_tokens
from tasks.batches import Recipe
from tasks.documents import read_texts
from tasks.index import find_chunks, usage_of
from tasks.run.caching import digest
from tasks.run.models import Account, asking, connected
from tasks.run.threads import in_thread

SAMPLE = 60
"""Chunks or contexts that an estimate without a pilot looks at; it costs nothing."""
_SEARCHED = 2_000
"""Chunks that contexts are made of, and that a paid pilot searches in place of the corpus."""


async def estimate_run(asked: SingleChunkParameters | MultiChunkParameters, paid_pilot: int) -> Estimate:
    """Calls, tokens and money of the run; `paid_pilot` chunks are tried with the models, none of them with 0.

    The journal keeps the pilot's replies, so the run does not pay for them again.
    """
    asked = await in_thread(with_embedding, asked)
    documents = await in_thread(lambda: distinct(read_texts(asked.documents, asked.chunking.existing, [])))
    asked = settled(asked, detect_language(document.text for document in documents) or "")
    recipe = recipe_of(asked)
    chunks = await in_thread(_chunks, documents, asked.chunking)
    eligible = [chunk for chunk in chunks if len(chunk.text) >= asked.sampling.min_chars]
    order = np.random.default_rng(asked.seed).permutation(len(eligible)).tolist()
    some = [eligible[row] for row in order[:_SEARCHED]]
    most = paid_pilot or SAMPLE
    of: dict[str, Any] = {"wanted": asked.wanted, "eligible": len(eligible), "mixed": bool(asked.hardness.weights)}
    if isinstance(asked, MultiChunkParameters):
        drawn = await in_thread(_contexts, some, asked.contexts, most)
    elif asked.sampling.from_ == "passages":
        places = [eligible[row] for row in order]
        passages = await in_thread(_passages, documents, places, asked, most if asked.wanted else None)
        of["eligible"], drawn = (len(eligible) if asked.wanted else len(passages)), passages[:most]
    else:
        drawn = [Candidate(chunks=(chunk,)) for chunk in some[:most]]
    screened = [drop_chunks_by_rules(one, recipe.min_chunks) for one in drawn]
    candidates = [one for one in screened if isinstance(one, Candidate)]
    if not paid_pilot:
        return _with_embedding(estimate_by_priors(candidates, len(drawn), recipe, **of), documents, chunks, asked)
    async with connected(recipe.models, Budget()):
        account = Account(run=digest({"estimate": asked.identity}))
        models = Models(*(asking(settings, account) for settings in recipe.models))
        with _search(recipe, some, asked.chunking) as find:
            meter = Meter(recipe.prices)
            if recipe.portrays:
                found = {document.id: document for document in documents}
                shown = shown_passages(sorted(found), found.__getitem__)
                text = await describe_audience(shown, recipe.prompts[PROMPT], Metered(models.generator, meter))
                recipe = recipe.model_copy(update={"portrait": text})
            case = Case(recipe.setup, recipe.prompts, models)
            measured = await pilot(candidates, recipe.stages(), case, recipe.prices, find)
    basis = f"Measured on a paid pilot: {measured.kept} of {len(drawn)} candidates became goldens."
    estimate = scaled(measured, tried=len(drawn), prices=recipe.prices, basis=basis, **of)
    estimate = _with_portrait(estimate, meter.rows())
    return _with_embedding(estimate, documents, chunks, asked)


def estimate_by_priors(
    candidates: Sequence[Candidate], tried: int, recipe: Recipe, *, wanted: int | None, eligible: int, mixed: bool
) -> Estimate:
    """The estimate for `wanted` goldens by `PASS_RATES` and past runs, from the candidates that rules leave of `tried` ones. It is free."""
    generator, critic, reader = recipe.models
    models: dict[Role, ModelSettings] = {"generator": generator, "critic": critic, "reader": reader}
    roles: dict[Role, str] = {role: settings.model for role, settings in models.items()}
    by_batch: set[Role] = {role for role, settings in models.items() if settings.mode == "batch"}
    prompts, prices, past = recipe.prompts, recipe.prices, past_rates_of(recipe)
    found, of = foresee(candidates, tried, recipe.stages(), recipe.setup, prompts, roles, prices, past, by_batch)
    basis = f"Nothing was asked or paid. {len(candidates)} of {tried} candidates passed the free rules, "
    if set(roles.values()) == {OFFLINE}:
        basis += "and the built-in rules make the goldens: the run is free."
    else:
        basis += (
            "prompts are measured with them, and replies are as long as the prompts' examples. The shares that pass each "
            f"stage come {_origin(past, recipe)}; `--pilot 20` measures yours and is paid for."
        )
    estimate = scaled(found, tried=of, wanted=wanted, eligible=eligible, prices=prices, basis=basis, mixed=mixed)
    if not recipe.portrays:
        return estimate
    portrait = foreseen(generator.model, batch="generator" in by_batch)
    return _with_portrait(estimate, priced([portrait], prices))


def _with_portrait(estimate: Estimate, call: tuple[Usage, ...]) -> Estimate:
    usage, through = (*call, *estimate.usage), (*call, *estimate.if_all_pass) if estimate.if_all_pass else ()
    return estimate.model_copy(update={"usage": usage, "totals": Totals.of(usage), "if_all_pass": through})


def _origin(past: PastRates, recipe: Recipe) -> str:
    if not past.runs:
        return "from runs on other documents (docs/checks.md)"
    writer, critic = recipe.generator.model, recipe.critic.model
    runs = "1 run" if past.runs == 1 else f"{past.runs} runs"
    models = writer if writer == critic else f"{writer} and {critic}"
    return f"from {runs} with {models}: {past.candidates:,} candidates"


@contextmanager
def _search(recipe: Recipe, chunks: Sequence[Chunk], chunking: ChunkingSettings) -> Generator[Find | None]:
    """A free search by BM25 and the offline embedding, in a temporary folder; None if no stage searches."""
    if not any(stage.searches for stage in recipe.stages()):
        yield None
        return
    with TemporaryDirectory() as folder:
        home = Path(folder)
        env = Environment().model_copy(update={"ragset_home": home, "milvus_uri": None})
        embedder = connect_embedder(EmbeddingSettings(model=OFFLINE), env)
        with open_store(env) as store:
            index = build_index(chunks, corpus="pilot", chunking=chunking, embedder=embedder, home=home, store=store)
            search = IndexSearch(index, store, embedder.embed)
            yield lambda candidates: search_for_evidence(candidates, search, recipe.checks)


def _contexts(chunks: Sequence[Chunk], settings: ContextSettings, most: int) -> list[Candidate]:
    vectors = connect_embedder(EmbeddingSettings(model=OFFLINE), Environment()).embed([chunk.text for chunk in chunks])
    table = InMemory(chunks, vectors)
    contexts, _ = expand(table, table.search, range(len(chunks)), settings, min_chars=0)
    return candidates_of(table, [context.rows for context in contexts[:most]])


def _passages(
    documents: Iterable[Document], chunks: Sequence[Chunk], asked: SingleChunkParameters, size: int | None
) -> list[Candidate]:
    """The first passages of a run, or all of them, drawn at places in the chunks."""
    found = {document.id: document for document in documents}
    places = [place_in(chunk, asked.seed, number) for number in range(ROUNDS) for chunk in chunks]
    language = asked.chunking.language or "en"
    drawn, _ = draw_passages(places, found.__getitem__, size=size or len(places), language=language, seed=asked.seed)
    return [Candidate(chunks=(passage,)) for passage in drawn]


def _chunks(documents: Iterable[Document], settings: ChunkingSettings) -> list[Chunk]:
    """The chunks of a run; the offline embedding cuts semantic ones, as an estimate pays for no embeddings."""
    if settings.existing:
        with TemporaryDirectory() as folder:
            return drop_poor(find_chunks(settings.existing, Corpus.write(Path(folder) / "corpus.jsonl", documents)))[0]
    embedder = connect_embedder(EmbeddingSettings(model=OFFLINE), Environment())
    kept, _ = drop_poor(chunk for document in documents for chunk in split(document, settings, embedder.embed))
    return kept


def _with_embedding(
    estimate: Estimate, documents: Sequence[Document], chunks: Sequence[Chunk], asked: MakingParameters
) -> Estimate:
    if asked.embedding.free:
        return estimate
    size = asked.embedding.batch_size
    slabs = ([chunk.text for chunk in chunks[first : first + GROUP]] for first in range(0, len(chunks), GROUP))
    bills = {"chunks": Bill.total(Bill(len(requests_of(slab, size)), sum(map(count_tokens, slab))) for slab in slabs)}
    if asked.chunking.strategy == "semantic":
        times = 2 * asked.chunking.buffer_size + 1  # a sentence is embedded with those on either side of it
        language = asked.chunking.language or "en"
        parts = [(document.text, 1 + len(sentences(document.text, language))) for document in documents]
        bills["sentences"] = Bill.total(Bill(math.ceil(n / size), times * count_tokens(text)) for text, n in parts)

    def rows(goldens: int) -> tuple[Usage, ...]:
        queries = Bill(math.ceil(goldens / size), 20 * goldens)  # a query has about 20 tokens
        return usage_of(asked.embedding, **bills, queries=queries)

    usage = (*rows(estimate.goldens), *estimate.usage)
    if_all_pass = (*rows(estimate.if_all_pass_goldens), *estimate.if_all_pass) if estimate.if_all_pass else ()
    totals = type(estimate.totals).of(usage)
    return estimate.model_copy(update={"usage": usage, "totals": totals, "if_all_pass": if_all_pass})
