"""What stands at the end of the report of a test run."""

import pytest


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
