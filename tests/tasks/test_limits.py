"""Leases against a server that is played here; the rest is in tests/integration/test_limits.py."""

import asyncio
import random
from typing import Any
from uuid import UUID, uuid4

import pytest
from prefect.settings import PREFECT_API_URL, temporary_settings

from ragset.errors import ServerError
from tasks.limits import Limits
from tasks.limits.server import NoAnswer, NotDone, State
from tasks.limits.slots import Slots

SECONDS = {
    "slots._TURN": 0.02,
    "slots._HUNGRY": 0.004,
    "slots._FED": 0.006,
    "slots._RENEWED_EVERY": 0.02,
    "permits.AGAIN": 0.002,
}


class Server:
    """Counts slots as Prefect's server does: whoever asks for the end of a lease twice gets its slots counted twice."""

    name = "calls"

    def __init__(self, limit: int, trouble: float = 0.0) -> None:
        self.limit = limit
        self.taken = 0
        self.leases: dict[UUID, int] = {}
        self.renewed = 0
        self._dice = random.Random(3)
        self._trouble = trouble

    async def _hear(self) -> bool:
        """Whether the request is heard, some time later; the answer may not be."""
        await asyncio.sleep(self._dice.uniform(0, 0.003))
        if self._dice.random() < self._trouble:
            raise NotDone
        return self._dice.random() >= self._trouble

    async def read(self) -> State | None:
        if not await self._hear():
            raise NoAnswer
        return State(self.limit, self.limit - self.taken, 0.0, 0.0)

    async def lease(self, slots: int) -> UUID | None:
        heard = await self._hear()
        if self.taken + slots > self.limit:
            return None
        if not heard:
            raise NoAnswer  # granted or not: here not, as it would end by itself
        self.taken += slots
        self.leases[lease := uuid4()] = slots
        return lease

    async def renew(self, lease: UUID) -> bool:
        if not await self._hear():
            raise NoAnswer
        self.renewed += 1
        return lease in self.leases

    async def release(self, lease: UUID) -> None:
        slots = self.leases[lease]
        heard = await self._hear()
        self.taken -= slots
        if not heard:
            raise NoAnswer


@pytest.fixture(autouse=True)
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, seconds in SECONDS.items():
        monkeypatch.setattr(f"tasks.limits.{name}", seconds)
    monkeypatch.setattr("tasks.limits.slots.AGAIN", 0.002)


class Calls:
    def __init__(self) -> None:
        self.active = self.highest = self.made = 0

    async def one(self, slots: Slots, seconds: float) -> None:
        async with slots.slot():
            self.active += 1
            self.highest = max(self.highest, self.active)
            try:
                await asyncio.sleep(seconds)
                self.made += 1
            finally:
                self.active -= 1


def slots_of(server: Server) -> Slots:
    played: Any = server
    return Slots(played)


@pytest.mark.parametrize("trouble", [0.0, 0.2])
async def test_runs_reach_their_limit_and_never_pass_it_though_answers_are_lost(trouble: float) -> None:
    server, calls, dice = Server(5, trouble), Calls(), random.Random(1)
    runs = [slots_of(server) for _ in range(3)]
    await asyncio.gather(*(calls.one(run, dice.uniform(0, 0.02)) for run in runs for _ in range(60)))
    for run in runs:
        await run.aclose()
    assert (calls.highest, calls.made) == (5, 180)
    assert server.taken == 0


async def test_a_long_call_keeps_its_lease() -> None:
    server = Server(1)
    run = slots_of(server)
    await Calls().one(run, 0.15)
    assert server.renewed >= 2
    await run.aclose()


async def test_a_slot_that_comes_to_a_call_that_was_cancelled_goes_to_another() -> None:
    server, calls = Server(1), Calls()
    run = slots_of(server)
    first, second, third = (asyncio.create_task(calls.one(run, 0.05)) for _ in range(3))
    while not calls.active:  # noqa: ASYNC110
        await asyncio.sleep(0)
    second.cancel()
    while not first.done():  # noqa: ASYNC110
        await asyncio.sleep(0)
    await third
    assert calls.made == 2
    await run.aclose()
    assert server.taken == 0


@pytest.mark.parametrize(
    ("error", "says"),
    [(ServerError("gone"), "gone"), (KeyError("id"), "KeyError: 'id'.*nothing that was answered is lost")],
)
async def test_what_ends_the_asking_ends_all_calls_that_wait_and_all_that_come(error: Exception, says: str) -> None:
    class Gone(Server):
        async def read(self) -> State | None:
            raise error

    run, calls = slots_of(Gone(1)), Calls()
    found = await asyncio.gather(*(calls.one(run, 0) for _ in range(2)), return_exceptions=True)
    assert [type(one) for one in found] == [ServerError, ServerError]
    with pytest.raises(ServerError, match=says):
        await calls.one(run, 0)
    await run.aclose()


async def test_closing_sends_away_the_calls_that_wait() -> None:
    server = Server(1)
    run, calls = slots_of(server), Calls()
    holds, waits = (asyncio.create_task(calls.one(run, 60)) for _ in range(2))
    while not calls.active:  # noqa: ASYNC110
        await asyncio.sleep(0)
    holds.cancel()
    await run.aclose()
    assert [type(one) for one in await asyncio.gather(holds, waits, return_exceptions=True)] == [
        asyncio.CancelledError
    ] * 2
    assert server.taken == 0


async def test_without_a_server_there_are_no_limits() -> None:
    with temporary_settings({PREFECT_API_URL: None}):
        limits = Limits()
        async with limits():
            pass
        with limits.in_thread():
            pass
        await limits.aclose()
