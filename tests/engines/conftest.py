"""The commands and the fake provider of the service tests, for tests that start an engine of their own."""

from importlib.util import find_spec

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
