"""Permits to call: calls wait for them in order of arrival, and one task gets them from Prefect's server for all of them."""

import asyncio
import math
import random
import sys
import time
from abc import ABC, abstractmethod
from collections import deque

from ragset.errors import ServerError
from tasks.limits.server import REQUEST_SECONDS, GlobalLimit, NoAnswer, State

AGAIN = 0.1  # seconds until a server that did not answer is asked again


class Permits(ABC):
    """What calls wait for. Belongs to one event loop. Without such a limit, or once it is gone, no call waits."""

    def __init__(self, limit: GlobalLimit) -> None:
        self._limit = limit
        self._now = asyncio.get_running_loop().time
        self._free = 0
        self._turns: deque[asyncio.Future[None]] = deque()  # of calls that wait
        self._asker: asyncio.Task[None] | None = None
        self._ask_at = 0.0
        self._failure: BaseException | None = None

    @abstractmethod
    async def _ask(self, state: State) -> float:
        """Get permits for calls that wait; seconds until the server is to be asked again."""

    async def take(self) -> None:
        """Wait for a permit."""
        if self._failure:
            raise self._failure.with_traceback(None)
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._turns.append(turn)
        self._hand_out()
        if not turn.done() and (self._asker is None or self._asker.done()):
            self._asker = asyncio.create_task(self._keep_asking(), name=f"limit {self._limit.name}")
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled() and not turn.exception():
                self._put(1)
            raise

    async def aclose(self) -> None:
        """Cancel the calls that wait, and stop asking."""
        self._fail(self._failure or asyncio.CancelledError())
        if self._asker is not None:
            # Its request is waited for: a lease that is granted after we left would block its slots until it ends.
            await asyncio.wait({self._asker}, timeout=REQUEST_SECONDS)
            self._asker.cancel()

    @property
    def _waiting(self) -> int:
        return sum(not turn.done() for turn in self._turns)

    def _put(self, permits: int) -> None:
        self._free += permits
        self._hand_out()

    def _hand_out(self) -> None:
        while self._free and self._turns:
            if not (turn := self._turns.popleft()).done():
                turn.set_result(None)
                self._free -= 1

    def _fail(self, error: BaseException) -> None:
        """Let every call that waits, and every later one, raise the error."""
        if not isinstance(error, ServerError | asyncio.CancelledError):
            error = ServerError(
                f"Prefect's server did not grant what was asked of the global concurrency limit {self._limit.name} "
                f"({type(error).__name__}: {error}); run the same command again: nothing that was answered is lost"
            )
        self._failure = error
        for turn in (turn for turn in self._turns if not turn.done()):
            if isinstance(error, asyncio.CancelledError):
                turn.cancel()
            else:
                turn.set_exception(error)

    async def _keep_asking(self) -> None:
        """Ask until no call waits."""
        try:
            while self._waiting and not self._failure:
                if (early := self._ask_at - self._now()) > 0:
                    await asyncio.sleep(early)
                    continue
                try:
                    if (state := await self._limit.read()) is None:
                        self._put(sys.maxsize)
                        return
                    pause = await self._ask(state)
                except NoAnswer:
                    pause = jittered(AGAIN)
                self._ask_at = self._now() + pause
        except Exception as error:  # whatever it is, calls must not wait for ever
            self._fail(error)


_TOGETHER = 1.0  # seconds whose tokens are taken at once: the server forgets the fraction since the last one taken
_APART = 0.05  # seconds, drawn at random, by which runs that wait for the same moment come apart


class Rate(Permits):
    """Calls a minute: a permit is a token from a bucket that the server refills."""

    async def _ask(self, state: State) -> float:
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


def jittered(seconds: float) -> float:
    """About so many, so that processes and leases come apart."""
    return random.uniform(0.7, 1.3) * seconds  # noqa: S311
