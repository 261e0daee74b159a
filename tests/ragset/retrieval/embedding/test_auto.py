from collections.abc import Generator
from socket import socket

import pytest

from ragset.errors import LLMUnavailable
from ragset.retrieval.embedding.auto import embedding_model, settle
from ragset.settings import EmbeddingSettings, Environment
from tests.fake_openai import Fake, fake_openai

AUTO = EmbeddingSettings(dimensions=64)


@pytest.fixture(scope="module")
def server() -> Generator[Fake]:
    with fake_openai() as fake:
        yield fake


@pytest.fixture
def fake(server: Fake) -> Fake:
    server.reset()
    return server


def environment(url: str | None) -> Environment:
    return Environment(_env_file=None, openai_api_key=None, openai_base_url=url)  # type: ignore[arg-type,call-arg]


@pytest.mark.parametrize(
    "name",
    [
        "text-embedding-3-large",
        "text-embedding-ada-002",
        "nomic-embed-text",
        "nomic-embed-text:latest",
        "bge-m3",
        "BAAI/bge-small-en-v1.5",
        "intfloat/multilingual-e5-large",
        "sentence-transformers/all-MiniLM-L6-v2",
        "Qwen/Qwen3-Embedding-0.6B",
        "mistral-embed",
        "gemini-embedding-001",
    ],
)
def test_names_of_embedding_models_are_recognised(name: str) -> None:
    assert embedding_model(["gpt-4.1", name]) == name


@pytest.mark.parametrize(
    "name",
    [
        "gpt-4.1",
        "BAAI/bge-reranker-v2-m3",
        "codestral-embed",
        "llama3:8b",
        "embedded-chat",
        "phi-e5-x",
        "local:/x/embed",
    ],
)
def test_other_models_are_not_taken_for_one(name: str) -> None:
    assert embedding_model([name]) is None


def test_of_several_the_cheap_one_of_openai_or_else_the_first_by_name_is_taken_in_any_order() -> None:
    of_openai = ["text-embedding-3-large", "text-embedding-3-small", "text-embedding-ada-002"]
    assert embedding_model(of_openai) == embedding_model(of_openai[::-1]) == "text-embedding-3-small"
    assert (
        embedding_model(["nomic-embed-text", "bge-m3"]) == embedding_model(["bge-m3", "nomic-embed-text"]) == "bge-m3"
    )


def test_a_run_that_asks_a_model_takes_the_embedding_model_of_its_endpoint(fake: Fake) -> None:
    fake.set(models="writer,nomic-embed-text")
    assert settle(AUTO, ["writer"], environment(fake.url)) == AUTO.model_copy(update={"model": "nomic-embed-text"})
    assert fake.stats()["listed"] == 1


def test_an_endpoint_without_an_embedding_model_leaves_the_offline_one(fake: Fake) -> None:
    fake.set(models="writer")
    assert settle(AUTO, ["writer"], environment(fake.url)).model == "offline"


def test_an_endpoint_without_a_list_is_asked_once_and_counts_as_having_none(fake: Fake) -> None:
    fake.set(models="writer,nomic-embed-text", no_list=True)
    assert settle(AUTO, ["writer"], environment(fake.url)).model == "offline"
    assert fake.stats()["listed"] == 1


def test_rules_alone_ask_no_endpoint(fake: Fake) -> None:
    fake.set(models="writer,nomic-embed-text")
    assert (
        settle(AUTO, ["offline"], environment(fake.url)).model
        == settle(AUTO, [], environment(fake.url)).model
        == "offline"
    )
    assert fake.stats()["listed"] == 0


def test_a_model_that_is_named_is_left_alone(fake: Fake) -> None:
    named = EmbeddingSettings(model="m")
    assert settle(named, ["writer"], environment(fake.url)) == named
    assert fake.stats()["listed"] == 0


def test_without_an_endpoint_the_offline_embedding_is_left() -> None:
    assert settle(AUTO, ["writer"], environment(None)).model == "offline"


def test_an_endpoint_that_does_not_answer_now_is_an_error_and_no_endpoint_without_embeddings() -> None:
    with socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with pytest.raises(LLMUnavailable, match=r"did not list its models .*--embedding"):
        settle(AUTO, ["writer"], environment(f"http://127.0.0.1:{port}/v1"))
