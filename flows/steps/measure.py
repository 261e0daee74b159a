"""Measures RAG systems one after another: retrieval, reranking, reading and scoring."""

import hashlib
import itertools
from datetime import timedelta
from pathlib import Path
from typing import Any

from prefect import Task
from prefect.cache_policies import NO_CACHE

from flows.parameters.models import BenchmarkParameters
from ragset.evaluation.grid import NO_RERANKER, Configuration, ExternalSystem, ranking_model
from ragset.evaluation.metrics.layout import places_of
from ragset.evaluation.results import RetrievalResult, System
from ragset.evaluation.scoring import unanswered_scores
from ragset.llm.gather import gather_all
from ragset.llm.prompts import load_prompt
from ragset.models import Span, Usage
from ragset.retrieval.fusion import Hit
from ragset.settings import OFFLINE, EmbeddingSettings, Environment, ModelSettings
from tasks.answers import PROMPTS, AnswerResult, Case, ranker_of, read_batch, rerank_batch
from tasks.goldens import TestSet
from tasks.index import IndexFile, index_corpus
from tasks.results import SystemResult
from tasks.run.caching import digest, unsearched
from tasks.run.models import Account
from tasks.run.threads import in_thread
from tasks.systems import Queries, ScoreResult, ask_external, retrieve_run, score_run

SIZE = 32
"""Queries to a batch that models are asked about."""


class BenchmarkRunner:
    """The goldens, the indexes made until now, and what is needed to measure a system on them."""

    def __init__(self, parameters: BenchmarkParameters, goldens: TestSet) -> None:
        self.goldens = goldens
        self._parameters = parameters
        self._corpus = goldens.corpus.open()
        self._indexes: dict[str, IndexFile] = {}
        self._queries: Queries = tuple((golden.id, golden.query) for golden in goldens.goldens)
        folder = Environment().ragset_prompts
        self._prompts = {name: load_prompt(name, parameters.language, folder) for name in PROMPTS}
        account = digest([goldens.corpus.hash, goldens.goldens, parameters.portable["grid"], parameters.critic])
        self._account = Account(run=account, budget=parameters.budget)

    async def measure(self, configuration: Configuration) -> SystemResult:
        """A configuration of the grid, from its index to its scores."""
        name = configuration.name
        index = await self._index(configuration)
        ranked = await retrieve_run(
            index,
            configuration.embedding,
            configuration.retrieval,
            configuration.retrieved,
            unsearched(self._queries),
            self._account,
            name,
        )
        if configuration.reranker != NO_RERANKER:
            ranked = await self._reranked(configuration, ranked)
        system = System(
            name=name,
            chunking=configuration.chunking.name,
            embedding=index.embedding if configuration.embeds else "",
            retrieval=configuration.retrieval.name,
            reranker=configuration.ranking,
            reader=configuration.reading,
            chunks=index.chunks,
        )
        measured = await self._scored(system, ranked, index)
        if configuration.reader is None:
            return measured
        return await self._read(measured, configuration.final, configuration.reader, {})

    async def measure_external(self, system: ExternalSystem) -> SystemResult:
        """Somebody else's system, by what it found and said."""
        ranked = await _asking(system)(system, self.goldens.corpus, unsearched(self.goldens.goldens), _state(system))
        measured = await self._scored(System(name=system.name, external=ranked.external), ranked, None)
        if not ranked.answers:
            return measured
        return await self._read(measured, max(self._parameters.cutoffs, default=10), None, ranked.answers)

    async def _index(self, configuration: Configuration) -> IndexFile:
        key = digest([configuration.chunking.name, configuration.embedding])
        if key not in self._indexes:
            corpus = self.goldens.corpus
            self._indexes[key] = await index_corpus(
                corpus, configuration.chunking, configuration.embedding, self._account
            )
        return self._indexes[key]

    async def _reranked(self, configuration: Configuration, ranked: RetrievalResult) -> RetrievalResult:
        """The retrieved passages in the reranker's order; equals stay as they were."""
        cases = self._cases(ranked, configuration.retrieved)
        prompt = unsearched(self._prompts["rerank_passages"])
        reranker, ranker = configuration.reranker, await in_thread(ranker_of, configuration.reranker)
        done: tuple[list[list[float]], ...] = await gather_all(
            *(
                rerank_batch(
                    reranker, ranker, unsearched(batch), prompt, self._account, f"{configuration.name} {first}"
                )
                for first, batch in _batches(cases)
            )
        )
        hits = dict(ranked.hits)
        for case, scores in zip(cases, itertools.chain(*done), strict=True):
            new = (Hit(hit.id, score) for hit, score in zip(hits[case.golden.id], scores, strict=True))
            hits[case.golden.id] = tuple(sorted(new, key=lambda hit: -hit.score))
        return RetrievalResult(hits=hits)

    async def _scored(self, system: System, ranked: RetrievalResult, index: IndexFile | None) -> SystemResult:
        asked = self._parameters
        scored = await score_run(
            unsearched(ranked),
            unsearched(self.goldens.goldens),
            self.goldens.corpus,
            index,
            asked.cutoffs,
            asked.token_budgets,
            system.name,
        )
        return SystemResult(system=system, ranked=ranked, scored=(scored,))

    async def _read(
        self, measured: SystemResult, final: int, reader: ModelSettings | None, said: dict[str, str | None]
    ) -> SystemResult:
        name, prompts = measured.system.name, unsearched(self._prompts)
        done: tuple[AnswerResult, ...] = await gather_all(
            *(
                read_batch(
                    reader,
                    self._parameters.critic,
                    unsearched(batch),
                    tuple(said.get(case.golden.id) for case in batch),
                    prompts,
                    self._account,
                    f"{name} {first}",
                )
                for first, batch in _batches(self._cases(measured.ranked, final))
            )
        )
        answers = {golden: answer for one in done for golden, answer in one.answers.items()}
        judged = self._parameters.critic.model != OFFLINE
        silent = [golden for golden in self.goldens.goldens if golden.id not in measured.ranked.hits]
        unanswered = ScoreResult.of(score for golden in silent for score in unanswered_scores(golden, judged=judged))
        scored = (*measured.scored, *(one.scored for one in done), unanswered)
        return measured.model_copy(update={"answers": answers, "scored": scored})

    def _cases(self, ranked: RetrievalResult, most: int) -> list[Case]:
        """The goldens that were answered, with their passages as the system gave them."""
        return [
            Case(golden=golden, passages=tuple(self._text(ranked, hit.id) for hit in ranked.hits[golden.id][:most]))
            for golden in self.goldens.goldens
            if golden.id in ranked.hits
        ]

    def _text(self, ranked: RetrievalResult, id_: str) -> str:
        if id_ in ranked.texts:
            return ranked.texts[id_]
        spans = (Span(doc_id=place.doc_id, start=place.start, end=place.end) for place in places_of(id_))
        return " … ".join(self._corpus.text(span) for span in spans if span.doc_id in self._corpus)


