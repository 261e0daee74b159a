"""The corpus searched for the queries of a batch."""

from collections.abc import Sequence

from prefect import task
from prefect.cache_policies import NO_CACHE

from ragset.errors import BudgetSpent
from ragset.generation.checks import CheckSettings
from ragset.generation.stages.round_trip import STAGE, search_for_evidence
from ragset.models import Candidate, Reject
from ragset.retrieval.embedding import Vectors
from ragset.retrieval.search import IndexSearch
from ragset.retrieval.stores import open_store
from ragset.settings import Environment
from tasks.batches import Batch, BatchResult
from tasks.index import IndexFile
from tasks.run.caching import RETRIED
from tasks.run.models import Account, embedding
from tasks.run.threads import in_thread


@task(name="find", task_run_name="find {batch.label}", cache_policy=NO_CACHE, **RETRIED)
async def search_round_trip(index: IndexFile, batch: Batch, checks: CheckSettings, account: Account) -> BatchResult:
    """`ragset.generation.stages.round_trip` over a batch, in the index that it was drawn from; no model is asked.

    Not cached: a search takes no longer than a look into the cache, and the queries' embeddings are kept.

    Raises:
        StoreError: the vector store cannot be opened or searched, or another run has changed the index.
        ProviderError: the queries cannot be embedded.
    """
    entered = len(batch.candidates)
    embedded: list[str] = []

    def embed(queries: Sequence[str]) -> Vectors:
        vectors = embedder.embed(queries)
        embedded.extend(queries)
        return vectors

    def search() -> list[Candidate | Reject]:
        with open_store(Environment()) as store:
            return search_for_evidence(batch.candidates, IndexSearch(index.open(), store, embed), checks)

    async with embedding(index.embedded_by, account) as embedder:
        try:
            outcomes = await in_thread(search)
        except BudgetSpent:
            return BatchResult.of(STAGE, batch, (), entered, unasked=entered)
    return BatchResult.of(STAGE, batch, outcomes, entered, embedded=tuple(embedded))
