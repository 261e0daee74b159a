"""The models of a process: nothing is asked that could not be kept."""

import asyncio
import sqlite3
from collections.abc import Generator
from pathlib import Path

import pytest
from prefect.settings import PREFECT_API_URL, temporary_settings

from ragset.errors import DiskFull, ServerError
from ragset.llm.databases.sqlite import Sqlite
from ragset.llm.journal import Journal
from ragset.settings import Budget, ModelSettings
from tasks.run.models import Account, asking, connected, stop_asking
from tests.clients import KEY, request_of
from tests.fake_openai import Fake, fake_openai

MODEL = ModelSettings(model="test-model", max_concurrency=8)


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Generator[Fake]:
    monkeypatch.setenv("RAGSET_HOME", str(tmp_path))
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with fake_openai(latency=0.05) as server, temporary_settings({PREFECT_API_URL: None}):
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        yield server


async def test_the_first_reply_that_cannot_be_kept_ends_all_asking(
    fake: Fake, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    connect = Sqlite._connect  # pyright: ignore[reportPrivateUsage]

    def limited(database: Sqlite) -> sqlite3.Connection:
        connection = connect(database)
        connection.execute("PRAGMA main.max_page_count = 12")  # what SQLite refuses then it refuses on a full disk
        return connection

    monkeypatch.setattr(Sqlite, "_connect", limited)
    async with connected([MODEL], Budget()):
        llm = asking(MODEL, Account(run="run"))
        calls = (llm.complete(request_of(f"Case {number}" + "." * 2000)) for number in range(200))
        outcomes = await asyncio.gather(*calls, return_exceptions=True)
    refused = [one for one in outcomes if isinstance(one, BaseException)]
    assert {type(one) for one in refused} == {DiskFull}
    assert str(tmp_path) in str(refused[0])
    kept = len(outcomes) - len(refused)
    # eight calls were under way when the first write failed, and the replies of eight more were being written
    assert 0 < kept < fake.stats()["answered"] <= kept + 16 + 1


async def test_what_is_under_way_when_a_process_has_to_end_is_kept_and_nothing_else_is_asked(
    fake: Fake, tmp_path: Path
) -> None:
    fake.set(latency=0.5)
    async with connected([MODEL], Budget()):
        llm = asking(MODEL, Account(run="run"))
        calls = [asyncio.create_task(llm.complete(request_of(f"Case {number}"))) for number in range(20)]
        await asyncio.sleep(0.2)
        await asyncio.to_thread(stop_asking, ServerError("gone"), 20)
        outcomes = await asyncio.gather(*calls, return_exceptions=True)
    assert sum(isinstance(one, ServerError) for one in outcomes) == 12
    journal = Journal(tmp_path / "journal.sqlite")
    assert journal.spent("run").calls == 8
    assert fake.stats()["answered"] == 8 + 1  # and a small request before
    journal.close()
