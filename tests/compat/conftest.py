import pytest


@pytest.fixture(scope="session", autouse=True)
def _one_certificate() -> None:
    """Libraries are installed over TLS, which needs all certificates."""
