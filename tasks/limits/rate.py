"""Calls a minute: tokens from a bucket that Prefect's server fills again, taken for several calls at once."""

import math
import random
import time

from ragset.errors import ServerError
from tasks.limits.permits import AGAIN, Permits
from tasks.limits.server import State

_TOGETHER = 1.0
"""Seconds. The server counts whole tokens since the last that was taken and forgets the rest, so what a second brings is
taken together."""
_APART = 0.05
"""Seconds, drawn at random, by which runs that wait for the same moment come apart."""


class Rate(Permits):
    """A limit with decay; a permit is a token, which is used up."""

    async def _ask(self, state: State | None) -> float:
        if state is None:
            self._put(self._waiting)
            return AGAIN
        if state.decay <= 0:
            raise ServerError(
                f"the global concurrency limit {self._limit.name} has no slot decay, so its slots never come back: set "
                "slot_decay_per_second to a sixtieth of the limit; nothing that was answered is lost"
            )
        changed, wanted = state.changed, self._waiting
        if (tokens := min(state.free, wanted)) > 0:
            if not await self._limit.take(tokens):  # another run was faster
                return AGAIN
            self._put(tokens)
            if tokens == wanted:
                return 0.0
            changed = time.time()
        # By the server's clock and ours: where they differ, the look comes too often, or too late by one turn at most.
        filling = min(math.ceil(_TOGETHER * state.decay), state.limit) / state.decay
        return min(max(changed + filling - time.time(), AGAIN), filling) + random.uniform(0, _APART)  # noqa: S311
