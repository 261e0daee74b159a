"""Texts embedded on the account of a run, and what their embeddings cost."""

from collections.abc import Collection, Iterable, Sequence

from ragset.llm.usage import EMBED, load_prices
from ragset.models import Usage
from ragset.retrieval.embedding import Embedder
from ragset.retrieval.embedding.stored import Bill, StoredEmbedder
from ragset.retrieval.index import Index
from ragset.retrieval.index.table import read_chunks, slabs
from ragset.settings import EmbeddingSettings, Environment
from tasks.run.models import Account, embedding
from tasks.run.threads import in_thread


async def query_usage(settings: EmbeddingSettings, account: Account, queries: Collection[str]) -> tuple[Usage, ...]:
    """What the embeddings of these distinct queries cost, in as many calls as they fill; a row where they are paid for."""
    if settings.free or not queries:
        return ()
    async with embedding(settings, account) as embedder:
        return await in_thread(lambda: usage_of(settings, queries=_bill(embedder, [sorted(queries)])))


def chunk_bill(index: Index, embedder: Embedder) -> Bill:
    """What the embeddings of the chunks cost, whenever they were made."""
    return _bill(embedder, ([chunk.text for chunk in slab] for slab in slabs(read_chunks(index.chunk_file))))


def sentence_bill(embedder: Embedder) -> Bill:
    """What the embeddings cost that chunks were cut by."""
    return embedder.used if isinstance(embedder, StoredEmbedder) and not embedder.free else Bill()


def usage_of(settings: EmbeddingSettings, **bills: Bill) -> tuple[Usage, ...]:
    """A row for each bill, which is known by what was embedded."""
    prices = load_prices(Environment().ragset_prices)
    rows = (
        Usage(stage=EMBED, prompt=f"({what})", model=settings.model, calls=bill.calls, prompt_tokens=bill.tokens)
        for what, bill in bills.items()
        if bill.calls
    )
    return tuple(row.model_copy(update={"cost": prices.cost(row.model, row)}) for row in rows)


def _bill(embedder: Embedder, groups: Iterable[Sequence[str]]) -> Bill:
    if not isinstance(embedder, StoredEmbedder) or embedder.free:
        return Bill()
    return Bill.total(embedder.bill(group) for group in groups)
