"""The commands and the fake provider of the service tests, for tests that start an engine of their own."""

from importlib.util import find_spec

import pytest

from tests.integration.conftest import (
    _fake_server,  # pyright: ignore[reportPrivateUsage]
    _interruptible,  # pyright: ignore[reportPrivateUsage]
    command,
    corpus,
    fake,
    forks,
    prefect_api,
    prefect_server,
)

__all__ = ["_fake_server", "_interruptible", "command", "corpus", "fake", "forks", "prefect_api", "prefect_server"]

# Their packages are installed by `make test-engines`; `make test` collects this folder too.
collect_ignore_glob = [] if find_spec("moto") else ["*"]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Sockets that Prefect leaves open are found by whatever test runs when Python looks for garbage."""
    for item in items:
        if item.get_closest_marker("engines"):
            item.add_marker(pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"))
