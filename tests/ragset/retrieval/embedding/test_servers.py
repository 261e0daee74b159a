"""One model name at two servers: what one server answered is never taken for the other's answer."""

from collections.abc import Generator
from pathlib import Path

import pytest

from ragset.llm.endpoint import server_of
from ragset.models import Chunk
from ragset.retrieval.embedding import connect_embedder
from ragset.retrieval.index import Index, build_index
from ragset.retrieval.stores import open_store
from ragset.settings import ChunkingSettings, EmbeddingSettings, Environment
from tests.fake_openai import Fake, fake_openai

CHUNKS = [Chunk(doc_id="a", start=n * 100, end=n * 100 + 8, text=f"tea no {n}") for n in range(9)]


@pytest.fixture(scope="module")
def servers() -> Generator[tuple[Fake, Fake]]:
    with fake_openai(dimensions=8) as one, fake_openai(dimensions=8) as other:
        yield one, other


def built(home: Path, fake: Fake) -> Index:
    env = Environment(_env_file=None, ragset_home=home, openai_base_url=fake.url, milvus_uri=None)  # type: ignore[call-arg]
    with open_store(env) as store:
        return build_index(
            CHUNKS,
            corpus="tea",
            chunking=ChunkingSettings(),
            embedder=connect_embedder(EmbeddingSettings(model="m"), env),
            home=home,
            store=store,
        )


def texts(fake: Fake) -> int:
    return sum(entry["texts"] for entry in fake.log())


def test_each_server_embeds_all_chunks_of_its_own_index(tmp_path: Path, servers: tuple[Fake, Fake]) -> None:
    for server in servers:
        server.reset()
    first, second = (built(tmp_path, server) for server in servers)
    assert [texts(server) for server in servers] == [9, 9]
    assert first.collection != second.collection
    assert first.meta.embedding == second.meta.embedding == "m"


def test_an_address_with_credentials_or_a_slash_at_its_end_is_the_same_server() -> None:
    assert server_of("http://user:pw@host:80/v1/?key=x") == server_of("http://host:80/v1") == "http://host:80/v1"
    assert server_of(None) == "https://api.openai.com/v1"
    assert server_of("http://host/v1") != server_of("http://host/v2")
