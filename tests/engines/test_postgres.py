"""The journal in a real Postgres: the laws of journals, restarts of the server, and errors that keep the password."""

import asyncio
import traceback
from collections.abc import Generator
from pathlib import Path

import numpy as np
import pytest
from prefect.settings import PREFECT_API_URL, temporary_settings
from pydantic import SecretStr

from ragset.errors import InputError
from ragset.llm.journal import Journal
from ragset.retrieval.embedding.stored import EmbeddingStore, StoredEmbedding
from ragset.settings import Budget, ModelSettings
from tasks.run.cleaning import Inventory
from tasks.run.models import Account, asking, connected
from tests.clients import KEY, request_of
from tests.engines.postgres import PASSWORD, Server, postgres
from tests.fake_openai import Fake, fake_openai
from tests.ragset.llm.journal_laws import *  # noqa: F403
from tests.ragset.llm.journal_laws import REPLY
from tests.ragset.llm.test_journaled import *  # noqa: F403
from tests.ragset.retrieval.embedding.test_stored import (
    test_calls_tokens_and_cost_are_spent_on_behalf_of_the_run,  # noqa: F401
    test_many_texts_are_found_again,  # noqa: F401
    test_only_what_is_new_is_asked_for,  # noqa: F401
    test_the_first_embedding_of_a_text_stays,  # noqa: F401
)
from tests.tasks.run.test_cleaning import COFFEE, Bought, environment, index_of, write_corpus

pytestmark = [pytest.mark.engines, pytest.mark.xdist_group("postgres")]
MODEL = ModelSettings(model="test-model", max_concurrency=8)


@pytest.fixture(scope="module")
def server() -> Generator[Server]:
    with postgres() as found:
        yield found


@pytest.fixture
def place(server: Server) -> SecretStr:
    server.run("DROP SCHEMA IF EXISTS ragset CASCADE")
    return server.address()


@pytest.fixture
def journal(place: SecretStr) -> Generator[Journal]:
    found = Journal(place)
    yield found
    found.close()


@pytest.fixture
def fake() -> Generator[Fake]:
    with fake_openai() as found:
        yield found


async def test_a_crash_of_the_server_in_mid_run_loses_nothing(journal: Journal, server: Server) -> None:
    assert await journal.claim("held")

    async def write(worker: int) -> None:
        for number in range(50):
            await journal.put(f"{worker}-{number}", REPLY, run="r", cost=1.0)
            await asyncio.sleep(0.01)

    writing = [asyncio.create_task(write(worker)) for worker in range(8)]
    await asyncio.sleep(0.1)
    await asyncio.to_thread(server.crash)
    await asyncio.sleep(0.3)
    await asyncio.to_thread(server.start)
    await asyncio.wait_for(asyncio.gather(*writing), 60)
    assert journal.spent("r") == (400, 400 * 9, 400.0)
    assert all([await journal.find(f"{worker}-{number}") == REPLY for worker in range(8) for number in range(50)])
    again = Journal(server.address())
    assert not await again.claim("held")
    again.close()


async def test_a_server_that_stays_away_ends_the_run_with_a_clear_error(
    journal: Journal, server: Server, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(journal._database, "_patience", 0.5)  # pyright: ignore[reportPrivateUsage]
    server.crash()
    try:
        puts = (journal.put(str(number), REPLY, run="r", cost=None) for number in range(20))
        outcomes = await asyncio.wait_for(asyncio.gather(*puts, return_exceptions=True), 30)
        assert {type(one) for one in outcomes} == {InputError}
        for ask in (journal.check, lambda: journal.get("k")):
            with pytest.raises(InputError, match=r"RAGSET_JOURNAL: .* cannot be reached .*start the server"):
                ask()
    finally:
        server.start()
    assert "waiting for it" in caplog.text
    assert PASSWORD not in caplog.text + str(outcomes)


@pytest.mark.parametrize(
    ("address", "told"),
    [
        ({"password": "wr0ng"}, "password authentication failed"),
        ({"database": "nowhere"}, '"nowhere" does not exist'),
        ({"password": "wr@ng"}, "is no address of a Postgres"),
        ({"password": "wr/ng"}, "is no address of a Postgres"),
        ({"port": 1}, "refused"),
    ],
)
def test_an_address_that_does_not_lead_to_a_journal_is_a_clear_error(
    server: Server,
    address: dict[str, str],
    told: str,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr("ragset.llm.databases.postgres._OPENING", 0.3)
    with pytest.raises(InputError, match=told) as caught:
        Journal(server.address(**address))  # pyright: ignore[reportArgumentType]
    assert str(caught.value).startswith("RAGSET_JOURNAL: ")
    shown = "".join(traceback.format_exception(caught.value)) + caplog.text
    assert not any(word in shown for word in ("wr0ng", "ng@", "p%40ss", PASSWORD))


def test_tables_of_another_release_are_a_clear_error(server: Server, place: SecretStr) -> None:
    server.run("CREATE SCHEMA ragset; CREATE TABLE ragset.writers (id UUID); CREATE TABLE ragset.replies (reply TEXT)")
    with pytest.raises(InputError, match=r"RAGSET_JOURNAL: .* cannot be read .*of another release"):
        Journal(place)


async def test_the_models_of_a_process_keep_their_replies_there(
    server: Server, place: SecretStr, fake: Fake, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = {"HOME": str(tmp_path), "JOURNAL": place.get_secret_value()}
    for name, value in settings.items():
        monkeypatch.setenv(f"RAGSET_{name}", value)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("OPENAI_BASE_URL", fake.url)
    for _ in range(2):
        with temporary_settings({PREFECT_API_URL: None}):
            async with connected([MODEL], Budget()):
                llm = asking(MODEL, Account(run="run"))
                await asyncio.gather(*(llm.complete(request_of(f"Case {number}")) for number in range(20)))
    assert fake.stats()["answered"] == 20 + 1  # and a small request before
    assert not (tmp_path / "journal.sqlite").exists()


def test_an_index_may_go_once_its_embeddings_are_there(journal: Journal, place: SecretStr, tmp_path: Path) -> None:
    index_of(tmp_path, write_corpus(tmp_path, COFFEE), embedder=Bought())
    env = environment(tmp_path).model_copy(update={"ragset_journal": place})

    def goes() -> list[bool]:
        return [item.goes for item in Inventory(env, days=-1).items if item.kind == "index"]

    assert goes() == [False]
    EmbeddingStore(journal, Bought().identity).put({COFFEE.text: StoredEmbedding(np.ones(8, np.float32), 3)})
    assert goes() == [True]
