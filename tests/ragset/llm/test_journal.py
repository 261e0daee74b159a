import asyncio
import sqlite3
from pathlib import Path

import pytest

from ragset.errors import InputError
from ragset.llm.databases.sqlite import patiently
from ragset.llm.journal import Journal
from tests.ragset.llm.journal_laws import *  # noqa: F403
from tests.ragset.llm.journal_laws import REPLY


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "home" / "journal.sqlite"


@pytest.fixture
def place(path: Path) -> Path:
    return path


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
