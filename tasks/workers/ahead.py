"""Work that workers do ahead of a thread of the run, which uses the results in order."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Generator, Iterable
from concurrent.futures import Future, wait
from contextlib import suppress
from itertools import chain, islice
from typing import Any, TypeVar

from tasks.workers.cluster import current

R = TypeVar("R")
T = TypeVar("T")

_A_WORKER = 2  # calls under way for each worker, so that none waits while a result is used
_LOOK = 0.2  # seconds after which a thread that waits can be interrupted


def in_order(function: Callable[..., Awaitable[R]], calls: Iterable[tuple[Any, ...]]) -> Generator[R]:
    """The results of calls that workers do, in order; few enough are under way at once that memory is bounded.

    For threads of a run that has workers (see `has_workers`). When the generator is closed, calls under way are taken back.
    """
    cluster, calls = current(), iter(calls)
    if (first := next(calls, None)) is None:
        return
    most = _A_WORKER * _result(asyncio.run_coroutine_threadsafe(cluster.workers(), cluster.loop))
    waiting = chain([first], calls)
    under_way: deque[Future[R]] = deque()
    try:
        while True:
            for call in islice(waiting, most - len(under_way)):
                under_way.append(asyncio.run_coroutine_threadsafe(cluster.run(function, *call), cluster.loop))
            if not under_way:
                return
            yield _result(under_way[0])
            under_way.popleft()
    finally:
        for future in under_way:
            with suppress(RuntimeError):  # the run has ended meanwhile
                future.cancel()


def by_size(items: Iterable[T], size: Callable[[T], int], least: int) -> Generator[list[T]]:
    """The items in order, so many together that their sizes add up to so much at least."""
    slab: list[T] = []
    whole = 0
    for item in items:
        slab.append(item)
        whole += size(item)
        if whole >= least:
            yield slab
            slab, whole = [], 0
    if slab:
        yield slab


def _result(future: "Future[R]") -> R:
    while not wait([future], _LOOK).done:
        pass
    return future.result()
