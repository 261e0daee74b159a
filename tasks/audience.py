"""The portrait of the audience, made once for a run."""

from contextlib import suppress

from prefect import get_run_logger, task
from prefect.cache_policies import NO_CACHE

from ragset.errors import BudgetSpent
from ragset.generation.audience import PROMPT, describe_audience, shown_passages
from ragset.llm.usage import Meter, Metered
from ragset.models import Model, Usage
from tasks.batches import Recipe
from tasks.documents import CorpusFile
from tasks.run.caching import RETRIED
from tasks.run.models import Account, asking
from tasks.run.threads import in_thread


class Portrait(Model):
    """Who reads the documents and why, and what the call cost."""

    text: str = ""  # empty: nobody was asked, or no reply could be read
    usage: tuple[Usage, ...] = ()


@task(name="audience", task_run_name="describe audience", tags=["llm"], cache_policy=NO_CACHE, **RETRIED)
async def portray_audience(corpus: CorpusFile, recipe: Recipe, account: Account) -> Portrait:
    """`ragset.generation.audience.describe_audience` of passages spread over the corpus; the journal keeps the reply."""

    def look() -> dict[str, list[str]]:
        opened = corpus.open()
        return shown_passages(opened.ids, opened.__getitem__)

    meter, text = Meter(recipe.prices), ""
    with suppress(BudgetSpent):  # then later calls say so
        inputs = await in_thread(look)
        text = await describe_audience(
            inputs, recipe.prompts[PROMPT], Metered(asking(recipe.generator, account), meter)
        )
    get_run_logger().info("A portrait of the audience with %d characters", len(text))
    return Portrait(text=text, usage=meter.rows())
