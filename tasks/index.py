"""The index of a corpus, and the order in which chunks are drawn from it."""

from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from pathlib import Path

from prefect import get_run_logger, task
from prefect.cache_policies import NO_CACHE

from ragset.chunking import drop_poor, split
from ragset.dataset import FunnelRow, Unread, funnel_row
from ragset.errors import BudgetSpent, StoreError
from ragset.generation.sampling import sample_order
from ragset.generation.stages.rules import reject_by_rules
from ragset.models import Candidate, Chunk, Model, Reject, Usage
from ragset.retrieval.embedding import Embedder
from ragset.retrieval.index import Index, Report, build_index, open_index
from ragset.retrieval.stores import open_store
from ragset.settings import ChunkingSettings, EmbeddingSettings, Environment, SamplingSettings
from tasks.documents import CorpusFile
from tasks.embedding import chunk_bill, sentence_bill, usage_of
from tasks.run.caching import RETRIED
from tasks.run.home import wait_while_busy
from tasks.run.models import Account, embedding
from tasks.run.progress import progress
from tasks.run.threads import in_thread

_PATIENCE = 1800.0
"""Seconds to wait for another run that is writing the same index."""


class IndexFile(Model):
    """An index on disk and in the vector store."""

    collection: str
    """The name of its folder, and of its collection unless `stored_as` is another."""
    stored_as: str = ""
    """This generation's own collection, where another run was using the one named like the folder."""
    home: Path
    embedding: str
    """The embedding's name with its dimensions."""
    embedded_by: EmbeddingSettings
    """Queries are embedded the same way."""
    generation: str
    """Which rows are which chunks. It is kept while this process lives, though another run may index again."""
    chunks: int
    report: Report
    dropped: tuple[Reject, ...]
    """Chunks that are not worth retrieving: near-empty, or the same as an earlier one."""
    usage: tuple[Usage, ...] = ()
    """What its embeddings cost, whenever they were made; empty where they are free."""

    def open(self) -> Index:
        """The chunks that this run began with, whatever others have indexed since.

        Raises:
            StoreError: it is damaged, or it was not kept.
        """
        try:
            return replace(open_index(self.home, self.collection, self.generation), stored_as=self.stored_as)
        except StoreError as error:
            raise StoreError(
                f"{error}. This run began with {self.chunks:,} chunks of them. Run the same command again: nothing that was "
                "answered or embedded is paid again"
            ) from None

    def funnel(self, eligible: int, tried: int) -> tuple[FunnelRow, ...]:
        """How the chunks came to be those that were tried, of those `eligible` to be."""
        cut = self.chunks + len(self.dropped)
        return (
            funnel_row("chunk", cut, self.chunks, self.dropped),
            funnel_row("sample", self.chunks, tried, (), too_short=self.chunks - eligible, not_drawn=eligible - tried),
        )


class IndexSummary(Model):
    """What an indexing leaves behind, in short."""

    collection: str
    documents: int
    unread: tuple[Unread, ...]
    chunks: int
    added: int
    kept: int
    removed: int
    dropped: int
    usage: tuple[Usage, ...]
    """What the embeddings cost, whenever they were made."""

    @classmethod
    def of(cls, corpus: CorpusFile, index: IndexFile) -> "IndexSummary":
        """Of one corpus and its index."""
        return cls(
            collection=index.collection,
            documents=corpus.documents,
            unread=corpus.unread,
            chunks=index.chunks,
            dropped=len(index.dropped),
            usage=index.usage,
            **index.report.model_dump(),
        )


class SampleResult(Model):
    """Chunks to ask about, and those that rules alone refused."""

    candidates: tuple[Candidate, ...]
    rejects: tuple[Reject, ...]

    @classmethod
    def of(cls, screened: Iterable[Candidate | Reject]) -> "SampleResult":
        """With candidates and rejects told apart."""
        outcomes = list(screened)
        return cls(
            candidates=tuple(one for one in outcomes if isinstance(one, Candidate)),
            rejects=tuple(one for one in outcomes if isinstance(one, Reject)),
        )


