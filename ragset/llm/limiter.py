"""How many calls may be under way at once: fewer after a 429, and more again with success.

Additive increase, multiplicative decrease (Chiu and Jain 1989), slower below the last refusal as in CUBIC (RFC 9438).
"""

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, AbstractContextManager
from typing import Self

# A limit beyond this process: entered before each request is sent, left when it is answered. `nullcontext` is none.
SharedLimit = Callable[[], AbstractAsyncContextManager[object]]
BlockingSharedLimit = Callable[[], AbstractContextManager[object]]  # the same for requests that block their thread

_DECREASE = 0.6
_NEAR = 0.85  # from this share of the last refused limit up to it, the limit rises slowly
_SLOWLY = 0.1


class Limiter:
    """Entered by each call, in the order of arrival; belongs to one event loop."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._limit = float(most)
        self.active = 0  # calls under way
        self._entrance = asyncio.Lock()
        self._left = asyncio.Event()
        self._paused_until = 0.0
        self._decreased_at = float("-inf")
        self._refused_at = float("inf")  # the limit that was too high

    @property
    def limit(self) -> int:
        """The number of calls that may be under way now."""
        return int(self._limit)

    async def __aenter__(self) -> Self:
        loop = asyncio.get_running_loop()
        async with self._entrance:  # in the order of arrival: the first waits for its turn, the others for the first
            while self.active >= self.limit or self._paused_until > loop.time():
                if self._paused_until > loop.time():
                    await asyncio.sleep(self._paused_until - loop.time())
                else:
                    self._left.clear()
                    await self._left.wait()
            self.active += 1
        return self

    async def __aexit__(self, *_: object) -> None:
        self.active -= 1
        self._left.set()

    def succeeded(self) -> None:
        """Raise the limit by one over as many successes as it allows calls; near a refused limit over ten times as many."""
        near = _NEAR * self._refused_at <= self._limit <= self._refused_at
        self._limit = min(self._most, self._limit + (_SLOWLY if near else 1) / self._limit)

    def refused(self, sent_at: float, pause: float) -> None:
        """Let no call begin for `pause` seconds, and lower the limit, once for calls that were under way together.

        `sent_at` is when the call that was answered 429 was sent, by the clock of the loop.
        """
        now = asyncio.get_running_loop().time()
        self._paused_until = max(self._paused_until, now + pause)
        if sent_at >= self._decreased_at:
            self._refused_at = self._limit
            self._limit = max(1.0, self._limit * _DECREASE)
            self._decreased_at = now
