"""A provider that goes away in mid-run, by a real server that does."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Generator
from contextlib import ExitStack, asynccontextmanager
from pathlib import Path

import pytest

from ragset.errors import LLMUnavailable
from ragset.llm.journal import Journal
from ragset.llm.journaled import BudgetTracker, Journaled
from ragset.llm.protocol import Completion, Request
from ragset.llm.usage import Prices
from ragset.settings import Budget
from tests.clients import client_of, request_of
from tests.fake_openai import Fake, fake_openai

RETRIES = 3


class Gate:
    """Counts requests on their way to a server, to one that is gone as well."""

    def __init__(self) -> None:
        self.passed = 0

    @asynccontextmanager
    async def __call__(self) -> AsyncGenerator[None]:
        self.passed += 1
        yield


@pytest.fixture
def journal(tmp_path: Path) -> Generator[Journal]:
    found = Journal(tmp_path / "journal.sqlite")
    yield found
    found.close()


def cases(count: int, first: int = 0) -> list[Request]:
    return [request_of(f"Case {number}") for number in range(first, first + count)]


async def ask_all(llm: Journaled, requests: list[Request]) -> list[Completion | BaseException]:
    return await asyncio.gather(*map(llm.complete, requests), return_exceptions=True)


def journaled(client: object, journal: Journal, at_once: int) -> Journaled:
    budget_tracker = BudgetTracker(journal, "run", Budget(), Prices())
    return Journaled(client, journal, budget_tracker, at_once=at_once)  # type: ignore[arg-type]


@pytest.mark.parametrize("at_once", [1, 5, 64])
async def test_when_a_server_is_gone_calls_that_wait_are_not_tried(
    at_once: int, journal: Journal, caplog: pytest.LogCaptureFixture
) -> None:
    gate = Gate()
    with ExitStack() as server:
        fake = server.enter_context(fake_openai())
        async with client_of(fake, shared_limit=gate, max_concurrency=at_once, max_retries=RETRIES) as client:
            llm = journaled(client, journal, at_once)
            await llm.complete(request_of("While it is there"))
            server.close()
            found = await ask_all(llm, [*cases(96), *cases(96)])
    assert {type(one) for one in found} == {LLMUnavailable}
    assert "did not answer in 4 tries (no connection)" in str(found[-1])
    # one that was answered; those that had their turn used up their tries, and nobody else sent anything
    assert gate.passed <= 1 + at_once * (RETRIES + 1)
    (told,) = warnings(caplog)
    assert told == f"no answer from {fake.url} (no connection): trying again"


async def test_in_mid_run_what_was_answered_stays_and_the_rest_fails(journal: Journal) -> None:
    gate = Gate()
    with ExitStack() as server:
        fake = server.enter_context(fake_openai(latency=0.02))
        async with client_of(fake, shared_limit=gate, max_concurrency=4, max_retries=RETRIES) as client:
            enough = asyncio.Event()
            budget_tracker = BudgetTracker(journal, "run", Budget(), Prices())
            paid: list[Completion] = []

            def tell(completion: Completion, cost: float | None) -> None:
                paid.append(completion)
                if len(paid) == 12:
                    enough.set()

            llm = Journaled(client, journal, budget_tracker, tell, 4)
            asking = asyncio.create_task(ask_all(llm, cases(400)))
            await enough.wait()
            server.close()
            found = await asking
    answered = sum(isinstance(one, Completion) for one in found)
    assert 12 <= answered < 400
    assert sum(isinstance(one, LLMUnavailable) for one in found) == 400 - answered
    assert gate.passed <= answered + 4 * (RETRIES + 1)


async def test_what_comes_later_finds_out_for_itself(
    fake: Fake, journal: Journal, caplog: pytest.LogCaptureFixture
) -> None:
    gate = Gate()
    async with client_of(fake, shared_limit=gate, max_concurrency=1, max_retries=RETRIES, timeout=0.5) as client:
        llm = journaled(client, journal, 1)
        await llm.complete(request_of("While it answers"))
        fake.set(hung=1.0)
        assert {type(one) for one in await ask_all(llm, cases(20))} == {LLMUnavailable}
        assert gate.passed == 1 + (RETRIES + 1)
        assert len(warnings(caplog)) == 1
        assert {type(one) for one in await ask_all(llm, cases(20))} == {LLMUnavailable}
        assert len(warnings(caplog)) == 1  # until it answers again
        fake.set(hung=0.0)
        assert all(isinstance(one, Completion) for one in await ask_all(llm, cases(20)))


async def test_one_request_that_a_server_fails_over_ends_no_other(fake: Fake, journal: Journal) -> None:
    fake.set(too_long=1000, too_long_status=500, too_long_says="out of memory", latency=0.05)
    async with client_of(fake, max_concurrency=2, max_retries=RETRIES) as client:
        llm = journaled(client, journal, 2)
        found = await ask_all(llm, [request_of("tea " * 1000), *cases(100)])
    assert type(found[0]) is LLMUnavailable
    assert all(isinstance(one, Completion) for one in found[1:])


async def test_one_transient_fault_is_not_warned_of(fake: Fake, caplog: pytest.LogCaptureFixture) -> None:
    fake.set(errors=0.3)
    async with client_of(fake, max_concurrency=4, max_retries=20) as client:
        await asyncio.gather(*map(client.complete, cases(40)))
    assert warnings(caplog) == []


def warnings(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.levelno == logging.WARNING]
