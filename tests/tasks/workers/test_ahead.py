"""Work that is done ahead of a thread."""

import asyncio
from collections.abc import Iterator
from contextlib import closing

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragset.errors import DocumentError
from tasks.run.threads import in_thread
from tasks.workers.ahead import in_order
from tests.tasks.workers.fake_cluster import fake_workers


async def wait_and_double(number: int, ticks: int) -> int:
    for _ in range(ticks):
        await asyncio.sleep(0)
    return 2 * number


async def refuse_seven(number: int) -> int:
    if number == 7:
        raise DocumentError("7.pdf", "is empty")
    return number


async def stay(_number: int) -> int:
    await asyncio.sleep(600)
    return 0


@given(st.lists(st.integers(0, 5), max_size=20), st.integers(1, 3))
async def test_results_are_in_order_whatever_ends_first_and_few_calls_are_under_way(
    ticks: list[int], workers: int
) -> None:
    taken = 0

    def calls() -> Iterator[tuple[int, int]]:
        nonlocal taken
        for number, some in enumerate(ticks):
            taken += 1
            yield number, some

    def use() -> list[int]:
        results: list[int] = []
        for result in in_order(wait_and_double, calls()):
            results.append(result)
            assert taken - len(results) < 2 * workers
        return results

    async with fake_workers(workers) as cluster:
        assert await in_thread(use) == [2 * number for number in range(len(ticks))]
        assert cluster.most_under_way <= 2 * workers


async def test_an_error_comes_as_it_was_after_the_results_before_it() -> None:
    seen: list[int] = []

    def use() -> None:
        seen.extend(in_order(refuse_seven, ((number,) for number in range(20))))

    async with fake_workers(2):
        with pytest.raises(DocumentError, match=r"7\.pdf: is empty"):
            await in_thread(use)
    assert seen == [*range(7)]


async def test_what_nobody_waits_for_any_more_is_taken_back() -> None:
    def use() -> None:
        with closing(in_order(stay, [(1,), (2,)])) as results:
            next(results)

    async with fake_workers(1) as cluster:
        using = asyncio.create_task(in_thread(use))
        while cluster.under_way < 2:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        using.cancel()
        async with asyncio.timeout(5):
            while cluster.under_way:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
