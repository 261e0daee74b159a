"""Work for one thread, done in groups: what comes while the thread is busy, or shortly after, is done at once."""

import asyncio
import queue
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from typing import Any, Generic, NamedTuple, TypeVar

from ragset.errors import InputError

T = TypeVar("T")
R = TypeVar("R")
_F = TypeVar("_F", bound="Future[Any] | asyncio.Future[Any]")


class GroupedWork(Generic[T, R]):
    """Does what waits for a thread together, in the order in which it came."""

    def __init__(self, thread: ThreadPoolExecutor, do: Callable[[Sequence[T]], Sequence[R]]) -> None:
        self.pause = 0.0
        """Seconds that the thread waits for more, since waking it for each one costs more than doing it."""
        self._thread, self._do = thread, do
        self._waiting: queue.SimpleQueue[tuple[T, Future[R] | asyncio.Future[R]]] = queue.SimpleQueue()
        self._called = False  # whether the thread is to look at what waits
        self._calling = threading.Lock()

    def submit(self, one: T) -> "Future[R]":
        """For threads, and for callers that may take it back: cancelled before the thread begins, it is not done."""
        return self._add(one, Future())

    async def done(self, one: T) -> R:
        """For event loops, each of which is woken once for a group. It is done even if the caller is cancelled."""
        return await self._add(one, asyncio.get_running_loop().create_future())

    def _add(self, one: T, future: "_F") -> "_F":
        self._waiting.put((one, future))
        with self._calling:
            if not self._called:
                self._thread.submit(self._do_waiting)
                self._called = True
        return future

    def _do_waiting(self) -> None:
        if self.pause:
            time.sleep(self.pause)
        with self._calling:
            self._called = False
        group: list[tuple[T, Future[R] | asyncio.Future[R]]] = []
        while not self._waiting.empty():
            one, future = self._waiting.get()
            if isinstance(future, asyncio.Future) or future.set_running_or_notify_cancel():
                group.append((one, future))
        if group:
            outcomes = self._do_all([one for one, _ in group])
            _tell(_Told(future, *outcome) for (_, future), outcome in zip(group, outcomes, strict=True))

    def _do_all(self, group: Sequence[T]) -> list[tuple[R | None, Exception | None]]:
        try:
            return [(result, None) for result in self._do(group)]
        except Exception as error:  # whatever it is, nobody may wait for this thread in vain
            if len(group) == 1 or isinstance(error, InputError):
                return [(None, error)] * len(group)
            # One that fails is no reason for the others to fail.
            return [outcome for one in group for outcome in self._do_all([one])]


class _Told(NamedTuple):
    future: "Future[Any] | asyncio.Future[Any]"
    result: Any
    error: Exception | None

    def settle(self) -> None:
        if self.future.done():  # the caller was cancelled
            return
        if self.error:
            self.future.set_exception(self.error)
        else:
            self.future.set_result(self.result)


def _tell(outcomes: Iterable[_Told]) -> None:
    of_loops: dict[asyncio.AbstractEventLoop, list[_Told]] = defaultdict(list)
    for told in outcomes:
        if isinstance(told.future, asyncio.Future):
            of_loops[told.future.get_loop()].append(told)
        else:
            told.settle()
    for loop, some in of_loops.items():
        with suppress(RuntimeError):  # the loop is closed: nobody waits any more
            loop.call_soon_threadsafe(_settle, some)


def _settle(some: Sequence[_Told]) -> None:
    for told in some:
        told.settle()
