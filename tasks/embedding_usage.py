"""What embeddings cost."""

from collections.abc import Collection

from ragset.llm.usage import EMBED, load_prices
from ragset.models import Usage
from ragset.retrieval.embedding.stored import Bill, StoredEmbedder
from ragset.settings import EmbeddingSettings, Environment
from tasks.run.models import Account, embedding
from tasks.run.threads import in_thread


async def query_usage(settings: EmbeddingSettings, account: Account, queries: Collection[str]) -> tuple[Usage, ...]:
    """What the embeddings of these distinct queries cost, in as many calls as they fill; a row where they are paid for."""
    if settings.free or not queries:
        return ()
    async with embedding(settings.unadapted, account, queries=True) as embedder:
        bill = await in_thread(embedder.bill, sorted(queries)) if isinstance(embedder, StoredEmbedder) else Bill()
    return usage_of(settings, queries=bill)


def usage_of(settings: EmbeddingSettings, **bills: Bill) -> tuple[Usage, ...]:
    """A row for each bill, which is known by what was embedded."""
    prices = load_prices(Environment().ragset_prices)
    rows = (
        Usage(stage=EMBED, prompt=f"({what})", model=settings.model, calls=bill.calls, prompt_tokens=bill.tokens)
        for what, bill in bills.items()
        if bill.calls
    )
    return tuple(row.model_copy(update={"cost": prices.cost(row.model, row)}) for row in rows)
