"""Ends commands: an error that is meant for people becomes one message and an exit code."""

import atexit
import logging
import os
import signal
import sys
from collections.abc import Callable
from typing import NoReturn

from ragset.errors import (
    BatchPending,
    BudgetSpent,
    EmbeddingError,
    ProviderError,
    RagsetError,
    ServerError,
    Stopped,
    StorageUnavailable,
    StoreError,
    WorkerLost,
)

DONE, FELL, USAGE, PROVIDER, SHORT, LATER, INTERRUPTED = 0, 1, 2, 3, 4, 5, 130
_CODES = {
    Stopped: INTERRUPTED,
    BatchPending: LATER,
    BudgetSpent: SHORT,
    (ProviderError, StoreError, EmbeddingError, ServerError, StorageUnavailable, WorkerLost): PROVIDER,
}
_interrupted: list[int] = []  # the exit code, once the command was interrupted


def exit_code(command: Callable[[], int | None], *, json: bool) -> int:
    """Run the command, print an error that is meant for people as one message, and return the exit code."""
    # The error that ends the command names a server that takes no log lines; it is not to come between other lines.
    logging.raiseExceptions = False
    logging.getLogger("ragset").addHandler(logging.NullHandler())
    logging.getLogger("ragset.llm").addHandler(_OUTAGES)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # as Ctrl-C
    atexit.register(leave_threads)  # before Prefect is imported, so that it runs after all of Prefect's
    try:
        code = command() or DONE
        if copies := sys.modules.get("ragset.storage.copies"):
            copies.send_changes()  # such as judgements of people
        return code
    except KeyboardInterrupt:
        _interrupted.append(INTERRUPTED)
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # a second Ctrl-C ends the process at once
        return fail("Stopped. What was answered is kept: run the same command to go on.", INTERRUPTED, json=json)
    except RagsetError as error:
        spent = "The budget is spent. Raise it and run the same command to go on from here."
        return fail(spent if isinstance(error, BudgetSpent) else str(error), code_of(error), json=json)


def code_of(error: RagsetError) -> int:
    """The exit code for the error."""
    return next((code for kind, code in _CODES.items() if isinstance(error, kind)), USAGE)


def fail(message: str, code: int, *, json: bool) -> int:
    """Print one error, for a person or for a script, and return the exit code."""
    from rich.text import Text

    from flows.cli.terminal import errors, print_json
    from ragset.storage import with_addresses

    message = with_addresses(message)
    if json:
        print_json({"error": message, "exit_code": code})
    else:
        errors.print(Text("Error: ", style="bold red") + Text(message, style=""), soft_wrap=True)
    return code


def leave_threads() -> None:
    """End an interrupted process at once: Python would wait seconds for threads that are in a library's C code."""
    if _interrupted:
        leave(_interrupted[0])


def leave(code: int) -> NoReturn:
    """End the process now, without its atexit handlers."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


class _Outages(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        from flows.cli.terminal import notice

        notice(record.getMessage())


_OUTAGES = _Outages(logging.WARNING)
