"""The part that needs no Prefect server; the rest is in tests/integration/test_limits.py."""

import asyncio
from contextlib import suppress

import pytest
from prefect.settings import PREFECT_API_URL, temporary_settings

from ragset.errors import ServerError
from tasks.limits import Limits
from tasks.limits.limit import LimitUnavailable
from tasks.limits.queue import Queue


class Dealer:
    """Serves so many numbers, and tells how often it was asked."""

    def __init__(self, numbers: int) -> None:
        self.left = numbers
        self.looks = 0
        self.served = 0
        self.unused: list[int] = []
        self.queue: Queue[int] = Queue("numbers", self.look)

    async def look(self) -> float | None:
        self.looks += 1
        while self.left and self.queue.serve(self.served):
            self.left -= 1
            self.served += 1
        return None

    def deal(self, numbers: int) -> None:
        self.left += numbers
        self.queue.wake()


async def test_whoever_comes_first_is_served_first() -> None:
    dealer = Dealer(3)
    assert await asyncio.gather(*(dealer.queue.turn(dealer.unused.append) for _ in range(3))) == [0, 1, 2]
    assert dealer.looks == 1
    await dealer.queue.aclose()


async def test_what_comes_to_a_call_that_was_cancelled_goes_to_another() -> None:
    dealer = Dealer(0)
    calls = [asyncio.create_task(dealer.queue.turn(dealer.unused.append)) for _ in range(3)]
    await asyncio.sleep(0)
    calls[0].cancel()  # while it waits: it is passed over
    await asyncio.sleep(0)
    assert len(dealer.queue) == 2
    assert dealer.queue.serve(7)
    calls[1].cancel()  # after it was served, and before it knows
    dealer.deal(1)
    assert await calls[2] == 0
    with suppress(asyncio.CancelledError):
        await calls[1]
    assert dealer.unused == [7]
    await dealer.queue.aclose()


@pytest.mark.parametrize(
    ("error", "says"),
    [(ServerError("gone"), "gone"), (KeyError("id"), "KeyError: 'id'.*nothing that was answered is lost")],
)
async def test_what_ends_the_asking_ends_all_that_wait_and_all_that_come(error: Exception, says: str) -> None:
    async def look() -> float | None:
        raise error

    queue: Queue[int] = Queue("numbers", look)
    found = await asyncio.gather(*(queue.turn(print) for _ in range(2)), return_exceptions=True)
    assert [type(one) for one in found] == [ServerError, ServerError]
    with pytest.raises(ServerError, match=says):
        await queue.turn(print)
    await queue.aclose()


async def test_a_server_that_was_silent_once_is_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tasks.limits.queue._AGAIN", 0.01)
    looks: list[int] = []

    async def look() -> float | None:
        looks.append(1)
        if len(looks) == 1:
            raise LimitUnavailable
        queue.serve(5)
        return None

    queue: Queue[int] = Queue("numbers", look)
    assert await queue.turn(print) == 5
    await queue.aclose()


async def test_a_closed_queue_sends_away_who_waits() -> None:
    dealer = Dealer(0)
    call = asyncio.create_task(dealer.queue.turn(dealer.unused.append))
    await asyncio.sleep(0)
    await dealer.queue.aclose()
    assert (await asyncio.gather(call, return_exceptions=True))[0].__class__ is asyncio.CancelledError


async def test_without_a_server_there_are_no_limits() -> None:
    with temporary_settings({PREFECT_API_URL: None}):
        limits = Limits()
        async with limits():
            pass
        with limits.in_thread():
            pass
        await limits.aclose()
