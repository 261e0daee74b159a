from collections.abc import Generator

import pytest

from tests.otlp_receiver import Receiver, receiving, tracing


@pytest.fixture
def receiver(monkeypatch: pytest.MonkeyPatch) -> Generator[Receiver]:
    """A server of traces, to which this process sends its spans."""
    with receiving() as found, tracing(monkeypatch, found.url):
        yield found
