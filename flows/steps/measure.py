"""Measures RAG systems: retrieval, reranking, reading and scoring."""

import asyncio
from collections.abc import Iterable, Sequence
from functools import partial
from itertools import chain, starmap
from typing import Any

from prefect import Task

from flows.parameters.models import BenchmarkParameters
from ragset.evaluation.conversations import asked_of
from ragset.evaluation.diagnosis import PROMPTS as DIAGNOSIS_PROMPTS
from ragset.evaluation.diagnosis import diagnosis_scores, has_claims
from ragset.evaluation.efficiency import ANSWERING, RERANKING, Effort
from ragset.evaluation.external import ExternalSystem
from ragset.evaluation.grid import NO_RERANKER, Configuration
from ragset.evaluation.results.model import RetrievalResult, System
from ragset.evaluation.scoring import unanswered_scores
from ragset.evaluation.systems.existing import ChunkMap
from ragset.llm.gather import gather_all
from ragset.llm.prompts import load_prompt
from ragset.retrieval.fusion import Hit
from ragset.retrieval.learned_reranker import read_reranker
from ragset.settings import OFFLINE, Environment, ModelSettings
from tasks.answers import (
    PROMPTS,
    AnswerResult,
    Case,
    DiagnosisResult,
    Reranked,
    Said,
    diagnose_batch,
    ranker_of,
    read_batch,
    rerank_batch,
)
from tasks.existing import ExistingIndex, index_existing
from tasks.goldens import TestSet
from tasks.index import IndexFile, index_corpus
from tasks.results import SystemResult
from tasks.run.caching import digest, unsearched
from tasks.run.models import Account
from tasks.run.progress import progress
from tasks.run.threads import in_thread
from tasks.systems import Queries, ScoreResult, ask_other, rerank_by_weights, retrieve_run, score_run
from tasks.workers.cluster import on_worker, over_workers, parallel, searching

SIZE = 32
"""Queries to a batch that models are asked about."""


