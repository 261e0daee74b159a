"""Workers in the test's own process, to which all goes and from which all comes pickled; real clusters are in tests/engines."""

import asyncio
import pickle
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

from tasks.workers import cluster
from tasks.workers.work import name_of, named


class FakeCluster:
    """Notes how many pieces of work were under way at once, and which functions were called."""

    def __init__(self, workers: int) -> None:
        self.loop = asyncio.get_running_loop()
        self.called: list[str] = []
        self.under_way = self.most_under_way = 0
        self._workers = workers

    async def workers(self) -> int:
        return self._workers

    async def run(self, function: Callable[..., Awaitable[Any]], *arguments: Any) -> Any:
        self.called.append(name_of(function))
        self.under_way += 1
        self.most_under_way = max(self.most_under_way, self.under_way)
        try:
            done = await named(name_of(function))(*pickle.loads(pickle.dumps(arguments)))
            return pickle.loads(pickle.dumps(done))
        finally:
            self.under_way -= 1


@asynccontextmanager
async def fake_workers(workers: int) -> AsyncGenerator[FakeCluster]:
    found = FakeCluster(workers)
    before = cluster._current.set(found)  # type: ignore[arg-type]
    try:
        yield found
    finally:
        cluster._current.reset(before)
