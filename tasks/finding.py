"""The corpus searched for what a batch asks."""

import math
from collections.abc import Sequence

from prefect import get_run_logger, task
from prefect.cache_policies import NO_CACHE

from ragset.checks import CheckSettings
from ragset.embed import Vectors
from ragset.gate import ThreadGate
from ragset.models import Candidate, Chunk, Reject
from ragset.roundtrip import STAGE, find_again
from ragset.search import IndexSearch
from ragset.settings import Environment
from ragset.store import connect_store
from tasks.asking import embedding_gate
from tasks.batches import Batch, Grown
from tasks.caching import unsearched
from tasks.index import IndexFile
from tasks.systems import embed_queries
from tasks.threads import in_thread


@task(name="find", task_run_name="find {batch.label}", cache_policy=NO_CACHE)
async def find_passages(index: IndexFile, batch: Batch, checks: CheckSettings) -> Grown:
    """`ragset.roundtrip.find_again` over a batch, in the index that it was drawn from; no model is asked.

    Not cached: a search takes no longer than a look into the cache, and the queries' embeddings are kept in a file.

    Raises:
        StoreError: Milvus cannot be opened or searched, or another run has changed the index.
        ProviderError: the queries cannot be embedded.
    """
    async with embedding_gate() as gate:
        outcomes = await in_thread(_find, index, batch.candidates, checks, gate)
    passed = tuple(outcome for outcome in outcomes if isinstance(outcome, Candidate))
    rejects = tuple(outcome for outcome in outcomes if isinstance(outcome, Reject))
    get_run_logger().info("find %s: %d in, %d out", batch.label, len(outcomes), len(passed))
    return Grown(
        stage=STAGE,
        entered=len(outcomes),
        batch=Batch(label=batch.label, candidates=passed),
        rejects=rejects,
    )


async def draw_pool(index: IndexFile, most: int) -> tuple[Chunk, ...]:
    """So many chunks of the index, evenly spread: an estimate searches among them, without Milvus."""

    def draw() -> tuple[Chunk, ...]:
        opened = index.open()
        step = max(1, math.ceil(len(opened) / most))
        return tuple(opened.chunks(range(0, len(opened), step)))

    return await in_thread(draw)


async def find_batch(index: IndexFile, batch: Batch, checks: CheckSettings) -> Grown:
    """`find_passages`, at no more cost than it has to have."""
    return await find_passages(index, unsearched(batch), checks)


def _find(
    file: IndexFile, candidates: Sequence[Candidate], checks: CheckSettings, gate: ThreadGate
) -> list[Candidate | Reject]:
    env = Environment()

    def embed(queries: Sequence[str]) -> Vectors:
        return embed_queries(file.embedded_by, queries, env, gate)

    with connect_store(env) as store:
        return find_again(candidates, IndexSearch(file.open(), store, embed), checks)
