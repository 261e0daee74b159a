import asyncio
from collections.abc import Generator, Sequence
from concurrent.futures import ThreadPoolExecutor

import pytest

from ragset.llm.gather import gather_all
from ragset.llm.grouped_work import GroupedWork


@pytest.fixture
def thread() -> Generator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(1) as pool:
        yield pool


class Halves:
    """Halves even numbers, and remembers in which groups they came."""

    def __init__(self) -> None:
        self.groups: list[list[int]] = []

    def __call__(self, numbers: Sequence[int]) -> list[int]:
        self.groups.append(list(numbers))
        if odd := [number for number in numbers if number % 2]:
            raise ValueError(str(odd[0]))
        return [number // 2 for number in numbers]


async def test_what_comes_within_the_pause_is_done_in_one_group_and_in_order(thread: ThreadPoolExecutor) -> None:
    halves = Halves()
    work = GroupedWork(thread, halves)
    work.pause = 0.2
    assert await gather_all(*(work.done(number) for number in (2, 4, 6))) == (1, 2, 3)
    assert halves.groups == [[2, 4, 6]]


async def test_one_that_fails_fails_alone(thread: ThreadPoolExecutor) -> None:
    work = GroupedWork(thread, Halves())
    work.pause = 0.2
    done = await asyncio.gather(*(work.done(number) for number in (2, 3, 4)), return_exceptions=True)
    assert [str(one) for one in done] == ["1", "3", "2"]


async def test_work_of_a_cancelled_caller_is_done_all_the_same(thread: ThreadPoolExecutor) -> None:
    halves = Halves()
    work = GroupedWork(thread, halves)
    caller = asyncio.create_task(work.done(2))
    await asyncio.sleep(0)
    caller.cancel()
    assert await work.done(4) == 2
    assert sorted(number for group in halves.groups for number in group) == [2, 4]


def test_a_thread_waits_for_its_own_result(thread: ThreadPoolExecutor) -> None:
    assert GroupedWork(thread, Halves()).submit(8).result(5) == 4


def test_work_of_a_closed_event_loop_keeps_nobody_from_the_next(thread: ThreadPoolExecutor) -> None:
    work = GroupedWork(thread, Halves())
    work.pause = 0.1

    async def leave() -> None:
        asyncio.create_task(work.done(2))  # noqa: RUF006
        await asyncio.sleep(0)

    asyncio.run(leave())
    assert work.submit(4).result(5) == 2


def test_after_the_thread_has_ended_it_is_an_error(thread: ThreadPoolExecutor) -> None:
    work = GroupedWork(thread, Halves())
    thread.shutdown()
    for _ in range(2):
        with pytest.raises(RuntimeError, match="after shutdown"):
            work.submit(2)
