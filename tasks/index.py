"""The index of a corpus."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import lru_cache, partial
from itertools import chain
from pathlib import Path

from prefect import get_run_logger, task
from prefect.cache_policies import NO_CACHE
from pydantic import Field

from ragset.chunking import drop_poor, without_poor
from ragset.dataset import FunnelRow, funnel_row
from ragset.documents import Failure
from ragset.documents.corpus import Corpus
from ragset.errors import BudgetSpent, InputError, StoreError
from ragset.evaluation.systems.existing import chunks_of, map_chunks
from ragset.models import Chunk, Model, Reject, Span, Usage
from ragset.retrieval.embedding import Embedder
from ragset.retrieval.embedding.given import given_embedder
from ragset.retrieval.embedding.stored import Bill, StoredEmbedder
from ragset.retrieval.existing import read_existing
from ragset.retrieval.index import Index, Report, build_index, open_index
from ragset.retrieval.index.files import collection_name, index_folder
from ragset.retrieval.index.groups import Prepare
from ragset.retrieval.index.shared import bring_index
from ragset.retrieval.index.table import read_chunks, slabs
from ragset.retrieval.stores import is_shared, open_store
from ragset.settings import ChunkingSettings, EmbeddingSettings, Environment, ExistingChunks
from tasks.cutting import Cutting
from tasks.documents import CorpusFile
from tasks.dropped import read_dropped, write_dropped
from tasks.embedding import prepare_on_workers
from tasks.embedding_usage import usage_of
from tasks.run.caching import RETRIED
from tasks.run.home import wait_while_busy
from tasks.run.logs import warn
from tasks.run.models import Account, embedding
from tasks.run.progress import progress
from tasks.run.threads import in_thread
from tasks.workers.cluster import has_workers

_UNLIMITED = Account()
_MANY = 100_000  # chunks, which Milvus Lite holds in 2 GB
_PATIENCE = 1800.0  # seconds to wait for another run that is writing the same index


class IndexFile(Model):
    """An index on disk and in the vector store."""

    collection: str  # the name of its folder, and of its collection unless `stored_as` is another
    stored_as: str = ""  # this generation's own collection, where another run was using the one named like the folder
    home: Path
    embedding: str  # the embedding's name with its dimensions
    embedded_by: EmbeddingSettings  # queries are embedded the same way
    generation: str
    """Digest of the rows. The generation is kept while this process lives, though another run may index again."""
    chunks: int
    report: Report
    dropped: dict[str, int] = Field(default_factory=dict)
    """How many chunks are not worth retrieving, by reason: near-empty, the same as an earlier one …"""
    dropped_file: str = ""  # with their rejects, in the folder of the index; empty: there are none
    usage: tuple[Usage, ...] = ()  # what its embeddings cost, whenever they were made; empty where they are free

    def open(self) -> Index:
        """The chunks that this run began with, whatever others have indexed since."""
        try:
            home = self._home_here()
            bring_index(home, self.collection, self.generation)
            path = index_folder(home, self.collection) / f"chunks-{self.generation}.parquet"
            changed = path.stat().st_mtime_ns if path.exists() else 0
            return _opened(home, self.collection, self.generation, self.stored_as, changed)
        except StoreError as error:
            mend = "Run the same command again: nothing that was answered or embedded is paid again"
            raise StoreError(f"{error}. This run began with {self.chunks:,} chunks of them. {mend}") from None

    def _home_here(self) -> Path:
        """RAGSET_HOME of this machine, which may be another one than that of the run."""
        return self.home if index_folder(self.home, self.collection).exists() else Environment().ragset_home

    def all_chunks(self) -> Iterator[Span]:
        """The chunks that the documents were cut into, those that were dropped too."""
        dropped = (chunk for reject in self.rejects() for chunk in reject.chunks)
        return map(Span.of_id, chain(self.open().ids, dropped))

    def rejects(self) -> Iterator[Reject]:
        """Those of the chunks that were dropped."""
        folder = index_folder(self._home_here(), self.collection)
        return read_dropped(folder / self.dropped_file) if self.dropped_file else iter(())

    def funnel(self, eligible: int, tried: int) -> tuple[FunnelRow, ...]:
        """How the chunks came to be those that were tried, of those `eligible` to be."""
        reasons = {"too_short": self.chunks - eligible, "not_drawn": eligible - tried}
        chunk = funnel_row("chunk", self.chunks + sum(self.dropped.values()), self.chunks, (), **self.dropped)
        return chunk, funnel_row("sample", self.chunks, tried, (), **reasons)


@lru_cache(maxsize=4)  # opening one reads the ids of all its chunks, and much is worked out from them at the first use
def _opened(home: Path, collection: str, generation: str, stored_as: str, _changed: int) -> Index:
    return replace(open_index(home, collection, generation), stored_as=stored_as)


class IndexSummary(Model):
    """What an indexing leaves behind, in short."""

    collection: str
    documents: int
    unread: tuple[Failure, ...]
    chunks: int
    added: int
    kept: int
    removed: int
    dropped: int
    usage: tuple[Usage, ...]

    @classmethod
    def of(cls, corpus: CorpusFile, index: IndexFile) -> "IndexSummary":
        """Of one corpus and its index."""
        return cls(
            collection=index.collection,
            documents=corpus.documents,
            unread=corpus.failures,
            chunks=index.chunks,
            dropped=sum(index.dropped.values()),
            usage=index.usage,
            **index.report.model_dump(),
        )


@task(task_run_name="index {corpus.name} as {chunking.name}", cache_policy=NO_CACHE, **RETRIED)
async def index_corpus(
    corpus: CorpusFile, chunking: ChunkingSettings, embedded_by: EmbeddingSettings, account: Account
) -> IndexFile:
    """`ragset.retrieval.index.build_index` over the chunks of a corpus. Not cached: it reuses what is there."""
    async with embedding(embedded_by, account) as embedder:
        try:
            return await in_thread(_index, corpus, chunking, embedded_by, embedder, account)
        except BudgetSpent as error:
            mend = "raise it and run the same command again; what is embedded is kept"
            raise BudgetSpent(f"{error} before all of {corpus.name} is embedded: {mend}") from None


def _index(
    corpus: CorpusFile,
    chunking: ChunkingSettings,
    embedded_by: EmbeddingSettings,
    embedder: Embedder,
    account: Account = _UNLIMITED,
) -> IndexFile:
    if chunking.existing:
        progress().begin("chunks")
        found = read_existing(chunking.existing, Environment())
        mapped = map_chunks(found, documents := corpus.open())
        chunks, lost = chunks_of(mapped, documents)
        vectors = [
            (documents.text(span), one.vector)
            for one, place in zip(found, mapped, strict=True)
            if one.vector is not None and (span := place.span)
        ]
        kept, dropped = drop_poor(chunks)
        given = given_embedder(embedder, vectors)
        return index_chunks(corpus, chunking, embedded_by, given, kept, (*lost, *dropped))
    chunking = chunking.model_copy(update={"language": chunking.language or corpus.language or "en"})
    dropped: list[Reject] = []
    cutting = Cutting(corpus, chunking, embedded_by, embedder, account)
    name = collection_name(corpus.key, chunking.name, embedder.name, embedder.identity)

    def cut() -> Iterator[Chunk]:
        found = False
        for chunk in cutting.chunks(index_folder(Environment().ragset_home, name)):
            found = True
            yield chunk
        if refused := cutting.refused:
            first = f"{len(refused)} nodes are no part of their documents, and left out; the first: {refused[0].detail}"
            if not found:
                raise InputError(f"{chunking.name}: {first}")
            get_run_logger().warning("%s: %s", chunking.name, first)

    prepare = partial(prepare_on_workers, embedded_by=embedded_by, account=account) if has_workers() else None
    kept = without_poor(cut(), dropped)
    left_out = chain(cutting.refused, dropped)
    return index_chunks(corpus, chunking, embedded_by, embedder, kept, left_out, lambda: cutting.sentences, prepare)


def find_chunks(existing: ExistingChunks, corpus: Corpus) -> list[Chunk]:
    """The existing chunks as exact spans of the documents, without those that are in none."""
    return chunks_of(map_chunks(read_existing(existing, Environment()), corpus), corpus)[0]


def index_chunks(
    corpus: CorpusFile,
    chunking: ChunkingSettings,
    embedded_by: EmbeddingSettings,
    embedder: Embedder,
    kept: Iterable[Chunk],
    dropped: Iterable[Reject],
    sentences: Callable[[], Bill] = Bill,
    prepare: Prepare | None = None,
) -> IndexFile:
    """The index of the chunks that are `kept`, which may come one at a time, as `build_index` takes them.

    `dropped` and the `sentences` that were embedded to cut them are looked at when the last has come.
    """
    env, shown, log = Environment(), progress(), get_run_logger()
    paid = embedder if isinstance(embedder, StoredEmbedder) and not embedder.free else None

    def tell(stage: str, done: int, total: int) -> None:
        if shown.stage != stage:
            shown.begin(stage)
        shown.done, shown.total = done, total

    def fill(done: int, total: int) -> None:
        if not done and total >= _MANY and not is_shared(env):
            warn(
                f"Milvus Lite holds all {total:,} chunks in the memory of this process, and more while it is filled. A Milvus "
                "server holds them in its own: set MILVUS_URI (docs/scaling.md)."
            )
        tell("fill", done, total)

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
                progress=partial(tell, "index"),
                filled=fill,
                keep=True,
                prepare=prepare,
            )

    # What another run embeds is not embedded twice.
    index = wait_while_busy(build, _PATIENCE, lambda: log.info("another run is at this index; waiting for it"))
    log.info("%d chunks: %d added, %d removed", len(index), index.report.added, index.report.removed)
    rejects = list(dropped)
    groups = slabs(read_chunks(index.chunk_file))
    bills = (paid.bill(chunk.text for chunk in group) for group in groups) if paid else ()
    return IndexFile(
        collection=index.folder.name,
        stored_as=index.stored_as,
        home=env.ragset_home,
        embedding=embedder.name,
        embedded_by=embedded_by,
        generation=index.meta.digest,
        chunks=len(index),
        report=index.report,
        dropped=Counter(reject.reason for reject in rejects),
        dropped_file=write_dropped(index.folder, index.meta.digest, rejects),
        usage=usage_of(embedded_by, sentences=sentences(), chunks=Bill.total(bills)),
    )
