"""The cluster of a run: starts with the first work that is sent to it, and ends with the run."""

import asyncio
import math
import pickle
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from contextvars import ContextVar
from typing import Any, TypeVar
from urllib.parse import urlsplit

from prefect import get_run_logger
from prefect.settings import get_current_settings

from ragset.errors import InputError, WorkerLost
from ragset.llm.gather import gather_all
from ragset.llm.tracing import trace_headers
from ragset.retrieval.stores import is_shared
from ragset.settings import Environment, RunnerSettings
from tasks.run.progress import progress
from tasks.workers.engines import Engine, Future, engine_of
from tasks.workers.work import Work, name_of, named, run_work

T = TypeVar("T")
R = TypeVar("R")

_LOCAL = {"localhost", "127.0.0.1", "::1"}


class Cluster:
    """Sends work to an engine's workers. Belongs to one event loop."""

    def __init__(self, engine: Engine) -> None:
        self.loop = asyncio.get_running_loop()
        self._engine = engine
        self._starting = asyncio.Lock()
        self._workers = 0

    async def workers(self) -> int:
        """How many do work at once; starts the cluster."""
        async with self._starting:
            if not self._workers:
                self._workers = await asyncio.to_thread(self._engine.start)
                get_run_logger().info("%d workers", self._workers)
        return self._workers

    async def run(self, function: Callable[..., Awaitable[R]], *arguments: Any) -> R:
        """What the function returns in a worker; what it counted as progress is counted here."""
        work = Work(name_of(function), pickle.dumps(arguments), await self.workers(), trace_headers())
        future = self._engine.runner.submit(run_work, {"work": work})
        try:
            done = await self._result(future)
        except BaseException:
            with suppress(Exception):  # an engine that is gone has nothing to take back
                self._engine.cancel(future)
            raise
        progress().add(done.progress)
        return done.result

    async def _result(self, future: Future) -> Any:
        loop, ended = asyncio.get_running_loop(), asyncio.Event()

        def end(_: object) -> None:
            loop.call_soon_threadsafe(ended.set)

        future.add_done_callback(end)
        await ended.wait()
        try:
            return await asyncio.to_thread(future.result)
        except self._engine.lost as error:
            raise WorkerLost(
                f"runner: workers ended in the middle of the same work ({type(error).__name__}), as they do when "
                "their machine has too little memory; what was answered is kept: run the same command to go on"
            ) from error

    async def aclose(self) -> None:
        """End the workers that were started here, and take back what others still work on."""
        if self._workers:
            await asyncio.to_thread(self._engine.stop)


_current: ContextVar[Cluster | None] = ContextVar("cluster", default=None)


@asynccontextmanager
async def cluster_of(settings: RunnerSettings) -> AsyncGenerator[None]:
    """While the block runs, work goes where the settings say."""
    if (engine := engine_of(settings)) is None:
        yield
        return
    _check_reachable(settings)
    cluster = Cluster(engine)
    before = _current.set(cluster)
    try:
        yield
    finally:
        _current.reset(before)
        await cluster.aclose()


def _check_reachable(settings: RunnerSettings) -> None:
    server = get_current_settings().api.url or ""
    if settings.address and urlsplit(server).hostname in _LOCAL and urlsplit(settings.address).hostname not in _LOCAL:
        raise InputError(
            f"runner.address: workers on other machines cannot reach Prefect's server at {server}; set PREFECT_API_URL to one "
            "that they reach, as of `make serve`"
        )


def has_workers() -> bool:
    """Whether work goes to workers; else the process of the run does it."""
    return _current.get() is not None


def current() -> Cluster:
    """The cluster of a run that has workers."""
    cluster = _current.get()
    assert cluster is not None
    return cluster


async def parallel() -> int:
    """How many pieces of work are done at once: as many as there are workers, or one in the process of the run."""
    return await cluster.workers() if (cluster := _current.get()) else 1


async def on_worker(function: Callable[..., Awaitable[R]], *arguments: Any) -> R:
    """Await a task, or any other function of a module, on a worker of the run; here where the run has none.

    Arguments and result are pickled on the way, and what they refer to must be in files that all workers share. Within the
    function, models are asked as everywhere, at the worker's share of the calls that may be under way at once.
    """
    cluster = _current.get()
    return await (cluster.run if cluster else _here)(function, *arguments)


def searches_anywhere() -> bool:
    """Whether what opens the vector store may run wherever the rest does; else a file that only one process can open is in use."""
    return not has_workers() or is_shared(Environment())


async def searching(function: Callable[..., Awaitable[R]], *arguments: Any) -> R:
    """`on_worker` for what opens the vector store: here, where that is a file that only one process can open."""
    return await (on_worker if searches_anywhere() else _here)(function, *arguments)


async def _here(function: Callable[..., Awaitable[R]], *arguments: Any) -> R:
    return await function(*arguments)


async def over_workers(function: Callable[..., Awaitable[R]], calls: Sequence[tuple[Any, ...]]) -> list[R]:
    """Await the function for all calls at once, divided among the workers; results in order."""
    if not has_workers():
        return [*await gather_all(*(function(*arguments) for arguments in calls))]
    done = await gather_all(*(on_worker(call_all, name_of(function), slab) for slab in await in_slabs(calls)))
    return [result for results in done for result in results]


async def call_all(name: str, calls: Sequence[tuple[Any, ...]]) -> tuple[Any, ...]:
    """The results of all calls of the function at once, in order."""
    function = named(name)
    return await gather_all(*(function(*arguments) for arguments in calls))


async def in_slabs(items: Sequence[T], most: int = 8) -> list[Sequence[T]]:
    """The items divided evenly among the workers, at most so many together; all together where the run has no workers."""
    if not has_workers():
        return [items]
    workers = await parallel()
    size = max(1, min(most, math.ceil(len(items) / workers)))
    return [items[first : first + size] for first in range(0, len(items), size)]
