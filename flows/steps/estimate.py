"""Estimates a run from a few of its passages, chunks, contexts or themes."""

import math
from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from flows.parameters.embeddings import with_embedding
from flows.parameters.languages import settled
from flows.parameters.models import (
    AnyMaking,
    CorpusWideParameters,
    MakingParameters,
    MultiChunkParameters,
    SingleChunkParameters,
)
from flows.steps.asked import recipe_of
from flows.steps.past_runs import past_rates_of
from ragset.chunking import drop_poor, split
from ragset.documents import distinct
from ragset.documents.corpus import Corpus
from ragset.generation.audience import PROMPT, describe_audience, foreseen, shown_passages
from ragset.generation.contexts import Rows, candidates_of, expand
from ragset.generation.estimate import Estimate, Find, Pilot, costs_of, estimate, pilot
from ragset.generation.forecast import Rate
from ragset.generation.links import InMemory
from ragset.generation.passages import ROUNDS, draw_passages, place_in
from ragset.generation.past_runs import NO_RUNS, PastRates
from ragset.generation.shared_terms import SharedTerms
from ragset.generation.stage import Case, Models, Role
from ragset.generation.stages.judge_chunk import drop_chunks_by_rules
from ragset.generation.stages.round_trip import search_for_evidence
from ragset.generation.themes import find_themes
from ragset.llm.usage import Meter, Metered, priced
from ragset.models import Candidate, Chunk, Document
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
    ThemeWritingSettings,
)
from ragset.text.context_window import in_place
from ragset.text.languages import detect_language
from ragset.text.sentences import sentences
from ragset.text.tokens import count_tokens
from tasks.batches import Recipe
from tasks.documents import read_texts
from tasks.embedding_usage import usage_of
from tasks.index import find_chunks
from tasks.run.caching import digest
from tasks.run.models import Account, asking, connected
from tasks.run.threads import in_thread

SAMPLE = 60
"""Chunks or contexts that an estimate without a pilot looks at; it costs nothing."""
_SEARCHED = 2_000
"""Chunks that contexts are made of, and that a paid pilot searches in place of the corpus."""
_ATTEMPTS = 3
"""How often contexts are made of the same chunks, at most; a run goes on until none is made."""


