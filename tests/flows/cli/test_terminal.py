"""What is printed where there is no terminal."""

import threading

import pytest

from flows.cli import terminal
from tasks.run.progress import Progress


def test_without_a_terminal_a_line_is_printed_when_something_changed_and_not_too_often(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    now = 0.0
    progress = Progress()
    changes = {2.0: ("chunks", 3), 4.8: ("chunks", 5), 6.0: ("chunks", 6), 20.0: ("index", 0), 21.0: ("done", 0)}

    class Clock(threading.Event):
        def wait(self, timeout: float | None = None) -> bool:
            nonlocal now
            now = round(now + 0.2, 1)
            if now in changes:
                progress.stage, progress.done = changes[now]
                progress.total = 9 if progress.stage == "chunks" else 0
            return now > 30

    monkeypatch.setattr("time.monotonic", lambda: now)
    terminal.print_progress(progress, Clock())
    # Of three changes the first at once, at 7 s the last, nothing until 20 s, and then at once.
    assert capsys.readouterr().err.splitlines() == [
        "cutting into chunks · 3 of 9",
        "cutting into chunks · 6 of 9",
        "embedding chunks",
    ]
