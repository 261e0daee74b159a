"""The corpus searched for what a batch asks."""

import math
from collections.abc import Sequence

from prefect import get_run_logger, task
from prefect.cache_policies import NO_CACHE

from ragset.errors import BudgetSpent
from ragset.generation.checks import CheckSettings
from ragset.generation.stages.round_trip import STAGE, find_again
from ragset.models import Candidate, Chunk, Reject
from ragset.retrieval.embedding import Embedder, Vectors
from ragset.retrieval.search import IndexSearch
from ragset.retrieval.stores import open_store
from ragset.settings import Environment
from tasks.batches import Batch, BatchResult
from tasks.index import IndexFile
from tasks.run.caching import RETRIED, unsearched
from tasks.run.models import Account, embedding
from tasks.run.threads import in_thread


@task(name="find", task_run_name="find {batch.label}", cache_policy=NO_CACHE, **RETRIED)
async def find_passages(index: IndexFile, batch: Batch, checks: CheckSettings, account: Account) -> BatchResult:
    """`ragset.generation.stages.round_trip.find_again` over a batch, in the index that it was drawn from; no model is asked.

    Not cached: a search takes no longer than a look into the cache, and the queries' embeddings are kept.

    Raises:
        StoreError: the vector store cannot be opened or searched, or another run has changed the index.
        ProviderError: the queries cannot be embedded.
    """
    async with embedding(index.embedded_by, account) as embedder:
        outcomes, embedded = await in_thread(_find, index, batch.candidates, checks, embedder)
    if outcomes is None:
        nobody = Batch(label=batch.label, candidates=())
        return BatchResult(stage=STAGE, entered=len(batch.candidates), batch=nobody, unasked=len(batch.candidates))
    passed = tuple(outcome for outcome in outcomes if isinstance(outcome, Candidate))
    rejects = tuple(outcome for outcome in outcomes if isinstance(outcome, Reject))
    get_run_logger().info("find %s: %d in, %d out", batch.label, len(outcomes), len(passed))
    return BatchResult(
        stage=STAGE,
        entered=len(outcomes),
        batch=Batch(label=batch.label, candidates=passed),
        rejects=rejects,
        embedded=embedded,
    )


async def draw_pool(index: IndexFile, most: int) -> tuple[Chunk, ...]:
    """So many chunks of the index, evenly spread: an estimate searches among them, without Milvus."""

    def draw() -> tuple[Chunk, ...]:
        opened = index.open()
        step = max(1, math.ceil(len(opened) / most))
        return tuple(opened.chunks(range(0, len(opened), step)))

    return await in_thread(draw)


async def find_batch(index: IndexFile, batch: Batch, checks: CheckSettings, account: Account) -> BatchResult:
    """`find_passages`, at no more cost than it has to have."""
    return await find_passages(index, unsearched(batch), checks, account)


def _find(
    file: IndexFile, candidates: Sequence[Candidate], checks: CheckSettings, embedder: Embedder
) -> tuple[list[Candidate | Reject] | None, tuple[str, ...]]:
    """What becomes of the candidates, None where the budget is spent; and the queries that were embedded."""
    embedded: list[str] = []

    def embed(queries: Sequence[str]) -> Vectors:
        vectors = embedder.embed(queries)
        embedded.extend(queries)
        return vectors

    with open_store(Environment()) as store:
        try:
            return find_again(candidates, IndexSearch(file.open(), store, embed), checks), tuple(embedded)
        except BudgetSpent:
            return None, ()