async def estimate_run(asked: AnyMaking, paid_pilot: int) -> Estimate:
    """Calls, tokens and money of the run; `paid_pilot` chunks are tried with the models, none of them with 0. The rules are always tried.

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
    if recipe.by_rules:
        paid_pilot = SAMPLE
    most = paid_pilot or SAMPLE
    of: dict[str, Any] = {"wanted": asked.wanted, "eligible": len(eligible), "mixed": bool(asked.mix)}
    if isinstance(asked, MultiChunkParameters):
        drawn, made = await in_thread(_contexts, some, asked.contexts, most)
        of["eligible"] = made * len(eligible) // max(1, len(some))
    elif isinstance(asked, CorpusWideParameters):
        drawn = await in_thread(_themes, some, asked.writing)
        of["eligible"], drawn = len(drawn) * len(eligible) // max(1, len(some)), drawn[:most]
    elif asked.sampling.from_ == "passages":
        places = [eligible[row] for row in order]
        passages = await in_thread(_passages, documents, places, asked, most if asked.wanted else None)
        of["eligible"], drawn = (len(eligible) if asked.wanted else len(passages)), passages[:most]
    else:
        drawn = [Candidate(chunks=(chunk,)) for chunk in some[:most]]
    screened = [drop_chunks_by_rules(one, recipe.min_chunks) for one in drawn]
    found = {document.id: document for document in documents}
    candidates = [in_place(one, found.__getitem__) for one in screened if isinstance(one, Candidate)]
    if not paid_pilot:
        return _with_embedding(estimate_by_rates(candidates, len(drawn), recipe, **of), documents, chunks, asked)
    async with connected(recipe.models, Budget()):
        account = Account(run=digest({"estimate": asked.identity}))
        models = Models(*(asking(settings, account) for settings in recipe.models))
        with _search(recipe, some, asked.chunking) as find:
            meter = Meter(recipe.prices)
            if recipe.portrays:
                shown = shown_passages(sorted(found), found.__getitem__)
                text = await describe_audience(shown, recipe.prompts[PROMPT], Metered(models.generator, meter))
                recipe = recipe.model_copy(update={"portrait": text})
            case = Case(recipe.setup, recipe.prompts, models)
            measured = await pilot(candidates, recipe.stages(), case, recipe.prices, find)
    return _with_embedding(estimate_by_rates(candidates, len(drawn), recipe, measured, **of), documents, chunks, asked)


def estimate_by_rates(
    candidates: Sequence[Candidate],
    tried: int,
    recipe: Recipe,
    measured: Pilot | None = None,
    *,
    wanted: int | None,
    eligible: int,
    mixed: bool,
) -> Estimate:
    """The estimate for `wanted` goldens, from the candidates that rules leave of `tried` ones, and what a pilot measured.

    It goes by published pass rates, past runs and the pilot, and asks no model.
    """
    generator, critic, reader = recipe.models
    models: dict[Role, ModelSettings] = {"generator": generator, "critic": critic, "reader": reader}
    roles: dict[Role, str] = {role: settings.model for role, settings in models.items()}
    by_batch: set[Role] = {role for role, settings in models.items() if settings.mode == "batch"}
    stages, past = recipe.stages(), past_rates_of(recipe)
    costs = costs_of(candidates, stages, recipe.setup, recipe.prompts, roles, by_batch)
    found = estimate(
        stages,
        recipe.setup,
        {**costs, **(measured.costs if measured else {})},
        let_through=Rate(len(candidates) / tried if tried else 0.0, tried),
        past=past,
        tried=measured.rates if measured else NO_RUNS,
        wanted=wanted,
        eligible=eligible,
        prices=recipe.prices,
        basis=_basis(past, recipe, len(candidates), tried, measured),
        mixed=mixed,
    )
    if not recipe.portrays:
        return found
    return found.plus(priced([foreseen(generator.model, batch="generator" in by_batch)], recipe.prices))


def _basis(past: PastRates, recipe: Recipe, candidates: int, tried: int, measured: Pilot | None) -> str:
    rules = f"The free rules let {candidates} of {tried} candidates through."
    if measured:
        made = f"{rules} {measured.kept} of these became goldens, "
        if recipe.by_rules:
            return f"{made}made by the built-in rules, which are free."
        return f"{made}measured by a paid pilot. The run does not pay for its replies again."
    return f"{rules} Pass rates {_origin(past, recipe)}. `--pilot 20` measures yours, and is paid for."


def _origin(past: PastRates, recipe: Recipe) -> str:
    if not past.runs:
        return "are published ones, of other documents and models (docs/checks.md)"
    writer, critic = recipe.generator.model, recipe.critic.model
    runs = "1 run" if past.runs == 1 else f"{past.runs} runs"
    models = writer if writer == critic else f"{writer} and {critic}"
    return f"are those of {runs} with {models} ({past.candidates:,} candidates)"


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


def _contexts(chunks: Sequence[Chunk], settings: ContextSettings, most: int) -> tuple[list[Candidate], int]:
    """The first contexts of the chunks, and how many they make: links that none has shown make more."""
    vectors = connect_embedder(EmbeddingSettings(model=OFFLINE), Environment()).embed([chunk.text for chunk in chunks])
    table = InMemory(chunks, vectors)
    seeds, made = range(len(chunks)), list[Rows]()
    terms = SharedTerms([chunk.text for chunk in chunks])
    for _ in range(_ATTEMPTS):
        contexts, _ = expand(table, table.search, seeds, settings, min_chars=0, before=made, terms=terms)
        made += [context.rows for context in contexts]
        if not contexts:
            break
    return candidates_of(table, made[:most]), len(made)


def _themes(chunks: Sequence[Chunk], settings: ThemeWritingSettings) -> list[Candidate]:
    """All themes of the chunks."""
    vectors = connect_embedder(EmbeddingSettings(model=OFFLINE), Environment()).embed([chunk.text for chunk in chunks])
    table = InMemory(chunks, vectors)
    return candidates_of(table, find_themes(table, table.search, range(len(chunks)), settings, min_chars=0))


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
    found: Estimate, documents: Sequence[Document], chunks: Sequence[Chunk], asked: MakingParameters
) -> Estimate:
    if asked.embedding.free:
        return found
    size = asked.embedding.batch_size
    slabs = ([chunk.text for chunk in chunks[first : first + GROUP]] for first in range(0, len(chunks), GROUP))
    bills = {"chunks": Bill.total(Bill(len(requests_of(slab, size)), sum(map(count_tokens, slab))) for slab in slabs)}
    if asked.chunking.strategy == "semantic":
        times = 2 * asked.chunking.buffer_size + 1  # a sentence is embedded with those on either side of it
        language = asked.chunking.language or "en"
        parts = [(document.text, 1 + len(sentences(document.text, language))) for document in documents]
        bills["sentences"] = Bill.total(Bill(math.ceil(n / size), times * count_tokens(text)) for text, n in parts)

    queries = Bill(math.ceil(found.goldens / size), 20 * found.goldens)  # a query has about 20 tokens
    return found.plus(usage_of(asked.embedding, **bills, queries=queries))