class BenchmarkRunner:
    """The goldens, the indexes made until now, and what is needed to measure a system on them."""

    def __init__(self, parameters: BenchmarkParameters, goldens: TestSet) -> None:
        self.goldens = goldens
        self._parameters = parameters
        self._corpus = goldens.corpus.open()
        self._indexes: dict[str, IndexFile | ExistingIndex] = {}
        self._indexing = asyncio.Lock()
        self._queries: Queries = tuple(
            (golden.id, asked_of(golden, parameters.conversations).words) for golden in goldens.goldens
        )
        folder = Environment().ragset_prompts
        self._prompts = {
            name: load_prompt(name, parameters.language, folder) for name in (*PROMPTS, *DIAGNOSIS_PROMPTS)
        }
        account = digest([goldens.corpus.hash, goldens.goldens, parameters.portable["grid"], parameters.critic])
        self._account = Account(run=account, budget=parameters.budget)
        self._by_batch = any(model.mode == "batch" for model in parameters.models)

    async def measure_all(self, systems: Sequence[Configuration | ExternalSystem]) -> list[SystemResult]:
        """What each system found and said: one after another, or as many at once as there are workers.

        In mode `batch` all at once, since replies take hours, and here, since no worker should wait for them.
        """
        measured: list[SystemResult] = []
        at_once = len(systems) if self._by_batch else await parallel()
        for first in range(0, len(systems), at_once):
            self._begin = partial(progress().begin, "benchmark", len(systems), done=first)
            self._begin()
            measured += await gather_all(*map(self.measure, systems[first : first + at_once]))
        return measured

    async def measure(self, system: Configuration | ExternalSystem) -> SystemResult:
        """What one system found and said, with its scores."""
        if isinstance(system, ExternalSystem):
            return await self._measure_external(system)
        async with self._indexing:  # systems measured at once may need the same index
            name, found = system.name, await self._index(system)
        existing, index = (found, found.index) if isinstance(found, ExistingIndex) else (None, found)
        self._begin()  # again, as an index shows stages of its own
        ranked = await searching(
            retrieve_run,
            index,
            system.embedding,
            system.retrieval,
            system.retrieved,
            unsearched(self._queries),
            self._account,
            name,
            system.adapting,
        )
        if system.learned is not None:
            reranker, queries = read_reranker(system.learned), unsearched(self._queries)
            of = reranker, index, system.embedding, unsearched(ranked), queries, self._account, name, system.adapting
            ranked = await on_worker(rerank_by_weights, *of)
        if existing:
            ranked = existing.mapped.translated(ranked)
        if system.reranker != NO_RERANKER and system.learned is None:
            ranked = await self._reranked(system, ranked)
        row = System(
            name=name,
            chunking=system.chunking.name,
            embedding=f"{index.embedding}{system.adapting}" if system.embeds else "",
            retrieval=system.retrieval.name,
            reranker=system.ranking,
            reader=system.reading,
            chunks=index.chunks,
            mapping=existing.facts if existing else None,
        )
        measured = await self._scored(row, ranked, index, existing.mapped if existing else None)
        measured = measured.model_copy(update={"final": system.final})
        if system.reader:
            measured = await self._read(measured, system.final, system.reader, {})
        return await self._diagnosed(measured, system.final, reads=system.reader is not None)

    async def _measure_external(self, system: ExternalSystem) -> SystemResult:
        goldens = unsearched(self.goldens.goldens)
        ranked = await ask_other(system, self.goldens.corpus, goldens, self._parameters.conversations)
        measured = await self._scored(System(name=system.name, external=ranked.external), ranked, None, None)
        most = max(self._parameters.cutoffs, default=10)
        if ranked.answers:
            measured = await self._read(measured, most, None, ranked.answers)
        return await self._diagnosed(measured, most, reads=False)

    async def _index(self, of: Configuration) -> IndexFile | ExistingIndex:
        """Its index, which configurations share; an adapter changes queries alone."""
        chunking, embedded_by, corpus = of.chunking, of.embedding.unadapted, self.goldens.corpus
        key = digest([chunking.existing or chunking.name, embedded_by])
        if key not in self._indexes and chunking.existing:
            self._indexes[key] = await index_existing(chunking.existing, corpus, embedded_by, self._account)
        elif key not in self._indexes:
            self._indexes[key] = await index_corpus(corpus, chunking, embedded_by, self._account)
        return self._indexes[key]

    async def _reranked(self, system: Configuration, ranked: RetrievalResult) -> RetrievalResult:
        """The retrieved passages in the reranker's order; equals stay as they were."""
        cases, prompt = self._cases(ranked, system.retrieved), unsearched(self._prompts["rerank_passages"])
        name, reranker, ranker = system.name, system.reranker, await in_thread(ranker_of, system.reranker)
        calls = [
            (reranker, ranker, unsearched(batch), prompt, self._account, f"{name} {first}")
            for first, batch in _batches(cases)
        ]
        done: list[list[Reranked]] = await over_workers(rerank_batch, calls)
        hits = dict(ranked.hits)
        efforts: dict[str, Effort] = {}
        for case, one in zip(cases, chain(*done), strict=True):
            golden = case.golden.id
            new = (Hit(hit.id, score) for hit, score in zip(hits[golden], one.scores, strict=True))
            hits[golden], efforts[golden] = tuple(sorted(new, key=lambda hit: -hit.score)), one.effort
        return ranked.model_copy(update={"hits": hits, "efforts": {**ranked.efforts, RERANKING: efforts}})

    async def _scored(
        self, system: System, ranked: RetrievalResult, index: IndexFile | None, mapped: ChunkMap | None
    ) -> SystemResult:
        corpus, goldens = self.goldens.corpus, unsearched(self.goldens.goldens)
        sizes = self._parameters.cutoffs, self._parameters.token_budgets
        ids = unsearched(tuple(chunk.place for chunk in mapped.chunks.values())) if mapped else None
        scored = await on_worker(score_run, unsearched(ranked), goldens, corpus, index, *sizes, system.name, ids)
        return SystemResult(system=system, ranked=ranked, scored=(scored,), index=index, mapped=mapped)

    async def _read(
        self, measured: SystemResult, final: int, reader: ModelSettings | None, said: dict[str, str | None]
    ) -> SystemResult:
        name, prompts, critic = measured.system.name, unsearched(self._prompts), self._parameters.critic

        def of_batch(first: int, cases: tuple[Case, ...]) -> tuple[Any, ...]:
            given = tuple(said.get(case.golden.id) for case in cases)
            return reader, critic, unsearched(cases), given, prompts, self._account, f"{name} {first}"

        done: Sequence[AnswerResult]
        done = await self._asked(read_batch, starmap(of_batch, _batches(self._cases(measured.ranked, final))))
        answers = {golden: answer for one in done for golden, answer in one.answers.items()}
        ranked = measured.ranked
        if reader is not None:
            took = {golden: effort for one in done for golden, effort in one.efforts.items()}
            cited = {golden: numbers for one in done for golden, numbers in one.cited.items()}
            ranked = ranked.model_copy(update={"efforts": {**ranked.efforts, ANSWERING: took}, "cited": cited})
        judged = critic.model != OFFLINE
        silent = [golden for golden in self.goldens.goldens if golden.id not in measured.ranked.hits]
        unanswered = ScoreResult.of(score for golden in silent for score in unanswered_scores(golden, judged=judged))
        scored = (*measured.scored, *(one.scored for one in done), unanswered)
        found = {golden: diagnosis for one in done for golden, diagnosis in one.found.items()}
        return measured.model_copy(update={"ranked": ranked, "answers": answers, "scored": scored, "diagnoses": found})

    async def _diagnosed(self, measured: SystemResult, final: int, *, reads: bool) -> SystemResult:
        """With the claims of references and answers; `reads` says that the answers are of a reader of ours."""
        if not self._parameters.diagnosis:
            return measured
        name, answers, critic = measured.system.name, bool(measured.answers), self._parameters.critic
        prompts = unsearched({prompt: self._prompts[prompt] for prompt in DIAGNOSIS_PROMPTS})
        cited, cites = measured.ranked.cited, reads or (answers and bool(measured.ranked.cited))
        # A reader's reply that could not be read is no answer, and no abstention either.
        known = cited if reads else measured.ranked.hits

        def of_batch(first: int, cases: tuple[Case, ...]) -> tuple[Any, ...]:
            ids = [case.golden.id for case in cases]
            said = tuple(Said(answer=measured.answers.get(id_), cited=cited.get(id_)) for id_ in ids)
            account = self._account
            return critic, unsearched(cases), unsearched(said), answers, cites, prompts, account, f"{name} {first}"

        goldens = [golden for golden in self.goldens.goldens if has_claims(golden)]
        asked = {golden.id for golden in goldens if golden.id in known}
        cases = [case for case in self._cases(measured.ranked, final) if case.golden.id in asked]
        done: Sequence[DiagnosisResult] = await self._asked(diagnose_batch, starmap(of_batch, _batches(cases)))
        silent = (golden.id for golden in goldens if golden.id not in asked)
        missing = (score for id_ in silent for score in diagnosis_scores(id_, None, answers=answers, cites=cites))
        return measured.model_copy(
            update={
                "diagnoses": measured.diagnoses
                | {golden: found for one in done for golden, found in one.found.items()},
                "scored": (*measured.scored, *(one.scored for one in done), ScoreResult.of(missing)),
            }
        )

    async def _asked(self, task: Task[..., Any], calls: Iterable[tuple[Any, ...]]) -> Sequence[Any]:
        """What the task returns for each call, by workers unless replies take hours, for which no worker should wait."""
        return await (gather_all(*starmap(task, calls)) if self._by_batch else over_workers(task, [*calls]))

    def _cases(self, ranked: RetrievalResult, most: int) -> list[Case]:
        """The goldens that were answered, with their passages as the system gave them."""
        return [
            Case(
                golden=golden,
                form=self._parameters.conversations,
                passages=ranked.passages_of(golden.id, self._corpus, most),
            )
            for golden in self.goldens.goldens
            if golden.id in ranked.hits
        ]


def _batches(cases: list[Case]) -> list[tuple[int, tuple[Case, ...]]]:
    return [(first + 1, tuple(cases[first : first + SIZE])) for first in range(0, len(cases), SIZE)]
