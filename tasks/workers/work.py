"""A piece of work as it is sent to a worker, and done there."""

import asyncio
import copyreg
import gc
import pickle
import sys
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from importlib import import_module
from typing import Any, NamedTuple

from prefect import Task, task
from prefect.cache_policies import NO_CACHE
from prefect.utilities.annotations import quote

from ragset.llm.tracing.export import send_spans, start_tracing
from tasks.run.lifecycle import load_secrets
from tasks.run.models import sharing_calls
from tasks.run.progress import Progress, watch
from tasks.run.tracing import work_span

_LOOK = 0.5  # seconds between looks whether the work is still wanted


def _parts(quoted: "quote[Any]") -> tuple[Any, ...]:
    return quote, (quoted.unwrap(),)


copyreg.pickle(quote, _parts)  # by itself it comes back with a tuple around its value


class Work:
    """A function by its name, with its arguments. Neither Prefect nor the engine looks into it for futures."""

    def __init__(self, name: str, arguments: bytes, workers: int, trace: dict[str, str]) -> None:
        self.name = name
        self.arguments = arguments
        self.workers = workers  # that share what may be under way at once
        self.trace = trace  # headers of the span that is open where it is sent


class Done(NamedTuple):
    """What a piece of work returned, and what it counted."""

    result: Any
    progress: Progress


def name_of(function: Callable[..., Any]) -> str:
    """`module:name` of a task or function of a module: workers import it, as its code would be pickled with its globals."""
    plain = function.fn if isinstance(function, Task) else function
    return f"{plain.__module__}:{plain.__qualname__}"


def named(name: str) -> Callable[..., Awaitable[Any]]:
    """The function of that name, as `name_of` writes it."""
    module, _, attribute = name.partition(":")
    return getattr(import_module(module), attribute)


@task(name="work", task_run_name="work on {work.name}", cache_policy=NO_CACHE, persist_result=False)
async def run_work(work: Work) -> Done:
    """Do a piece of work in this process, until it is done or nobody wants it any more."""
    # Imported, since engines pickle this function's code.
    return await import_module("tasks.workers.work").do(work)


async def do(work: Work) -> Done:
    """The work done, with models, journal and progress of its own."""
    gc.set_threshold(100_000)  # as in the process of the run: see `flows`
    function = named(work.name)
    shown = watch()
    start_tracing()
    await load_secrets()
    async with sharing_calls(work.workers), _while_wanted():
        with work_span(work.name, work.trace):
            result = await function(*pickle.loads(work.arguments))  # noqa: S301 (from the process of the run)
    await asyncio.to_thread(send_spans)  # the worker may be ended with the run
    return Done(result, shown)


@asynccontextmanager
async def _while_wanted() -> AsyncGenerator[None]:
    """Cancel the block when Dask takes the work back, as it does when the run ends; Ray ends the process then."""
    wanted = _asked_by_dask()
    working = asyncio.current_task()
    assert working is not None

    async def look() -> None:
        while wanted():  # noqa: ASYNC110 (another thread takes the work back)
            await asyncio.sleep(_LOOK)
        working.cancel()

    looking = asyncio.create_task(look())
    try:
        yield
    finally:
        looking.cancel()


def _asked_by_dask() -> Callable[[], bool]:
    """Whether the work that this thread does is still wanted; elsewhere than in a worker of Dask it always is."""
    if "distributed" not in sys.modules:
        return lambda: True
    from distributed import get_worker

    try:
        worker = get_worker()
    except ValueError:
        return lambda: True
    key = worker.get_current_task()

    def wanted() -> bool:
        state = worker.state.tasks.get(key)
        return state is not None and state.state != "cancelled"

    return wanted
