"""RAG systems under test: what they retrieve, and how it scores."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta
from math import isnan
from pathlib import Path

import numpy as np
from prefect import get_run_logger, task
from prefect.cache_policies import NO_CACHE

from ragset.dataset.relevance.qrels import gold_of, grades_of
from ragset.evaluation.conversations import Form
from ragset.evaluation.efficiency import RERANKING, RETRIEVAL, Effort, time_alone
from ragset.evaluation.external import ExternalSystem
from ragset.evaluation.metrics.scores import Bounds, Score
from ragset.evaluation.results.model import RetrievalResult
from ragset.evaluation.scoring import score_retrieval, token_counter
from ragset.evaluation.systems import ask_system
from ragset.models import Golden, Model, Usage
from ragset.retrieval.embedding import Embedder
from ragset.retrieval.fusion import Hit
from ragset.retrieval.learned_reranker import LearnedReranker
from ragset.retrieval.search import retrieve
from ragset.retrieval.stores import open_store
from ragset.settings import EmbeddingSettings, Environment, RetrievalSettings
from ragset.text.tokens import count_tokens
from tasks.documents import CorpusFile
from tasks.index import IndexFile
from tasks.run.caching import KEPT, digest, keyed_by
from tasks.run.models import Account, embedding
from tasks.run.threads import in_thread

Queries = tuple[tuple[str, str], ...]
"""Golden ids and queries."""


class ScoreResult(Model):
    """Scores of one system: golden, metric, value (None for NaN, which is no JSON), bounds of an uncertain value."""

    rows: tuple[tuple[str, str, float | None, Bounds | None], ...]

    @classmethod
    def of(cls, scores: Iterable[Score]) -> "ScoreResult":
        """The scores as plain data."""
        return cls(rows=tuple((id_, name, None if isnan(value) else value, of) for id_, name, value, of in scores))


@task(
    name="retrieve",
    task_run_name="retrieve {label}",
    cache_policy=keyed_by("index.collection", "index.generation", "retrieval", "limit", "queries", "adapter"),
    **KEPT,
)
async def retrieve_run(
    index: IndexFile,
    embedded_by: EmbeddingSettings,
    retrieval: RetrievalSettings,
    limit: int,
    queries: Queries,
    account: Account,
    label: str,
    adapter: str = "",  # noqa: ARG001 (the name of the adapter in `embedded_by`, with a digest)
) -> RetrievalResult:
    """`ragset.retrieval.search.retrieve` for all queries, and for some of them alone, to say how long that takes."""
    texts = [query for _, query in queries]
    async with (
        embedding(embedded_by, account, queries=True) as embedder,
        embedding(embedded_by, account, queries=True, stored=False) as timed,
    ):

        def search() -> RetrievalResult:
            opened = index.open()

            def found(queries: list[str], by: Embedder, goldens: Sequence[str] = ()) -> list[list[Hit]]:
                vectors = None if retrieval.mode == "bm25" else by.embed(queries)
                return retrieve(opened, store, queries, vectors, retrieval, limit, goldens)

            with open_store(Environment()) as store:
                store.load(opened.collection)
                hits = zip(queries, found(texts, embedder, [golden for golden, _ in queries]), strict=True)
                seconds = time_alone(dict(queries), lambda query: found([query], timed))
            return RetrievalResult(
                hits={golden: tuple(hits) for (golden, _), hits in hits},
                efforts={RETRIEVAL: _efforts(queries, seconds, None if retrieval.mode == "bm25" else embedded_by)},
            )

        ranked = await in_thread(search)
    get_run_logger().info("%d queries over %d chunks: %s", len(queries), index.chunks, label)
    return ranked


def _efforts(
    queries: Queries, seconds: Mapping[str, float], embedded_by: EmbeddingSettings | None = None
) -> dict[str, Effort]:
    """Of all queries; only those of a model at the endpoint are paid for, by their tokens."""

    def usage(query: str) -> tuple[Usage, ...]:
        if embedded_by is None or embedded_by.free:
            return ()
        return (Usage(stage="", prompt="", model=embedded_by.model, calls=1, prompt_tokens=count_tokens(query)),)

    return {golden: Effort(seconds=seconds.get(golden), usage=usage(query)) for golden, query in queries}


@task(
    name="rerank by weights",
    task_run_name="rerank {label}",
    cache_policy=keyed_by("reranker", "index.collection", "index.generation", "ranked", "queries", "adapter"),
    **KEPT,
)
async def rerank_by_weights(
    reranker: LearnedReranker,
    index: IndexFile,
    embedded_by: EmbeddingSettings,
    ranked: RetrievalResult,
    queries: Queries,
    account: Account,
    label: str,  # noqa: ARG001 (the name of the run)
    adapter: str = "",  # noqa: ARG001 (the name of the adapter in `embedded_by`, with a digest)
) -> RetrievalResult:
    """`LearnedReranker.rerank` for all queries."""
    texts = [query for _, query in queries]
    async with embedding(embedded_by, account, queries=True) as embedder:

        def rerank() -> RetrievalResult:
            opened, vectors = index.open(), dict(zip(texts, embedder.embed(texts), strict=True))
            found = {query: ranked.hits[golden] for golden, query in queries}

            def reordered(queries: list[str]) -> list[list[Hit]]:
                rows = np.stack([vectors[query] for query in queries])
                return reranker.rerank(opened, queries, rows, [found[query] for query in queries])

            hits = {golden: tuple(of) for (golden, _), of in zip(queries, reordered(texts), strict=True)}
            seconds = time_alone(dict(queries), lambda query: reordered([query]))
            efforts = {**ranked.efforts, RERANKING: _efforts(queries, seconds)}
            return ranked.model_copy(update={"hits": hits, "efforts": efforts})

        return await in_thread(rerank)


@task(
    name="ask system",
    task_run_name="ask {system.name}",
    cache_policy=keyed_by("system", "corpus.hash", "goldens", "state", "form"),
    **KEPT,
)
async def ask_external(
    system: ExternalSystem,
    corpus: CorpusFile,
    goldens: Sequence[Golden],
    state: str,  # noqa: ARG001 (of the files that the system is read from)
    form: Form = "rewritten",
) -> RetrievalResult:
    """`ragset.evaluation.systems.ask_system`."""
    return await in_thread(lambda: ask_system(system, goldens, corpus.open(), form=form))


async def ask_other(
    system: ExternalSystem, corpus: CorpusFile, goldens: Sequence[Golden], form: Form = "rewritten"
) -> RetrievalResult:
    """`ask_external`, with a cache where it holds: for a file, and for the minutes that the user trusts old replies."""
    asking = ask_external
    if not system.runs and system.reuse_minutes:
        asking = asking.with_options(cache_expiration=timedelta(minutes=system.reuse_minutes))
    elif not system.runs:
        asking = asking.with_options(cache_policy=NO_CACHE, persist_result=False)
    return await asking(system, corpus, goldens, _state_of(system), form)


def _state_of(system: ExternalSystem) -> str:
    """A digest of its files."""
    files = [Path(name) for name in (system.runs, system.chunks) if name and Path(name).is_file()]
    return digest([hashlib.sha256(file.read_bytes()).hexdigest() for file in files])


@task(
    name="score",
    task_run_name="score {label}",
    cache_policy=keyed_by("ranked", "goldens", "corpus.hash", "index.generation", "cutoffs", "budgets", "ids"),
    **KEPT,
)
async def score_run(
    ranked: RetrievalResult,
    goldens: Sequence[Golden],
    corpus: CorpusFile,
    index: IndexFile | None,
    cutoffs: tuple[int, ...],
    budgets: tuple[int, ...],
    label: str,  # noqa: ARG001 (the name of the run)
    ids: tuple[str, ...] | None = None,
) -> ScoreResult:
    """`ragset.evaluation.scoring.score_retrieval` of what was retrieved.

    `ids` are those of all chunks as hits name them, where these are not the ids of the index.
    """

    def score() -> list[Score]:
        documents = corpus.open()
        tokens = token_counter(documents)
        gold, grades = gold_of(goldens, documents), grades_of(goldens)
        known = ids if ids is not None or index is None else index.open().ids
        return score_retrieval(ranked.hits, gold, known, cutoffs=cutoffs, budgets=budgets, tokens=tokens, grades=grades)

    return ScoreResult.of(await in_thread(score))
