import asyncio
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from ragset.errors import BatchPending, BudgetSpent, LLMUnavailable, ProviderRefused
from ragset.llm.batch.api import BatchAPI
from ragset.llm.batch.batched import Batched
from ragset.llm.client import OpenAIClient
from ragset.llm.journal import Journal
from ragset.llm.journaled import BudgetTracker, Journaled
from ragset.llm.protocol import Completion
from ragset.llm.usage import Price, Prices
from ragset.settings import Budget, ModelSettings
from tests.clients import environment, request_of
from tests.fake_openai import Fake

REQUESTS = [request_of(f"Case {number}") for number in range(20)]


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Send and look in hundredths of seconds."""
    for name in ("batched._QUIET", "api._SOONEST", "api._LATEST"):
        monkeypatch.setattr(f"ragset.llm.batch.{name}", 0.03)
    monkeypatch.setattr("openai._base_client.INITIAL_RETRY_DELAY", 0.01)


@pytest.fixture
def journal(tmp_path: Path) -> Generator[Journal]:
    found = Journal(tmp_path / "journal.sqlite")
    yield found
    found.close()


@asynccontextmanager
async def batched(
    fake: Fake,
    journal: Journal,
    *,
    budget: dict[str, float] | None = None,
    price: float = 1000,
    paid: list[float | None] | None = None,
    **settings: Any,
) -> AsyncGenerator[Batched]:
    """A model that is asked by batch, as one run makes it."""
    model = ModelSettings.model_validate({"model": "test-model", "mode": "batch", "max_tokens": 100, **settings})
    prices = Prices(models={"test-model": Price(input=price, output=price)})
    tracker = BudgetTracker(journal, "run", Budget.model_validate(budget or {}), prices)
    client = OpenAIClient(model, environment(fake.url))
    costs = paid if paid is not None else list[float | None]()
    live = Journaled(client, journal, tracker, lambda _completion, cost: costs.append(cost))
    found = Batched(live, client, BatchAPI(model, environment(fake.url)), model)
    try:
        yield found
    finally:
        await found.aclose()
        await client.aclose()


async def outcomes(llm: Batched | Journaled) -> list[Completion | BaseException]:
    return await asyncio.wait_for(asyncio.gather(*map(llm.complete, REQUESTS), return_exceptions=True), 20)


def answered(fake: Fake, path: str = "") -> list[str]:
    """A digest of each request that was answered."""
    return [entry["digest"] for entry in fake.log() if entry["status"] == 200 and entry["path"].endswith(path)]


async def test_replies_are_those_of_plain_calls_at_half_the_price(fake: Fake, journal: Journal, tmp_path: Path) -> None:
    by_batch, by_call = list[float | None](), list[float | None]()
    async with batched(fake, journal, paid=by_batch) as llm:
        found = await outcomes(llm)
        assert await outcomes(llm) == found
    assert len(answered(fake, "/batches")) == len(REQUESTS) == len(answered(fake))
    other = Journal(tmp_path / "other.sqlite")
    async with batched(fake, other, paid=by_call) as llm:
        live = await asyncio.gather(*map(llm.live.complete, REQUESTS))
    other.close()
    assert [one.model_copy(update={"batch": True, "seconds": None}) for one in live] == found
    assert sum(map(float, filter(None, by_batch))) == pytest.approx(sum(map(float, filter(None, by_call))) / 2)
    assert journal.spent("run").calls == 20
    assert journal.facts("batch ") == {}


async def test_same_question_at_the_same_time_is_asked_once(fake: Fake, journal: Journal) -> None:
    async with batched(fake, journal) as llm:
        replies = await asyncio.gather(*(llm.complete(REQUESTS[0]) for _ in range(20)))
    assert len({reply.text for reply in replies}) == 1
    assert len(answered(fake)) == 1


@pytest.mark.parametrize(
    "faults",
    [
        {"batch_errors": 0.5},
        {"batch_ends": "expired", "batch_unanswered": 0.5},
        {"batch_ends": "cancelled", "batch_unanswered": 1.0},
    ],
)
async def test_what_a_batch_left_unanswered_is_asked_by_plain_calls_and_said(
    fake: Fake, journal: Journal, caplog: pytest.LogCaptureFixture, faults: dict[str, Any]
) -> None:
    fake.set(**faults)
    async with batched(fake, journal) as llm:
        found = await outcomes(llm)
    left = len(answered(fake, "/completions"))
    assert 0 < left == sum(isinstance(one, Completion) and not one.batch for one in found)
    assert len(found) == len(set(answered(fake))) == len(answered(fake)) == 20
    assert f"{left} of 20 requests were not answered" in caplog.text


async def test_batch_that_is_refused_names_what_to_mend(fake: Fake, journal: Journal) -> None:
    fake.set(batch_ends="failed")
    async with batched(fake, journal) as llm:
        found = await outcomes(llm)
    assert {type(one) for one in found} == {ProviderRefused}
    assert "set mode to live, or mend what it says: The model does not exist" in str(found[0])
    assert answered(fake) == []
    assert journal.facts("batch ") == {}


async def test_server_without_batches_is_an_error_that_names_the_mode(fake: Fake, journal: Journal) -> None:
    fake.set(no_batches=True)
    async with batched(fake, journal) as llm:
        found = await outcomes(llm)
    assert {type(one) for one in found} == {ProviderRefused}
    assert "set mode to live" in str(found[0])


@pytest.mark.parametrize("most", [12, 3])
async def test_batches_that_are_too_much_are_sent_smaller_and_one_after_the_other(
    fake: Fake, journal: Journal, most: int
) -> None:
    fake.set(batch_most=most)
    async with batched(fake, journal) as llm:
        found = await outcomes(llm)
    assert all(isinstance(one, Completion) and one.batch for one in found)
    assert len(answered(fake)) == 20


async def test_run_that_ended_takes_its_batch_up_and_asks_nothing_twice(fake: Fake, journal: Journal) -> None:
    fake.set(batch_seconds=0.5)
    async with batched(fake, journal, batch_hours=0) as llm:
        found = await outcomes(llm)
    assert {type(one) for one in found} == {BatchPending}
    assert "run the same command later" in str(found[0])
    async with batched(fake, journal) as llm:
        found = await outcomes(llm)
    assert all(isinstance(one, Completion) and one.batch for one in found)
    assert len(answered(fake)) == 20 == journal.spent("run").calls


async def test_two_processes_that_ask_the_same_send_it_once(fake: Fake, journal: Journal, tmp_path: Path) -> None:
    other = Journal(tmp_path / "journal.sqlite")  # as another process opens it
    async with batched(fake, journal) as one, batched(fake, other) as two:
        first, second = await asyncio.gather(outcomes(one), outcomes(two))
    other.close()
    assert first == second
    assert len(answered(fake)) == 20 == journal.spent("run").calls


async def test_replies_that_nobody_waits_for_are_kept(fake: Fake, journal: Journal) -> None:
    async with batched(fake, journal, batch_hours=0) as llm:
        await outcomes(llm)
    async with batched(fake, journal) as llm:  # another run of the same model, that asks something else
        await llm.complete(request_of("Another case"))
    assert journal.spent("run").calls == 21
    assert len(answered(fake)) == 21


@pytest.mark.parametrize("retries", [0, 2])
async def test_batch_whose_making_was_not_heard_of_is_found(fake: Fake, journal: Journal, retries: int) -> None:
    fake.set(batch_lost=1)
    async with batched(fake, journal, max_retries=retries) as llm:
        found = await outcomes(llm)
        if not retries:
            assert {type(one) for one in found} == {LLMUnavailable}
            found = await outcomes(llm)
    assert all(isinstance(one, Completion) and one.batch for one in found)
    assert len(answered(fake)) == 20


async def test_file_of_which_no_batch_was_made_is_sent_again(fake: Fake, journal: Journal) -> None:
    async with batched(fake, journal, batch_hours=0) as llm:
        await outcomes(llm)
    ((name, value),) = journal.facts("batch ").items()
    fake.reset()  # the provider knows of nothing
    await journal.remember(name, value.replace('"id":"batch_1"', '"id":""'))
    async with batched(fake, journal) as llm:
        found = await outcomes(llm)
    assert all(isinstance(one, Completion) for one in found)
    assert len(answered(fake)) == 20


async def test_calls_never_exceed_their_limit(fake: Fake, journal: Journal) -> None:
    async with batched(fake, journal, budget={"max_calls": 7}) as llm:
        found = await outcomes(llm)
    assert sum(isinstance(one, Completion) for one in found) == 7
    assert sum(isinstance(one, BudgetSpent) for one in found) == 13
    assert len(answered(fake)) == 7


async def test_cost_is_reserved_before_a_batch_is_sent_and_what_it_leaves_is_used(
    fake: Fake, journal: Journal, tmp_path: Path
) -> None:
    async with batched(fake, journal) as llm:
        await outcomes(llm)
    whole = journal.spent("run").cost
    other = Journal(tmp_path / "other.sqlite")
    async with batched(fake, other, budget={"max_cost": whole / 2}) as llm:
        found = await outcomes(llm)
    spent, kept = other.spent("run"), sum(isinstance(one, Completion) for one in found)
    other.close()
    assert spent.calls == kept
    assert whole / 2 <= spent.cost < whole / 2 + 2 * whole / 20  # passed by less than one call
    assert kept < 20
