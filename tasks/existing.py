"""Existing chunks as an index that a benchmark searches, as they stand."""

from prefect import task
from prefect.cache_policies import NO_CACHE

from ragset.evaluation.results.facts import MappingFacts
from ragset.evaluation.systems.existing import ChunkMap, map_chunks, searched_chunks
from ragset.models import Model
from ragset.retrieval.embedding import Embedder
from ragset.retrieval.embedding.given import given_embedder
from ragset.retrieval.existing import read_existing
from ragset.settings import ChunkingSettings, EmbeddingSettings, Environment, ExistingChunks
from tasks.documents import CorpusFile
from tasks.index import IndexFile, index_chunks
from tasks.run.caching import RETRIED
from tasks.run.models import Account, embedding
from tasks.run.progress import progress
from tasks.run.threads import in_thread


class ExistingIndex(Model):
    """The index of existing chunks, each a document of its own, and their places in the documents of the test set."""

    index: IndexFile
    mapped: ChunkMap
    facts: MappingFacts


@task(task_run_name="index {existing.name}", cache_policy=NO_CACHE, **RETRIED)
async def index_existing(
    existing: ExistingChunks, corpus: CorpusFile, embedded_by: EmbeddingSettings, account: Account
) -> ExistingIndex:
    """`ragset.evaluation.systems.existing.map_chunks` over the chunks, which are searched by their own texts."""
    async with embedding(embedded_by, account) as embedder:
        return await in_thread(_index, existing, corpus, embedded_by, embedder)


def _index(
    existing: ExistingChunks, corpus: CorpusFile, embedded_by: EmbeddingSettings, embedder: Embedder
) -> ExistingIndex:
    progress().begin("chunks")
    found = read_existing(existing, Environment())
    mapped, chunks, left_out = searched_chunks(map_chunks(found, corpus.open()))
    given = given_embedder(embedder, [(one.text, one.vector) for one in found if one.vector is not None])
    index = index_chunks(corpus, ChunkingSettings(existing=existing), embedded_by, given, chunks, left_out)
    return ExistingIndex(index=index, mapped=mapped, facts=mapped.facts(len(left_out)))
