"""Work that tests send to workers, and what must hold of the workers of any cluster."""

import asyncio
import os
from pathlib import Path

import pytest
from prefect import flow, task
from prefect.cache_policies import NO_CACHE

from ragset.errors import DocumentError
from ragset.settings import RunnerSettings
from tasks.run.progress import progress, watch
from tasks.workers.cluster import cluster_of, on_worker, over_workers, parallel


@task(cache_policy=NO_CACHE)
async def doubled(number: int) -> tuple[int, int]:
    """Twice the number, and the process."""
    progress().calls_made += 1
    await asyncio.sleep(0.2)
    return 2 * number, os.getpid()


async def refuse(number: int) -> None:
    raise DocumentError(f"{number}.pdf", "is empty")


async def stay(told: Path) -> None:
    """Write into the file that it began and, when cancelled, so."""

    def tell(word: str) -> None:
        with told.open("a") as file:
            file.write(f"{word} ")

    tell("began")
    try:
        await asyncio.sleep(600)
    except asyncio.CancelledError:
        tell("cancelled")
        raise


async def check_workers(settings: RunnerSettings, workers: int) -> None:
    """What is sent is done elsewhere, in order, and counted here; an error comes back as it was."""

    @flow
    async def run() -> None:
        counted = watch()
        async with cluster_of(settings):
            assert await parallel() == workers
            done = await over_workers(doubled, [(number,) for number in range(20)])
            assert [value for value, _ in done] == [2 * number for number in range(20)]
            assert len({process for _, process in done} - {os.getpid()}) == workers
            assert counted.calls_made == 20
            with pytest.raises(DocumentError, match=r"7\.pdf: is empty") as found:
                await on_worker(refuse, 7)
            assert found.value.source == "7.pdf"

    await run()


async def check_cancelling(settings: RunnerSettings, told: Path) -> None:
    """Work that is cancelled here ends there."""

    async def said(word: str) -> None:
        async with asyncio.timeout(60):
            while not told.exists() or word not in told.read_text():  # noqa: ASYNC110, ASYNC240
                await asyncio.sleep(0.05)

    @flow
    async def run() -> None:
        async with cluster_of(settings):
            working = asyncio.create_task(on_worker(stay, told))
            await said("began")
            working.cancel()
            await asyncio.wait([working])
            await said("cancelled")

    await run()
