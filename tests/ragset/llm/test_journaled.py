import asyncio
import hashlib
import json
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragset.errors import BudgetSpent, CaseRefused, LLMUnavailable, ProviderRefused
from ragset.llm.journal import Journal, Spent
from ragset.llm.journaled import BudgetTracker, Journaled, key_of
from ragset.llm.protocol import Completion, Message, Request
from ragset.llm.replies import Criticism
from ragset.llm.request_format import schema_text
from ragset.llm.usage import Price, Prices
from ragset.settings import Budget
from tests.clients import client_of, request_of
from tests.fake_openai import Fake

PRICES = Prices(models={"test-model": Price(input=1000, output=1000)})


class Slow:
    """Takes its time, counts, and fails when told to."""

    model = "test-model"

    def __init__(self) -> None:
        self.calls = 0
        self.error: Exception | None = None
        self.asked = asyncio.Event()
        self.go = asyncio.Event()
        self.go.set()

    @property
    def identity(self) -> dict[str, Any]:
        return {"model": self.model}

    async def complete(self, request: Request) -> Completion:
        self.calls += 1
        self.asked.set()
        await asyncio.sleep(0)
        await self.go.wait()
        if self.error:
            raise self.error
        return Completion(text=f"reply {self.calls}", model=self.model, prompt_tokens=8, completion_tokens=2)


@pytest.fixture
def journal(tmp_path: Path) -> Generator[Journal]:
    found = Journal(tmp_path / "journal.sqlite")
    yield found
    found.close()


def budget_tracker(journal: Journal, **limits: float) -> BudgetTracker:
    return BudgetTracker(journal, "run", Budget.model_validate(limits), PRICES)


async def outcomes(llm: Journaled, requests: list[Request]) -> list[Completion | BaseException]:
    return await asyncio.gather(*map(llm.complete, requests), return_exceptions=True)


async def test_same_question_is_asked_once_ever(fake: Fake, journal: Journal) -> None:
    for _ in range(2):
        async with client_of(fake) as client:
            llm = Journaled(client, journal, budget_tracker(journal))
            first, second = await llm.complete(request_of()), await llm.complete(request_of())
            assert first == second
    assert fake.stats()["requests"] == 1


async def test_same_question_at_the_same_time_is_asked_once(fake: Fake, journal: Journal) -> None:
    fake.set(latency=0.05)
    async with client_of(fake) as client:
        llm = Journaled(client, journal, budget_tracker(journal, max_calls=1))
        replies = await asyncio.gather(*(llm.complete(request_of()) for _ in range(20)))
    assert len({reply.text for reply in replies}) == 1
    assert fake.stats()["requests"] == 1


async def test_reply_from_a_server_that_lacks_schemas_is_found_by_the_same_key(fake: Fake, journal: Journal) -> None:
    fake.set(no_json_schema=True)
    async with client_of(fake) as client:
        await Journaled(client, journal, budget_tracker(journal)).complete(request_of())
    async with client_of(fake) as client:
        await Journaled(client, journal, budget_tracker(journal)).complete(request_of())
    assert fake.stats()["answered"] == 1


async def test_question_whose_first_asker_is_cancelled_is_asked_by_the_next(journal: Journal) -> None:
    slow = Slow()
    slow.go.clear()
    llm = Journaled(slow, journal, budget_tracker(journal, max_calls=1))
    first, second = asyncio.create_task(llm.complete(request_of())), asyncio.create_task(llm.complete(request_of()))
    await slow.asked.wait()
    first.cancel()
    slow.go.set()
    assert (await asyncio.wait_for(second, 5)).text == "reply 2"
    assert slow.calls == 2


async def test_failed_call_is_no_reply_and_costs_nothing(journal: Journal) -> None:
    slow = Slow()
    llm = Journaled(slow, journal, budget_tracker(journal, max_calls=1))
    for slow.error in (LLMUnavailable("down"), CaseRefused("too long")):
        with pytest.raises(type(slow.error)):
            await llm.complete(request_of())
    slow.error = None
    assert (await llm.complete(request_of())).text == "reply 3"
    assert journal.spent("run").calls == 1


async def test_reply_that_arrived_is_kept_when_its_asker_is_cancelled(journal: Journal) -> None:
    slow = Slow()
    llm = Journaled(slow, journal, budget_tracker(journal))
    asking = asyncio.create_task(llm.complete(request_of()))
    await slow.asked.wait()
    for _ in range(2):  # answered, and on its way to the journal
        await asyncio.sleep(0)
    asking.cancel()
    await asyncio.gather(asking, return_exceptions=True)
    await journal.remember("later", "one")
    assert journal.spent("run").calls == 1
    assert (await llm.complete(request_of())).text == "reply 1"


async def test_reply_that_another_process_kept_first_is_the_one_that_counts(journal: Journal) -> None:
    slow = Slow()
    slow.go.clear()
    llm = Journaled(slow, journal, budget_tracker(journal))
    asking = asyncio.create_task(llm.complete(request_of()))
    await slow.asked.wait()
    kept = Completion(text="reply of another process", model="test-model", prompt_tokens=8, completion_tokens=2)
    await journal.put(key_of(slow.identity, request_of()), kept, run="other", cost=None)
    slow.go.set()
    assert await asking == kept
    assert journal.spent("run").calls == 1  # paid all the same


