"""How a command ends: an error that is meant for people becomes one message and an exit code."""

import atexit
import logging
import os
import signal
import sys
from collections.abc import Callable
from typing import NoReturn

from ragset.errors import (
    BudgetSpent,
    EmbeddingError,
    ProviderError,
    RagsetError,
    ServerError,
    Stopped,
    StoreError,
)

DONE, FELL, USAGE, PROVIDER, SHORT, INTERRUPTED = 0, 1, 2, 3, 4, 130
_CODES = {
    Stopped: INTERRUPTED,
    BudgetSpent: SHORT,
    (ProviderError, StoreError, EmbeddingError, ServerError): PROVIDER,
}

_interrupted: list[int] = []
"""The exit code, once the command was interrupted."""


def exit_code(command: Callable[[], int | None], *, json: bool) -> int:
    """Run the command; an error that is meant for people is printed as one message."""
    # A server that takes no log lines is told of by the error that ends the command, not in the middle of other lines.
    logging.raiseExceptions = False
    logging.getLogger("ragset").addHandler(logging.NullHandler())
    logging.getLogger("ragset.llm").addHandler(_OUTAGES)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # as Ctrl-C
    atexit.register(leave_threads)  # before Prefect is imported, so that it runs after all of Prefect's
    try:
        return command() or DONE
    except KeyboardInterrupt:
        _interrupted.append(INTERRUPTED)
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # whoever presses it again does not wait
        return fail("Stopped. What was answered is kept: run the same command to go on.", INTERRUPTED, json=json)
    except RagsetError as error:
        spent = "The budget is spent. Raise it and run the same command to go on from here."
        return fail(spent if isinstance(error, BudgetSpent) else str(error), code_of(error), json=json)


def code_of(error: RagsetError) -> int:
    """The exit code that the error stands for."""
    return next((code for kind, code in _CODES.items() if isinstance(error, kind)), USAGE)


def fail(message: str, code: int, *, json: bool) -> int:
    """Print one error, for a person or for a script; the exit code."""
    from rich.text import Text

    from flows.cli.terminal import errors, print_json

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
    """End the process now, without what is registered for its end."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


class _Outages(logging.Handler):
    """Prints that a provider does not answer while the command goes on."""

    def emit(self, record: logging.LogRecord) -> None:
        from flows.cli.terminal import notice

        notice(record.getMessage())


_OUTAGES = _Outages(logging.WARNING)
