"""What holds of a journal, in SQLite and in Postgres. Who imports all of it has a fixture `place`, where there is none yet."""

import asyncio
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Generator
from pathlib import Path

import pytest
from pydantic import SecretStr

from ragset.errors import InputError
from ragset.llm.databases import Statements
from ragset.llm.journal import Journal, Spent
from ragset.llm.protocol import Completion
from tests.fake_openai import Fake

Place = Path | SecretStr
ROOT = Path(__file__).resolve().parents[3]
REPLY = Completion(text="Yes 🍵\0\n", model="m", prompt_tokens=7, cached_tokens=3, completion_tokens=2, truncated=True)


@pytest.fixture
def journal(place: Place) -> Generator[Journal]:
    found = Journal(place)
    yield found
    found.close()


@pytest.fixture
def other(place: Place) -> Generator[Journal]:
    """Of another process."""
    found = Journal(place)
    yield found
    found.close()


async def test_reply_comes_back_as_it_was(journal: Journal) -> None:
    assert journal.get("k") is None
    await journal.put("k", REPLY, run="r", cost=None)
    assert journal.get("k") == REPLY


async def test_first_reply_under_a_key_stays(journal: Journal) -> None:
    await journal.put("k", REPLY, run="r", cost=None)
    await journal.put("k", REPLY.model_copy(update={"text": "No"}), run="r", cost=None)
    assert journal.get("k") == REPLY


async def test_spending_is_summed_by_run_and_survives(journal: Journal, place: Place) -> None:
    await journal.put("a", REPLY, run="one", cost=0.25)
    await journal.put("b", REPLY, run="one", cost=0.5)
    await journal.put("c", REPLY, run="two", cost=None)
    journal.close()
    again = Journal(place)
    # 7 + 2 tokens a reply
    assert again.spent("one") == Spent(2, 18, 0.75)
    assert again.spent("two") == Spent(1, 9, 0.0)
    assert again.spent("three") == Spent(0, 0, 0.0)
    again.close()


async def test_fact_takes_the_place_of_an_earlier_one(journal: Journal) -> None:
    assert journal.recall("mode") is None
    await journal.remember("mode", "text")
    await journal.remember("mode", "json_object")
    assert journal.recall("mode") == "json_object"


async def test_replies_of_a_batch_are_kept_once_and_with_them_the_batch_is_forgotten(journal: Journal) -> None:
    by_batch = REPLY.model_copy(update={"batch": True})
    await journal.put("a", REPLY, run="live", cost=0.25)
    await journal.remember("batch one", "{}")
    await journal.remember("other", "{}")
    assert journal.facts("batch ") == {"batch one": "{}"}
    replies = {"a": (by_batch, 0.5), "b": (by_batch, 0.5)}
    assert await journal.put_batch("batch one", replies, run="r")
    assert not await journal.put_batch("batch one", replies, run="r")  # by another process
    assert (journal.get("a"), journal.get("b")) == (REPLY, by_batch)
    assert journal.spent("r") == Spent(2, 18, 1.0)  # both are paid
    assert journal.facts("batch ") == {}


async def test_batch_of_which_one_reply_cannot_be_written_is_not_forgotten(journal: Journal) -> None:
    bad = REPLY.model_copy(update={"prompt_tokens": 2**80})
    await journal.remember("batch one", "{}")
    with pytest.raises(InputError):
        await journal.put_batch("batch one", {"a": (REPLY, None), "b": (bad, None)}, run="r")
    assert journal.get("a") is None
    assert journal.facts("batch ") == {"batch one": "{}"}


async def test_closing_writes_what_waits(journal: Journal, place: Place) -> None:
    puts = [asyncio.create_task(journal.put(str(n), REPLY, run="r", cost=None)) for n in range(200)]
    await asyncio.sleep(0)
    journal.close()
    await asyncio.wait_for(asyncio.gather(*puts), 10)
    again = Journal(place)
    assert again.spent("r").calls == 200
    again.close()


async def test_writing_after_closing_is_an_error_and_never_waits(journal: Journal) -> None:
    journal.close()
    journal.close()
    with pytest.raises(RuntimeError, match="after shutdown"):
        await asyncio.wait_for(journal.put("k", REPLY, run="r", cost=None), 5)


