"""The limits that all runs on one Prefect server share: model calls at once, and model calls a minute.

Both are global concurrency limits of Prefect; the second is a token bucket that fills by limit/60 a second.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import AbstractContextManager, AsyncExitStack, asynccontextmanager, contextmanager, nullcontext

from prefect.client.orchestration import get_client
from prefect.settings import get_current_settings

from tasks.limits.permits import Rate
from tasks.limits.server import GlobalLimit, refuse_to_wait
from tasks.limits.slots import Slots

CALLS = "ragset-calls"
CALLS_PER_MINUTE = "ragset-calls-per-minute"

__all__ = ["CALLS", "CALLS_PER_MINUTE", "Limits"]


class Limits:
    """A gate around each request to a model, for one event loop; `check` raises at a request's turn to refuse it."""

    def __init__(self, check: Callable[[], None] = lambda: None) -> None:
        self._check = check
        self._under_way: set[object] = set()  # one for each request; also changed by threads
        self._loop = asyncio.get_running_loop()
        self._opening = asyncio.Lock()
        self._opened = False
        self._connections = AsyncExitStack()
        self._slots: Slots | None = None
        self._rate: Rate | None = None

    @asynccontextmanager
    async def __call__(self) -> AsyncGenerator[None]:
        """Entered when a request begins, left when it ends."""
        if not self._opened:
            await self._open()
        # A slot first: a token that waits for a slot would be used in a later second than it was counted in.
        async with self._slots.slot() if self._slots else nullcontext():
            if self._rate:
                await self._rate.take()
            with self._sending():
                yield

    def in_thread(self) -> AbstractContextManager[object]:
        """The same gate for requests that block a thread, which must not be that of the event loop."""
        return self._sending() if self._opened and self._slots is None else self._turn_in_thread()

    @property
    def busy(self) -> bool:
        """Whether a request is under way; those that wait for their turn are not."""
        return bool(self._under_way)

    async def aclose(self) -> None:
        """Give back what is held."""
        if self._rate:
            await self._rate.aclose()
        if self._slots:
            await self._slots.aclose()
        await self._connections.aclose()

    @contextmanager
    def _sending(self) -> Generator[None]:
        self._check()
        request = object()
        self._under_way.add(request)
        try:
            yield
        finally:
            self._under_way.remove(request)

    @contextmanager
    def _turn_in_thread(self) -> Generator[None]:
        turn = self()
        asyncio.run_coroutine_threadsafe(turn.__aenter__(), self._loop).result()
        try:
            yield
        finally:
            asyncio.run_coroutine_threadsafe(turn.__aexit__(None, None, None), self._loop).result()

    async def _open(self) -> None:
        async with self._opening:
            if not self._opened and get_current_settings().api.url:  # else the only server is this run's own
                hooks = {"event_hooks": {"response": [refuse_to_wait]}}
                client = await self._connections.enter_async_context(get_client(httpx_settings=hooks))
                self._slots = Slots(GlobalLimit(client, CALLS))
                self._rate = Rate(GlobalLimit(client, CALLS_PER_MINUTE))
            self._opened = True
