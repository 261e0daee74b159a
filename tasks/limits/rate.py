"""Calls a minute: tokens from a bucket that Prefect's server fills again, taken for several calls at once."""

import math
import random
import time

from ragset.errors import ServerError
from tasks.limits.limit import GlobalLimit
from tasks.limits.queue import Queue

_TOGETHER = 1.0
"""Seconds; the server counts whole tokens since the last that was taken and forgets the rest, so what a second brings is
taken together."""
_SOONEST = 0.1
_APART = 0.05
"""Seconds, drawn at random, by which runs that wait for the same moment come apart."""
_UNLIMITED = 5.0
"""Seconds until a limit that is gone or disabled is looked for again."""


class Rate:
    """A limit with decay, as calls pass it."""

    def __init__(self, limit: GlobalLimit) -> None:
        self._limit = limit
        self._queue: Queue[None] = Queue(limit.name, self._look)
        self._unlimited_until = float("-inf")
        self._due = float("-inf")
        """When the bucket, found empty, is worth another look."""

    async def token(self) -> None:
        """Return when one more call may be sent, which is now.

        Raises:
            ServerError: Prefect's server is gone, or the limit lets nobody call.
        """
        if time.monotonic() >= self._unlimited_until:
            await self._queue.turn(self._pass_on)

    async def aclose(self) -> None:
        """Send away who waits."""
        await self._queue.aclose()

    def _pass_on(self, token: None) -> None:
        self._queue.serve(token)

    async def _look(self) -> float | None:
        wanted = len(self._queue)
        if not wanted:
            return None
        if (early := self._due - time.monotonic()) > 0:
            return early
        state = await self._limit.read()
        if state is None:
            self._unlimited_until = time.monotonic() + _UNLIMITED
            while self._queue.serve(None):
                pass
            return None
        if state.decay <= 0:
            raise ServerError(
                f"the global concurrency limit {self._limit.name} has no slot decay, so its slots never come back: set "
                "slot_decay_per_second to a sixtieth of the limit; nothing that was answered is lost"
            )
        changed = state.changed
        if (tokens := min(state.free, wanted)) > 0:
            if not await self._limit.take(tokens):  # another run was faster
                return self._later(_SOONEST)
            for _ in range(tokens):
                self._queue.serve(None)
            if tokens == wanted:
                return None
            changed = time.time()
        # By the server's clock and ours: where they differ, the look comes too often, or too late by one turn at most.
        filling = min(math.ceil(_TOGETHER * state.decay), state.limit) / state.decay
        return self._later(min(max(changed + filling - time.time(), _SOONEST), filling))

    def _later(self, pause: float) -> float:
        pause += random.uniform(0, _APART)  # noqa: S311
        self._due = time.monotonic() + pause
        return pause
