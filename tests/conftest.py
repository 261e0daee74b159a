"""How many examples a property test draws, the order of tests, what they share, and what ends their report."""

import os
from collections.abc import Generator

import certifi
import pytest
from hypothesis import settings

from tests.chromium import browser, open_alone, shown

__all__ = ["browser", "open_alone", "shown"]

# RAGSET_EXAMPLES=500 looks longer for a counterexample; a busy machine is no reason to fail.
settings.register_profile("ragset", max_examples=int(os.environ.get("RAGSET_EXAMPLES", "30")), deadline=None)
settings.load_profile("ragset")


@pytest.fixture(scope="session", autouse=True)
def _one_certificate(tmp_path_factory: pytest.TempPathFactory) -> Generator[None]:
    """Each HTTP client reads all certificates, some hundred; one is enough where nothing is asked over TLS."""
    end = "-----END CERTIFICATE-----\n"
    file = tmp_path_factory.mktemp("certificates") / "one.pem"
    file.write_text(certifi.contents().partition(end)[0] + end)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SSL_CERT_FILE", str(file))
        yield


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """All in tests/integration are service tests, the longest files first: a worker that gets one last would keep all waiting.

    A worker gets whole files, and with the first that needs the service all others that need it, for it takes long to start.
    """
    longest = ("test_service", "test_benchmark", "test_multi_chunk", "test_single_chunk")

    def place(item: pytest.Item) -> tuple[bool, int]:
        name = "test_service" if "service" in getattr(item, "fixturenames", ()) else item.path.stem
        return "integration" not in item.path.parts, longest.index(name) if name in longest else len(longest)

    items.sort(key=place)
    for item in items:
        if "integration" in item.path.parts:
            item.add_marker("service")
        together = "service" if "service" in getattr(item, "fixturenames", ()) else item.nodeid.partition("::")[0]
        item.add_marker(pytest.mark.xdist_group(together))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Figures that tests have measured, whether they passed or not."""
    figures = {
        f"{name}: {value}"
        for outcome in ("passed", "failed")
        for report in terminalreporter.getreports(outcome)
        for name, value in report.user_properties
        if name.startswith(("conjoined queries", "repeated queries"))
    }
    if figures:
        terminalreporter.section("figures")
    for figure in sorted(figures):
        terminalreporter.write_line(figure)
