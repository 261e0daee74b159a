from collections.abc import Generator

import pytest

from tests.fake_openai import Fake, fake_openai


@pytest.fixture(scope="session")
def _server() -> Generator[Fake]:
    with fake_openai() as server:
        yield server


@pytest.fixture
def fake(_server: Fake) -> Fake:
    """A fake OpenAI server that has seen nothing yet."""
    _server.reset()
    return _server


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Back off for hundredths of seconds."""
    monkeypatch.setattr("ragset.llm.client._LONGEST_BACKOFF", 0.02)
