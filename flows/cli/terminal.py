"""Prints for people: progress, notices and errors on stderr, results on stdout."""

import json
import os
import sys
import threading
import time
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import contextmanager
from typing import Any

from rich.console import Console
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from ragset.settings.command_line import Next
from tasks.run.progress import Progress

# Jupyter gives the commands of a notebook a terminal, and prints each step of a line that moves.
_MOVES = False if os.environ.get("JPY_PARENT_PID") else None
errors = Console(stderr=True, highlight=False, markup=False, force_terminal=_MOVES)
output = Console(highlight=False, markup=False, force_terminal=_MOVES)
if not (output.is_terminal or "COLUMNS" in os.environ):
    output.width = 200  # a pipe has none, and names are not to be broken

_PLAIN_EVERY = 5.0  # seconds between lines, at least, where there is no terminal
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
    "review": "waiting for people to judge goldens",
    "dataset": "writing the dataset",
}


def notice(message: str | None, style: str = "yellow") -> None:
    """Print a message, if there is one, on stderr."""
    if message:
        errors.print(Text(message, style=style), soft_wrap=True)


def notice_list(what: str, lines: Sequence[str], rest: str) -> None:
    """Print how many lines there are, if any, and the first twenty on stderr; `rest` says where the others are."""
    if lines:
        notice(f"{len(lines):,} {what}:")
    for line in lines[:20]:
        notice(f"  {line}", "")
    if len(lines) > 20:
        notice(f"  … and {len(lines) - 20:,} more{rest}", "")


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


def print_json(value: Any) -> None:
    """Print a model, or plain data, as one JSON object on stdout."""
    plain = value.model_dump(mode="json") if hasattr(value, "model_dump") else value
    sys.stdout.write(json.dumps(plain, ensure_ascii=False, indent=2) + "\n")


def print_result(value: Any, show: Callable[[], None], *, json: bool, then: Iterable[Next] = ()) -> None:
    """Print a result: as JSON for a script, or as `show` prints it for a person, with the commands to run `then`."""
    if json:
        print_json(value)
        return
    show()
    print_next(then)


def print_next(steps: Iterable[Next]) -> None:
    """Print commands to run next, each under what it is for."""
    for number, step in enumerate(steps):
        if not number:
            say("\nWhat next", "bold")
        say(f"{step.why}:")
        say(f"  {step.command}", "bold")


@contextmanager
def shown(progress: Progress) -> Generator[None]:
    """Show `progress` while the block runs: redrawn in a terminal, elsewhere a line when something changed."""
    if errors.is_terminal:
        with Live(get_renderable=lambda: _row(progress), console=errors, refresh_per_second=8, transient=True):
            yield
        return
    ended = threading.Event()
    printer = threading.Thread(target=print_progress, args=(progress, ended), daemon=True)
    printer.start()
    try:
        yield
    finally:
        ended.set()
        printer.join()


def print_progress(progress: Progress, ended: threading.Event) -> None:
    """Print lines on stderr until the progress is done or `ended` is set, at most one in 5 s."""
    printed, at = _WORDS["start"], -_PLAIN_EVERY  # "starting" has been printed before
    while True:
        line = " · ".join((_WORDS.get(progress.stage, progress.stage), *_counts(progress)))
        if line != printed and time.monotonic() - at >= _PLAIN_EVERY:
            printed, at = line, time.monotonic()
            sys.stderr.write(line + _time_left(progress) + "\n")
            sys.stderr.flush()
        if ended.wait(0.2) or progress.stage == "done":  # the result says that better
            return


def _row(progress: Progress) -> Table:
    row = Table.grid(padding=(0, 1))
    bar = ProgressBar(total=1.0, completed=progress.share, width=24, pulse=not progress.share)
    words = Text(_WORDS.get(progress.stage, progress.stage), style="bold")
    row.add_row(words, bar, Text(" · ".join(_counts(progress)) + _time_left(progress)))
    return row


def _counts(progress: Progress) -> list[str]:
    return [*progress.counts, *([money(progress.cost_made)] if progress.calls_made else [])]


def _time_left(progress: Progress) -> str:
    return "" if progress.seconds_left is None else f" · {duration(progress.seconds_left)} left"


def money(cost: float | None) -> str:
    """US dollars; None is an unknown cost."""
    if cost is None:
        return "cost unknown"
    return f"${cost:,.2f}" if cost >= 0.095 or cost == 0 else f"${cost:.4f}"


def duration(seconds: float) -> str:
    """Hours and minutes, or minutes and seconds."""
    minutes, seconds = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes:02d} min"
    return f"{minutes} min {seconds:02d} s" if minutes else f"{seconds} s"