async def test_reply_of_a_cancelled_caller_is_kept(journal: Journal) -> None:
    put = asyncio.create_task(journal.put("k", REPLY, run="r", cost=None))
    await asyncio.sleep(0)
    put.cancel()
    with pytest.raises(asyncio.CancelledError):
        await put
    await journal.remember("later", "one")
    assert journal.get("k") == REPLY


async def test_reply_that_cannot_be_written_fails_alone(journal: Journal) -> None:
    bad = REPLY.model_copy(update={"prompt_tokens": 2**80})
    outcomes = await asyncio.wait_for(
        asyncio.gather(
            *(journal.put(str(n), bad if n == 3 else REPLY, run="r", cost=None) for n in range(8)),
            return_exceptions=True,
        ),
        10,
    )
    assert [isinstance(outcome, InputError) for outcome in outcomes] == [n == 3 for n in range(8)]
    assert journal.spent("r").calls == 7


async def test_of_two_replies_in_one_transaction_the_good_one_is_kept(journal: Journal) -> None:
    held, let_go = threading.Event(), threading.Event()

    def hold(_statements: Statements) -> None:
        held.set()
        let_go.wait(10)

    holding = asyncio.create_task(asyncio.to_thread(journal.write, hold))
    await asyncio.to_thread(held.wait, 10)  # what comes now waits, and is written together
    bad = REPLY.model_copy(update={"prompt_tokens": 2**80})
    puts = [
        asyncio.create_task(journal.put(key, reply, run="r", cost=None)) for key, reply in (("bad", bad), ("k", REPLY))
    ]
    await asyncio.sleep(0)
    let_go.set()
    first, second = await asyncio.wait_for(asyncio.gather(*puts, return_exceptions=True), 10)
    await holding
    assert isinstance(first, InputError)
    assert second == REPLY
    assert journal.get("k") == REPLY


def test_loop_that_ends_while_a_write_waits_does_not_stop_the_writer(journal: Journal) -> None:
    async def leave() -> None:
        put = asyncio.create_task(journal.put("k", REPLY, run="r", cost=None))
        await asyncio.sleep(0)
        del put

    asyncio.run(leave())
    asyncio.run(asyncio.wait_for(journal.put("l", REPLY, run="r", cost=None), 10))
    assert journal.get("k") == journal.get("l") == REPLY


