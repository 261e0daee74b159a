import asyncio
import json
import os
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Generator
from pathlib import Path

import pytest

from ragset.errors import InputError
from ragset.llm.journal import Journal, Spent, patiently
from ragset.llm.protocol import Completion

ROOT = Path(__file__).resolve().parents[3]
REPLY = Completion(text="Yes 🍵\0\n", model="m", prompt_tokens=7, cached_tokens=3, completion_tokens=2, truncated=True)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "home" / "journal.sqlite"


@pytest.fixture
def journal(path: Path) -> Generator[Journal]:
    found = Journal(path)
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


async def test_spending_is_summed_by_run_and_survives(journal: Journal, path: Path) -> None:
    await journal.put("a", REPLY, run="one", cost=0.25)
    await journal.put("b", REPLY, run="one", cost=0.5)
    await journal.put("c", REPLY, run="two", cost=None)
    journal.close()
    again = Journal(path)
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


async def test_closing_writes_what_waits(journal: Journal, path: Path) -> None:
    puts = [asyncio.create_task(journal.put(str(n), REPLY, run="r", cost=None)) for n in range(200)]
    await asyncio.sleep(0)
    journal.close()
    await asyncio.wait_for(asyncio.gather(*puts), 10)
    again = Journal(path)
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

    def hold(_connection: sqlite3.Connection) -> None:
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
    assert second is None
    assert journal.get("k") == REPLY


async def test_replies_are_read_while_another_process_writes(journal: Journal, path: Path) -> None:
    await journal.put("k", REPLY, run="r", cost=None)
    other = sqlite3.connect(path)
    other.execute("PRAGMA cache_spill = 1")
    other.execute("PRAGMA cache_size = 1")
    other.execute("BEGIN IMMEDIATE")
    # More than the cache holds: without a write-ahead log this would lock every reader out.
    other.executemany("INSERT INTO facts VALUES (?, ?)", [(str(n), "x" * 4096) for n in range(200)])
    assert await asyncio.wait_for(asyncio.to_thread(journal.get, "k"), 10) == REPLY
    other.rollback()
    other.close()


def test_every_kind_of_busy_is_waited_for() -> None:
    recovering = sqlite3.OperationalError("database is locked")
    recovering.sqlite_errorcode = sqlite3.SQLITE_BUSY_RECOVERY
    faults = [recovering]

    def step() -> None:
        if faults:
            raise faults.pop()

    patiently(step)
    assert not faults


def test_loop_that_ends_while_a_write_waits_does_not_stop_the_writer(journal: Journal) -> None:
    async def leave() -> None:
        put = asyncio.create_task(journal.put("k", REPLY, run="r", cost=None))
        await asyncio.sleep(0)
        del put

    asyncio.run(leave())
    asyncio.run(asyncio.wait_for(journal.put("l", REPLY, run="r", cost=None), 10))
    assert journal.get("k") == journal.get("l") == REPLY


@pytest.mark.parametrize("content", [b"not a database at all, whatever its name says" * 100, b"\0" * 5000])
def test_damaged_file_is_a_clear_error(path: Path, content: bytes) -> None:
    path.parent.mkdir()
    path.write_bytes(content)
    with pytest.raises(InputError, match="move it away") as caught:
        Journal(path)
    assert str(path) in str(caught.value)


async def test_page_damaged_in_the_middle_is_a_clear_error(journal: Journal, path: Path) -> None:
    for n in range(100):
        await journal.put(f"{n:02}", REPLY.model_copy(update={"text": "x" * 1000}), run="r", cost=None)
    journal.close()
    damage(path)
    with pytest.raises(InputError, match="move it away"):  # noqa: PT012
        again = Journal(path)
        try:
            for n in range(100):
                again.get(f"{n:02}")
        finally:
            again.close()


def damage(path: Path) -> None:
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.seek(size // 4)
        file.write(b"\xff" * (size // 2))


def test_folder_in_the_place_of_the_file_is_a_clear_error(path: Path) -> None:
    path.mkdir(parents=True)
    with pytest.raises(InputError, match=r"journal\.sqlite"):
        Journal(path)


def test_threads_that_open_a_new_journal_together_all_may(path: Path) -> None:
    opened, failed = list[Journal](), list[Exception]()

    def open_one() -> None:
        try:
            opened.append(Journal(path))
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
from pathlib import Path
from ragset.llm.journal import Journal
from ragset.llm.protocol import Completion

async def main(path, name, count):
    journal = Journal(Path(path))
    async def put(number):
        key = f"{name}-{number}"
        await journal.put(key, Completion(text=key, model="m"), run=name, cost=0.5)
        print(key, flush=True)
    for first in range(0, int(count), 8):
        await asyncio.gather(*(put(number) for number in range(first, first + 8)))
    journal.close()

asyncio.run(main(*sys.argv[1:]))
"""


def writer(path: Path, name: str, count: int) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", WRITER, str(path), name, str(count)]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)


def test_killed_process_leaves_every_reply_it_was_told_is_kept(path: Path) -> None:
    with writer(path, "killed", 10**6) as process:
        assert process.stdout
        told = [process.stdout.readline().strip() for _ in range(500)]
        os.kill(process.pid, signal.SIGKILL)
        told += process.stdout.read().split("\n")[:-1]
    journal = Journal(path)
    kept = [journal.get(key) for key in told]
    assert [reply.text if reply else None for reply in kept] == told
    assert journal.spent("killed").calls >= len(told) >= 500
    journal.close()
    with sqlite3.connect(path) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    connection.close()


def test_processes_share_a_journal(path: Path) -> None:
    with writer(path, "one", 400) as one, writer(path, "two", 400) as two:
        assert one.stdout
        assert two.stdout
        assert len(one.stdout.read().split()) == len(two.stdout.read().split()) == 400
    journal = Journal(path)
    assert journal.spent("one") == journal.spent("two") == Spent(400, 0, 200.0)
    assert json.dumps([bool(journal.get(f"two-{n}")) for n in range(400)]) == json.dumps([True] * 400)
    journal.close()