def embeddings_of(parameters: BenchmarkParameters) -> tuple[EmbeddingSettings, ...]:
    """All that chunks and queries are embedded by."""
    return parameters.grid.embedding if parameters.grid else ()


def calls_of(parameters: BenchmarkParameters, goldens: int) -> list[Usage]:
    """The calls of models that a benchmark of so many goldens makes, counted; tokens and cost are not foreseen.

    An answer is judged by two calls, an abstention by fewer.
    """
    critic = parameters.critic.model
    rows: list[Usage] = []
    for one in parameters.configurations:
        if model := ranking_model(one.reranker):
            rows.append(Usage(stage="rerank", prompt=one.name, model=model.model, calls=goldens))
        if one.reader is not None:
            rows.append(Usage(stage="read", prompt=one.name, model=one.reader.model, calls=goldens))
            rows.append(Usage(stage="judge", prompt=one.name, model=critic, calls=2 * goldens))
    rows += [Usage(stage="judge", prompt=one.name, model=critic, calls=2 * goldens) for one in parameters.systems]
    return rows


def _batches(cases: list[Case]) -> list[tuple[int, tuple[Case, ...]]]:
    return [(first + 1, tuple(cases[first : first + SIZE])) for first in range(0, len(cases), SIZE)]


def _asking(system: ExternalSystem) -> Task[..., Any]:
    """`ask_external`, with a cache where it holds: for a file, and for the minutes that the user trusts old replies."""
    if system.runs:
        return ask_external
    if not system.reuse_minutes:
        return ask_external.with_options(cache_policy=NO_CACHE, persist_result=False)
    return ask_external.with_options(cache_expiration=timedelta(minutes=system.reuse_minutes))


def _state(system: ExternalSystem) -> str:
    """Of its files their content."""
    files = [Path(name) for name in (system.runs, system.chunks) if name and Path(name).is_file()]
    return digest([hashlib.sha256(file.read_bytes()).hexdigest() for file in files])
