"""Calls that wait for what Prefect's server has to grant, and the one task that asks it for all of them."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Generic, TypeVar

from ragset.errors import ServerError
from tasks.limits.limit import REQUEST_SECONDS, LimitUnavailable

_AGAIN, _AT_LAST = 0.02, 2.0
"""Seconds until a server that did not answer is asked again, twice as long each time: a busy one does soon."""

T = TypeVar("T")


class Queue(Generic[T]):
    """Served in the order of arrival; belongs to one event loop.

    `look` asks the server, serves, and returns the seconds until it is to be called again, or None for when something
    has happened (`wake`).
    """

    def __init__(self, name: str, look: Callable[[], Awaitable[float | None]]) -> None:
        self._name = name
        self._look = look
        self._waiting: deque[asyncio.Future[T]] = deque()
        self._happened = asyncio.Event()
        self._keeper: asyncio.Task[None] | None = None
        self._failure: ServerError | None = None
        self._closed = False

    def __len__(self) -> int:
        """Calls that wait."""
        while self._waiting and self._waiting[0].done():
            self._waiting.popleft()
        return sum(not turn.done() for turn in self._waiting)

    async def turn(self, unused: Callable[[T], None]) -> T:
        """What was served; where the call was cancelled at that moment, it goes to `unused`.

        Raises:
            ServerError: nothing will be served any more.
        """
        self.check()
        if self._keeper is None:
            self._keeper = asyncio.create_task(self._keep(), name=f"limit {self._name}")
        turn: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._waiting.append(turn)
        self.wake()
        try:
            return await turn
        except asyncio.CancelledError:
            if not turn.cancelled() and turn.exception() is None:
                unused(turn.result())
            raise

    def check(self) -> None:
        """Return if there is something to wait for.

        Raises:
            ServerError: there is not.
        """
        if self._failure is not None:
            raise self._failure.with_traceback(None)
        if self._closed:
            raise asyncio.CancelledError

    def serve(self, what: T) -> bool:
        """Serve who has waited longest; False if nobody waits."""
        while self._waiting:
            turn = self._waiting.popleft()
            if not turn.done():
                turn.set_result(what)
                return True
        return False

    def wake(self) -> None:
        """Have it looked again now."""
        self._happened.set()

    async def aclose(self) -> None:
        """Send away who waits, and look no more."""
        self._closed = True
        for turn in self._waiting:
            turn.cancel()
        self.wake()
        if self._keeper is not None:
            # To the end of its request: what the server grants to one that has gone is nobody's until it lapses.
            _, pending = await asyncio.wait({self._keeper}, timeout=_AT_LAST + REQUEST_SECONDS)
            for keeper in pending:
                keeper.cancel()

    async def _keep(self) -> None:
        try:
            again = _AGAIN
            while not self._closed:
                self._happened.clear()
                try:
                    pause = await self._look()
                except LimitUnavailable:
                    # What happens meanwhile is seen then: a server that is gone is not asked by each call.
                    await asyncio.sleep(again)
                    again = min(2 * again, _AT_LAST)
                    continue
                again = _AGAIN
                with suppress(TimeoutError):
                    async with asyncio.timeout(pause):
                        await self._happened.wait()
        except Exception as error:
            # Whoever waits must hear of it, whatever it is.
            self._fail(error)

    def _fail(self, error: Exception) -> None:
        told = error if isinstance(error, ServerError) else None
        self._failure = told or ServerError(
            f"Prefect's server did not grant what was asked of the global concurrency limit {self._name} "
            f"({type(error).__name__}: {error}); run the same command again: nothing that was answered is lost"
        )
        for turn in self._waiting:
            if not turn.done():
                turn.set_exception(self._failure)
        self._waiting.clear()