def test_threads_that_open_a_new_journal_together_all_may(place: Place) -> None:
    opened, failed = list[Journal](), list[Exception]()

    def open_one() -> None:
        try:
            opened.append(Journal(place))
        except InputError as error:
            failed.append(error)

    threads = [threading.Thread(target=open_one) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for journal in opened:
        journal.close()
    assert not failed


WRITER = """
import asyncio, sys
from ragset.llm.journal import Journal
from ragset.llm.protocol import Completion
from ragset.settings import Environment

async def main(name, count):
    journal = Journal(Environment().journal)
    async def put(number):
        key = f"{name}-{number}"
        await journal.put(key, Completion(text=key, model="m"), run=name, cost=0.5)
        print(key, flush=True)
    for first in range(0, int(count), 8):
        await asyncio.gather(*(put(number) for number in range(first, first + 8)))
    journal.close()

asyncio.run(main(*sys.argv[1:]))
"""


def program(text: str, place: Place, *arguments: object) -> subprocess.Popen[str]:
    """A process that runs a program, with `place` in its environment."""
    named = (
        {"RAGSET_HOME": str(place.parent)} if isinstance(place, Path) else {"RAGSET_JOURNAL": place.get_secret_value()}
    )
    command = [sys.executable, "-c", text, *map(str, arguments)]
    return subprocess.Popen(command, cwd=ROOT, env=os.environ | named, stdout=subprocess.PIPE, text=True)


def writer(place: Place, name: str, count: int) -> subprocess.Popen[str]:
    return program(WRITER, place, name, count)


def test_killed_process_leaves_every_reply_it_was_told_is_kept(place: Place) -> None:
    with writer(place, "killed", 10**6) as process:
        assert process.stdout
        told = [process.stdout.readline().strip() for _ in range(500)]
        os.kill(process.pid, signal.SIGKILL)
        told += process.stdout.read().split("\n")[:-1]
    journal = Journal(place)
    kept = [journal.get(key) for key in told]
    assert [reply.text if reply else None for reply in kept] == told
    assert journal.spent("killed").calls >= len(told) >= 500
    journal.close()


def test_processes_share_a_journal(place: Place) -> None:
    with writer(place, "one", 400) as one, writer(place, "two", 400) as two:
        assert one.stdout
        assert two.stdout
        assert len(one.stdout.read().split()) == len(two.stdout.read().split()) == 400
    journal = Journal(place)
    assert journal.spent("one") == journal.spent("two") == Spent(400, 0, 200.0)
    assert json.dumps([bool(journal.get(f"two-{n}")) for n in range(400)]) == json.dumps([True] * 400)
    journal.close()


async def test_claim_is_one_callers_until_it_is_let_go(journal: Journal, other: Journal) -> None:
    assert await journal.claim("k")
    assert not await journal.claim("k")
    assert not await other.claim("k")
    other.release("k")  # it is not theirs
    assert not await other.claim("k")
    assert await other.claim("l")
    journal.release("k")
    assert await claimed(other, "k")
    await other.put("k", REPLY, run="r", cost=None)
    assert await claimed(journal, "k")
    journal.close()
    assert await claimed(other, "k")


async def claimed(journal: Journal, key: str) -> bool:
    """Soon: a claim ends a moment after the reply is kept."""
    for _ in range(100):
        if await journal.claim(key):
            return True
        await asyncio.sleep(0.05)
    return False


async def test_claims_that_are_wanted_together_are_each_given_once(journal: Journal, other: Journal) -> None:
    wanted = [(one, f"k{n}") for n in range(100) for one in (journal, other, journal)]
    given = await asyncio.gather(*(one.claim(key) for one, key in wanted))
    assert sorted(key for (_, key), yes in zip(wanted, given, strict=True) if yes) == sorted(
        f"k{n}" for n in range(100)
    )


HOLDER = """
import asyncio, time
from ragset.llm.journal import Journal
from ragset.settings import Environment
print(asyncio.run(Journal(Environment().journal).claim("k")), flush=True)
time.sleep(600)
"""


async def test_claim_of_a_killed_process_is_free(journal: Journal, place: Place) -> None:
    with program(HOLDER, place) as process:
        assert process.stdout
        assert process.stdout.readline() == "True\n"
        assert not await journal.claim("k")
        os.kill(process.pid, signal.SIGKILL)
    assert await claimed(journal, "k")


ASKER = """
import asyncio, sys
from ragset.llm.gather import gather_all
from ragset.llm.journal import Journal
from ragset.llm.journaled import BudgetTracker, Journaled
from ragset.llm.usage import Prices
from ragset.settings import Budget, Environment
from tests.clients import client_of, request_of
from tests.fake_openai import Fake

async def main(port, cases, most):
    journal = Journal(Environment().journal)
    tracker = BudgetTracker(journal, "run", Budget(max_calls=int(most) or None), Prices())
    async with client_of(Fake(int(port))) as client:
        llm = Journaled(client, journal, tracker, at_once=8)
        asked = (llm.complete(request_of(f"Case {case}")) for case in eval(cases))
        print("ready", flush=True)
        print(sum([bool(reply) for reply in await asyncio.gather(*asked, return_exceptions=True)]), flush=True)
    journal.close()

asyncio.run(main(*sys.argv[1:]))
"""


def ask(place: Place, fake: Fake, *cases: str, most: int = 0) -> None:
    """Have a process each ask its cases."""
    port = fake.url.partition("127.0.0.1:")[2].partition("/")[0]
    processes = [program(ASKER, place, port, some, most) for some in cases]
    for process in processes:
        process.communicate(timeout=120)
        assert process.returncode == 0


def test_what_two_processes_ask_at_once_is_asked_once(journal: Journal, place: Place, fake: Fake) -> None:
    fake.set(latency=0.02)
    ask(place, fake, "range(200)", "reversed(range(200))")
    assert fake.stats()["requests"] == journal.spent("run").calls == 200


def test_budget_holds_over_processes(journal: Journal, place: Place, fake: Fake) -> None:
    fake.set(latency=0.02)
    ask(place, fake, "range(200)", "range(200, 400)", most=150)
    # at most what the other process had under way, and what was paid while the sum was read: on a busy machine that takes a while
    paid = journal.spent("run").calls
    assert paid == fake.stats()["requests"]
    assert 150 <= paid < 300
