"""In which order tests come, and what stands at the end of their report."""

import pytest


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Real servers first, their longest files before the others: a worker that gets one last would keep all waiting."""
    longest = ("test_service_in_trouble", "test_service", "test_benchmark", "test_multi_chunk", "test_single_chunk")

    def place(item: pytest.Item) -> tuple[bool, int]:
        name = item.path.stem
        return "integration" not in item.path.parts, longest.index(name) if name in longest else len(longest)

    items.sort(key=place)


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
