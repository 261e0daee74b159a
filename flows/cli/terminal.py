"""What a person sees while a command runs, and after: progress and tables on stderr, results on stdout."""

import json
import sys
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

from rich.console import Console
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from tasks.run.progress import Progress

errors = Console(stderr=True, highlight=False, markup=False)
"""For progress, notices and errors."""
output = Console(highlight=False, markup=False)
"""For results."""

_PLAIN_EVERY = 5.0
"""Seconds between lines, at least, where there is no terminal to redraw one in."""
_WORDS = {
    "start": "starting",
    "documents": "reading documents",
    "chunks": "cutting into chunks",
    "index": "embedding chunks",
    "fill": "filling Milvus",
    "sample": "sampling",
    "goldens": "making goldens",
    "benchmark": "measuring configurations",
    "approval": "waiting for approval in the Prefect UI",
    "dataset": "writing the dataset",
}


def fail(message: str, *, as_json: bool, code: int) -> int:
    """Print one error, for a person or for a script; the exit code."""
    if as_json:
        print_json({"error": message, "exit_code": code})
    else:
        errors.print(Text("Error: ", style="bold red") + Text(message, style=""), soft_wrap=True)
    return code


def notice(message: str, style: str = "yellow") -> None:
    """Print one line on stderr that is no error."""
    errors.print(Text(message, style=style), soft_wrap=True)


def say(message: str | Text, style: str = "") -> None:
    """Print one line of a result."""
    output.print(message if isinstance(message, Text) else Text(message, style=style), soft_wrap=True)


def table(*left: str, right: tuple[str, ...] = ()) -> Table:
    """A table without lines; the columns on the right hold numbers."""
    made = Table(box=None, pad_edge=False)
    for name in left:
        made.add_column(name, overflow="fold")
    for name in right:
        made.add_column(name, justify="right", no_wrap=True)
    return made


def print_json(value: dict[str, Any]) -> None:
    """One JSON object on stdout."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False, indent=2) + "\n")


@contextmanager
def shown(progress: Progress) -> Generator[None]:
    """Show `progress` while the block runs: redrawn in a terminal, elsewhere a line when something changed."""
    if errors.is_terminal:
        with Live(get_renderable=lambda: _row(progress), console=errors, refresh_per_second=8, transient=True):
            yield
        return
    ended = threading.Event()
    teller = threading.Thread(target=tell, args=(progress, ended), daemon=True)
    teller.start()
    try:
        yield
    finally:
        ended.set()
        teller.join()


def tell(progress: Progress, ended: threading.Event) -> None:
    """Print lines on stderr until the progress is done or has `ended`, at most one in 5 s."""
    told, at = "", -_PLAIN_EVERY
    while True:
        line = " · ".join((_WORDS.get(progress.stage, progress.stage), *_counts(progress)))
        if line != told and time.monotonic() - at >= _PLAIN_EVERY:
            told, at = line, time.monotonic()
            left = progress.seconds_left
            sys.stderr.write(f"{line}{'' if left is None else f' · {duration(left)} left'}\n")
            sys.stderr.flush()
        if ended.wait(0.2) or progress.stage == "done":  # the result says that better
            return


def _row(progress: Progress) -> Table:
    row, left = Table.grid(padding=(0, 1)), progress.seconds_left
    bar = ProgressBar(total=1.0, completed=progress.share, width=24, pulse=not progress.share)
    row.add_row(
        Text(_WORDS.get(progress.stage, progress.stage), style="bold"),
        bar,
        Text(" · ".join(_counts(progress) + ([] if left is None else [f"{duration(left)} left"]))),
    )
    return row


def _counts(progress: Progress) -> list[str]:
    parts: list[str] = []
    if progress.stage == "goldens":
        wanted = f"/{progress.wanted}" if progress.wanted else ""
        parts.append(f"{progress.kept}{wanted} accepted")
        parts.append(f"{progress.rejected} rejected")
        parts.append(f"{progress.done}/{progress.total} chunks")
    elif progress.total:
        parts.append(f"{progress.done:,}/{progress.total:,}")
    if progress.calls_made:
        parts.append(f"{progress.calls_made:,} calls")
        parts.append(money(progress.cost_made))
    return parts


def money(cost: float | None) -> str:
    """US dollars, or that nobody knows."""
    if cost is None:
        return "cost unknown"
    return f"${cost:,.2f}" if cost >= 0.095 or cost == 0 else f"${cost:.4f}"


def duration(seconds: float) -> str:
    """Rounded to what a person cares for."""
    minutes, seconds = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes:02d} min"
    return f"{minutes} min {seconds:02d} s" if minutes else f"{seconds} s"
