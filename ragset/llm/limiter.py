"""How many calls may be under way at once: fewer after a 429, and more again with success.

Additive increase, multiplicative decrease (Chiu and Jain, "Analysis of the increase and decrease algorithms", 1989),
slower just below where the last refusal came, as in CUBIC (RFC 9438): each refusal costs everybody a pause.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, AbstractContextManager
from types import TracebackType
from typing import Self

SharedLimit = Callable[[], AbstractAsyncContextManager[object]]
"""A limit beyond this process: entered before each request is sent, left when it is answered. `nullcontext` is none."""

BlockingSharedLimit = Callable[[], AbstractContextManager[object]]
"""The same for requests that block their thread."""

_DECREASE = 0.6
_NEAR = 0.85
"""From this share of the last refused limit up to it, the limit rises slowly."""
_SLOWLY = 0.1


class Limiter:
    """Entered by each call, in the order of arrival; belongs to one event loop."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._limit = float(most)
        self._active = 0
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._paused_until = 0.0
        self._decreased_at = float("-inf")
        self._refused_at = float("inf")
        """The limit that was too high."""
        self._timer: asyncio.TimerHandle | None = None

    @property
    def limit(self) -> int:
        """Calls allowed at once just now."""
        return int(self._limit)

    @property
    def active(self) -> int:
        """Calls under way."""
        return self._active

    async def __aenter__(self) -> Self:
        if not self._waiting and self._free():
            self._active += 1
            return self
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(turn)
        self._wake()
        try:
            await turn
        except asyncio.CancelledError:
            if not turn.cancelled():  # the turn had come, and is the next one's
                self._leave()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._leave()

    def succeeded(self) -> None:
        """Raise the limit by one after as many successes as calls are allowed at once; near a refused limit after ten times as many."""
        near = _NEAR * self._refused_at <= self._limit <= self._refused_at
        self._limit = min(self._most, self._limit + (_SLOWLY if near else 1) / self._limit)

    def refused(self, sent_at: float, pause: float) -> None:
        """A call sent at that time (of the loop) was answered 429: no call begins for `pause` seconds.

        Refusals of calls that were under way together count once.
        """
        now = asyncio.get_running_loop().time()
        self._paused_until = max(self._paused_until, now + pause)
        if sent_at >= self._decreased_at:
            self._refused_at = self._limit
            self._limit = max(1.0, self._limit * _DECREASE)
            self._decreased_at = now

    def _free(self) -> bool:
        return self._active < self.limit and asyncio.get_running_loop().time() >= self._paused_until

    def _leave(self) -> None:
        self._active -= 1
        self._wake()

    def _wake(self) -> None:
        while self._waiting and self._free():
            turn = self._waiting.popleft()
            if not turn.done():
                self._active += 1
                turn.set_result(None)
        if self._waiting and self._timer is None:
            self._schedule()

    def _schedule(self) -> None:
        """Wake waiting calls when the pause is over; without a pause each call that leaves does so."""
        loop = asyncio.get_running_loop()
        if self._paused_until > loop.time():
            self._timer = loop.call_at(self._paused_until, self._pause_over)

    def _pause_over(self) -> None:
        self._timer = None
        self._wake()
