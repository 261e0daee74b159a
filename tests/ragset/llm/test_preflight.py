from pathlib import Path

import pytest

from ragset.errors import CaseRefused, InputError, ProviderRefused
from ragset.llm.client import OpenAIClient
from ragset.llm.journal import Journal
from ragset.llm.preflight import preflight
from ragset.llm.request_format import RequestFormat
from ragset.settings import ModelSettings
from tests.clients import client_of, environment, request_of
from tests.fake_openai import Fake


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    return Journal(tmp_path / "journal.sqlite")


@pytest.mark.parametrize("key", [None, "", "  "])
def test_neither_key_nor_address_says_what_to_set(key: str | None) -> None:
    with pytest.raises(InputError, match=r"OPENAI_API_KEY.*OPENAI_BASE_URL.*offline"):
        OpenAIClient(ModelSettings(model="m"), environment(None, key))


def test_key_that_no_header_can_carry_is_refused_without_showing_it() -> None:
    with pytest.raises(InputError, match="OPENAI_API_KEY") as caught:
        OpenAIClient(ModelSettings(model="m"), environment(None, "sk-ключ\nand more"))
    assert "ключ" not in str(caught.value)


@pytest.mark.parametrize("url", ["localhost:8000/v1", "ftp://host/v1", "http://", "http://host:port/v1"])
def test_address_that_is_none_is_refused(url: str) -> None:
    with pytest.raises(InputError, match="OPENAI_BASE_URL"):
        OpenAIClient(ModelSettings(model="m"), environment(url))


async def test_server_of_ones_own_needs_no_key(fake: Fake) -> None:
    async with client_of(fake, key=None) as client:
        await client.complete(request_of())


async def test_key_is_sent_without_the_white_space_around_it(fake: Fake) -> None:
    fake.set(key="sk-right")
    async with client_of(fake, key=" sk-right\n") as client:
        await client.complete(request_of())


async def test_first_preflight_is_one_call_and_the_next_none(fake: Fake, journal: Journal) -> None:
    fake.set(no_json_schema=True, unsupported="max_tokens")
    async with client_of(fake) as client:
        await preflight(client, journal)
    assert [entry["status"] for entry in fake.log()] == [400, 400, 200]
    async with client_of(fake) as client:
        await preflight(client, journal)
        assert client.form == RequestFormat("json_object", frozenset({"max_tokens"}))
        await client.complete(request_of())
    assert [entry["status"] for entry in fake.log()] == [400, 400, 200, 200]
    journal.close()


async def test_failed_preflight_is_made_again(fake: Fake, journal: Journal) -> None:
    fake.set(key="sk-right")
    async with client_of(fake, key="sk-wrong") as client:
        with pytest.raises(ProviderRefused, match="OPENAI_API_KEY"):
            await preflight(client, journal)
    async with client_of(fake, key="sk-right") as client:
        await preflight(client, journal)
    assert [entry["status"] for entry in fake.log()] == [401, 200]
    journal.close()


async def test_preflight_of_another_model_is_another_one(fake: Fake, journal: Journal) -> None:
    for model in ("one", "two"):
        async with client_of(fake, model=model) as client:
            await preflight(client, journal)
    assert [entry["model"] for entry in fake.log()] == ["one", "two"]
    journal.close()


async def test_preflight_refused_as_a_case_is_a_refusal_of_the_provider(fake: Fake, journal: Journal) -> None:
    fake.set(status=400, body='{"error": {"message": "blocked by the safety system"}}')
    async with client_of(fake) as client:
        with pytest.raises(ProviderRefused, match=r"refuses test-model even a small request.*safety"):
            await preflight(client, journal)
    journal.close()


async def test_case_refused_in_unknown_words_does_not_stop_a_run_that_is_taken_up(fake: Fake, journal: Journal) -> None:
    async with client_of(fake) as client:
        await preflight(client, journal)
    fake.set(too_long=1000)
    async with client_of(fake) as client:
        await preflight(client, journal)
        with pytest.raises(CaseRefused):
            await client.complete(request_of("tea " * 1000))
    journal.close()


@pytest.mark.parametrize("text", ["", "yaml", "json_schema -nonsense", "text  -temperature"])
def test_remembered_form_that_is_none_is_forgotten(text: str) -> None:
    assert RequestFormat.parse(text) is None


def test_form_survives_being_written_down() -> None:
    form = RequestFormat("json_object", frozenset({"temperature", "max_tokens"}))
    assert RequestFormat.parse(str(form)) == form