@task(task_run_name="index {corpus.name} as {chunking.name}", cache_policy=NO_CACHE, **RETRIED)
async def index_corpus(
    corpus: CorpusFile, chunking: ChunkingSettings, embedded_by: EmbeddingSettings, account: Account
) -> IndexFile:
    """`ragset.retrieval.index.build_index` over the chunks of a corpus. Not cached: it reuses by itself what is there.

    Raises:
        EmbeddingError: a vector that cannot be stored; it names the chunk.
        StoreError: the vector store cannot be opened or written to.
        BudgetSpent: before all chunks were embedded; those that were are kept.
    """
    async with embedding(embedded_by, account) as embedder:
        try:
            return await in_thread(_index, corpus, chunking, embedded_by, embedder)
        except BudgetSpent as error:
            raise BudgetSpent(
                f"{error} before all of {corpus.name} is embedded: raise it and run the same command again; what is embedded is kept"
            ) from None


def _index(
    corpus: CorpusFile, chunking: ChunkingSettings, embedded_by: EmbeddingSettings, embedder: Embedder
) -> IndexFile:
    env = Environment()
    shown = progress()
    chunking = chunking.model_copy(update={"language": chunking.language or corpus.language or "en"})
    chunks: list[Chunk] = []
    shown.begin("chunks", corpus.documents)
    for document in corpus.open():
        chunks += split(document, chunking, embedder.embed)
        shown.done += 1
    sentences = sentence_bill(embedder)
    kept, dropped = drop_poor(chunks)
    shown.begin("index")

    def build() -> Index:
        with open_store(env) as store:
            return build_index(
                kept,
                corpus=corpus.key,
                chunking=chunking,
                embedder=embedder,
                home=env.ragset_home,
                store=store,
                corpus_hash=corpus.hash,
                progress=partial(_tell, "index"),
                filled=partial(_tell, "fill"),
                keep=True,
            )

    # What another run embeds is not embedded twice.
    log = get_run_logger()
    index = wait_while_busy(build, _PATIENCE, lambda: log.info("another run is at this index; waiting for it"))
    report = index.report
    log.info("%d chunks: %d added, %d removed", len(index), report.added, report.removed)
    return IndexFile(
        collection=index.folder.name,
        stored_as=index.stored_as,
        home=env.ragset_home,
        embedding=embedder.name,
        embedded_by=embedded_by,
        generation=index.meta.digest,
        chunks=len(index),
        report=report,
        dropped=tuple(dropped),
        usage=usage_of(embedded_by, sentences=sentences, chunks=chunk_bill(index, embedder)),
    )


def _tell(stage: str, done: int, total: int) -> None:
    shown = progress()
    if shown.stage != stage:
        shown.begin(stage)
    shown.done, shown.total = done, total


@task(task_run_name="sample {sampling.method}", cache_policy=NO_CACHE)
async def draw_order(index: IndexFile, sampling: SamplingSettings, seed: int) -> list[int]:
    """`ragset.generation.sampling.sample_order` over the rows of an index."""

    def order() -> list[int]:
        opened = index.open()
        rows = sample_order(opened.doc_ids, opened.chars, opened.vectors, sampling, seed)
        return [int(row) for row in rows]

    return await in_thread(order)


@task(task_run_name="draw {label}", cache_policy=NO_CACHE)
async def draw_chunks(index: IndexFile, rows: list[int], label: str) -> SampleResult:  # noqa: ARG001
    """The chunks of these rows, those that `ragset.generation.stages.rules.reject_by_rules` refuses apart."""

    def draw() -> SampleResult:
        chunks = index.open().chunks(rows)
        return SampleResult.of(reject_by_rules(chunk) or Candidate(chunks=(chunk,)) for chunk in chunks)

    return await in_thread(draw)
