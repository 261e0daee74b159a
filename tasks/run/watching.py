"""Batches under way at a provider, each awaited in a Prefect task of its own, so that people see what a run waits for.

A run that ends before its batch leaves the batch in the journal; the next one awaits it in a new task.
"""

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from prefect import task
from prefect.cache_policies import NO_CACHE
from prefect.context import FlowRunContext

if TYPE_CHECKING:
    from openai.types import Batch

_ends: dict[str, "Callable[[], Awaitable[Batch]]"] = {}  # of the batches of this process, by id


async def watched(batch: str, model: str, ended: "Callable[[], Awaitable[Batch]]") -> "Batch":
    """The batch when it has ended, as `ended` awaits; in a task, if a flow is running."""
    if FlowRunContext.get() is None:
        return await ended()
    _ends[batch] = ended
    try:
        return await await_batch(batch, model)
    finally:
        del _ends[batch]


@task(name="await batch", task_run_name="{batch} of {model}", cache_policy=NO_CACHE, persist_result=False)
async def await_batch(batch: str, model: str) -> "Batch":  # noqa: ARG001 (the name of the run)
    """Look at the batch until it has ended, longer each time."""
    return await _ends[batch]()
