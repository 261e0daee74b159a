"""Waiting for the end of a batch."""

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

from ragset.errors import BatchPending, LLMUnavailable
from ragset.llm.batch.api import ENDED, BatchAPI
from ragset.llm.batch.sent import SentBatch
from ragset.settings import ModelSettings

if TYPE_CHECKING:
    from openai.types import Batch

_SOONEST, _LATEST = 1.0, 60.0  # seconds between two looks at a batch: at first, and at most


async def await_end(
    api: BatchAPI, sent: SentBatch, settings: ModelSettings, shown: Callable[[str, int, int], None]
) -> "Batch":
    """The batch when it has ended; until then `shown` is told how many of its requests are answered.

    Raises BatchPending if it takes longer than the settings allow.
    """
    now = asyncio.get_running_loop().time
    pause, until, failures = _SOONEST, now() + 3600 * settings.batch_hours, 0
    while True:
        answered, total = 0, len(sent.keys)
        try:
            batch = await api.look(sent.id)
        except LLMUnavailable:
            failures += 1
            if failures > settings.max_retries:
                raise
        else:
            failures = 0
            if batch.status in ENDED:
                return batch
            answered = batch.request_counts.completed if batch.request_counts else 0
            shown(sent.id, answered, total)
        if now() >= until:
            raise BatchPending(
                f"{api.server} has a batch of {settings.model} under way ({sent.id}, {answered:,} of {total:,} requests "
                "answered): run the same command later; it takes the batch up, and asks nothing twice"
            )
        await asyncio.sleep(min(pause, max(0.0, until - now())))
        pause = min(1.5 * pause, _LATEST)
