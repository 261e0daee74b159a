"""Permits to call: calls wait for them in order of arrival, and one task gets them from Prefect's server for all of them."""

import asyncio
import random
from abc import ABC, abstractmethod
from collections import deque

from ragset.errors import ServerError
from tasks.limits.server import REQUEST_SECONDS, GlobalLimit, NoAnswer, State

AGAIN = 0.1
"""Seconds until a server that did not answer is asked again."""


class Permits(ABC):
    """What calls wait for. Belongs to one event loop."""

    def __init__(self, limit: GlobalLimit) -> None:
        self._limit = limit
        self._now = asyncio.get_running_loop().time
        self._free = 0
        self._turns: deque[asyncio.Future[None]] = deque()
        """Of calls that wait."""
        self._asker: asyncio.Task[None] | None = None
        self._ask_at = 0.0
        self._known: bool | None = None
        """Whether there was such a limit when the first call came; None: no call has come."""
        self._failure: BaseException | None = None

    @abstractmethod
    async def _ask(self, state: State | None) -> float:
        """Get permits for calls that wait; seconds until the server is to be asked again. None: no limit any more."""

    async def take(self) -> bool:
        """Wait for a permit. False: none is needed, since there was no limit when the first call came.

        Raises:
            ServerError: Prefect's server is gone, or the limit lets nobody call.
        """
        if self._failure:
            raise self._failure.with_traceback(None)
        if not self._is_limited():
            return False
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
        return self._is_limited()

    def _is_limited(self) -> bool:
        return self._known is not False

    async def aclose(self) -> None:
        """Send away the calls that wait, and ask no more."""
        self._fail(self._failure or asyncio.CancelledError())
        if self._asker is not None:
            # To the end of its request: a lease that is granted to one that has gone is nobody's until it ends.
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
        """Until no call waits."""
        try:
            while self._waiting and not self._failure:
                if (early := self._ask_at - self._now()) > 0:
                    await asyncio.sleep(early)
                    continue
                try:
                    state = await self._limit.read()
                    if self._known is None:
                        self._known = state is not None
                    if not self._known:
                        self._put(self._waiting)
                        return
                    pause = await self._ask(state)
                except NoAnswer:
                    pause = jittered(AGAIN)
                self._ask_at = self._now() + pause
        except Exception as error:  # whatever it is, calls must not wait for ever
            self._fail(error)


def jittered(seconds: float) -> float:
    """About so many, so that processes and leases come apart."""
    return random.uniform(0.7, 1.3) * seconds  # noqa: S311