async def test_calls_never_exceed_their_limit(fake: Fake, journal: Journal) -> None:
    fake.set(latency=0.01, errors=0.3)
    async with client_of(fake, max_retries=20) as client:
        llm = Journaled(client, journal, budget_tracker(journal, max_calls=7))
        found = await outcomes(llm, [request_of(f"Case {number}") for number in range(30)])
    assert sum(isinstance(outcome, Completion) for outcome in found) == 7
    assert sum(isinstance(outcome, BudgetSpent) for outcome in found) == 23
    assert fake.stats()["answered"] == 7


async def test_calls_one_after_the_other_reach_their_limit(journal: Journal) -> None:
    slow = Slow()
    llm = Journaled(slow, journal, budget_tracker(journal, max_calls=3))
    for number in range(3):
        await llm.complete(request_of(f"Case {number}"))
    with pytest.raises(BudgetSpent):
        await llm.complete(request_of("Case 3"))
    assert slow.calls == 3


async def test_limit_counts_what_an_interrupted_try_spent(journal: Journal) -> None:
    slow = Slow()
    await outcomes(
        Journaled(slow, journal, budget_tracker(journal)), [request_of(f"Case {number}") for number in range(3)]
    )
    llm = Journaled(slow, journal, budget_tracker(journal, max_calls=5))
    found = await outcomes(llm, [request_of(f"Case {number}") for number in range(10)])
    assert slow.calls == 5
    # the three of the first try are in the journal and free
    answered = [isinstance(outcome, Completion) for outcome in found]
    assert (answered[:3], sum(answered)) == ([True] * 3, 5)


async def test_calls_limited_to_none_ask_nothing(journal: Journal) -> None:
    slow = Slow()
    with pytest.raises(BudgetSpent, match=r"budget\.max_calls \(0\) is reached"):
        await Journaled(slow, journal, budget_tracker(journal, max_calls=0)).complete(request_of())
    assert slow.calls == 0


@pytest.mark.parametrize(
    ("limits", "asked"),
    [
        # 10 tokens, and 10 * 1000 / 1,000,000 = 0.01 dollars a call
        ({"max_tokens": 30}, 3),
        ({"max_tokens": 31}, 4),
        ({"max_cost": 0.025}, 3),
    ],
)
async def test_tokens_and_cost_end_the_run_when_they_are_reached(
    journal: Journal, limits: dict[str, float], asked: int
) -> None:
    slow = Slow()
    llm = Journaled(slow, journal, budget_tracker(journal, **limits))
    for number in range(asked):
        await llm.complete(request_of(f"Case {number}"))
    with pytest.raises(BudgetSpent, match=next(iter(limits))):
        await llm.complete(request_of("One more"))
    assert slow.calls == asked


def test_what_a_call_may_cost_at_most_counts_until_it_is_settled(journal: Journal) -> None:
    tracker, most = budget_tracker(journal, max_tokens=100), Spent(1, 60, 0.0)
    tracker.reserve(most)
    tracker.reserve(most)  # 60 of 100: a limit is passed by one call at most
    with pytest.raises(BudgetSpent, match="max_tokens"):
        tracker.reserve(most)
    tracker.settle(Completion(text="", model="test-model", prompt_tokens=8, completion_tokens=2), most)
    tracker.release(most)
    assert not tracker.reserved
    tracker.reserve(most)  # 10 are spent
    tracker.reserve(Spent(5, 500, 0.0), sent=True)
    with pytest.raises(BudgetSpent):
        tracker.reserve(most)


async def test_each_new_reply_is_told_with_its_cost_and_none_of_old(journal: Journal) -> None:
    told = list[float | None]()
    llm = Journaled(Slow(), journal, budget_tracker(journal), lambda _completion, cost: told.append(cost))
    await llm.complete(request_of())
    await llm.complete(request_of())
    assert told == [pytest.approx(0.01)]


def test_key_is_that_of_all_that_the_model_sees_and_of_nothing_else() -> None:
    request = request_of("Tea.")
    key = key_of({"model": "m", "temperature": None}, request)
    same = request.model_copy(update={"stage": "other", "prompt": "other", "inputs": {}})
    assert key_of({"temperature": None, "model": "m"}, same) == key
    others = [
        key_of({"model": "m", "temperature": 0.5}, request),
        key_of({"model": "m", "temperature": None}, request_of("Coffee.")),
        key_of({"model": "m", "temperature": None}, request_of("Tea.", Criticism)),
        key_of({"model": "m", "temperature": None}, moved(request)),
    ]
    assert len({key, *others}) == 5


@given(st.text(st.characters(exclude_categories=()), max_size=50), st.text(max_size=5))
def test_key_stays_what_it_was_so_that_replies_kept_by_earlier_releases_are_found(text: str, role: str) -> None:
    request = request_of(text).model_copy(update={"messages": (Message(role=role, content=text),) * 2})
    seen = json.dumps([{"a": text}, [[role, text]] * 2, schema_text(request.reply)], ensure_ascii=False, sort_keys=True)
    assert key_of({"a": text}, request) == hashlib.sha256(seen.encode(errors="replace")).hexdigest()


def moved(request: Request) -> Request:
    """The same characters, with the border between the messages elsewhere."""
    system, user = request.messages
    messages = (
        Message(role="system", content=system.content + user.content[0]),
        Message(role="user", content=user.content[1:]),
    )
    return request.model_copy(update={"messages": messages})


async def test_calls_that_wait_are_not_made_once_the_quota_is_spent(fake: Fake, journal: Journal) -> None:
    fake.set(quota_spent=True)
    async with client_of(fake) as client:
        llm = Journaled(client, journal, budget_tracker(journal), at_once=2)
        found = await outcomes(llm, [request_of(f"Case {number}") for number in range(20)])
    assert {type(one) for one in found} == {ProviderRefused}
    assert fake.stats()["requests"] == 2
