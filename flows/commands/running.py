"""A command around a flow: a server for it, its progress shown, errors as one message, an exit code."""

import asyncio
import atexit
import importlib
import logging
import os
import signal
import sys
from collections.abc import Callable, Coroutine
from typing import Any

from flows.server import check_server, prefect_server
from ragset.errors import (
    BudgetSpent,
    EmbeddingError,
    ProviderError,
    RagsetError,
    ServerError,
    Stopped,
    StoreError,
)
from ragset.settings import Environment

DONE, FELL, USAGE, PROVIDER, SHORT, INTERRUPTED = 0, 1, 2, 3, 4, 130


def flow_named(name: str) -> Callable[..., Coroutine[Any, Any, Any]]:
    """Imported late: Prefect takes seconds."""
    function = name.replace("-", "_")
    return getattr(importlib.import_module(f"flows.{function}"), function)


def checks() -> Any:
    """Imported late, as all that only a run needs."""
    from flows import checks

    return checks


def run_flow(
    flow: Callable[[], Callable[..., Coroutine[Any, Any, Any]]], asked: Any, check: Callable[[], None]
) -> tuple[Any, Any]:
    """The flow's result and what was counted on the way, with a server for it and its progress shown."""
    server = prefect_server(Environment().ragset_home)
    # The server starts while the parameters are checked, and Prefect and Milvus are imported.
    check()
    if server is not None and (approval := getattr(asked, "approval", None)) and approval.on:
        from flows.approving import check_answerable

        check_answerable(asked)
    call = flow()
    from prefect.exceptions import CancelledRun, TerminationSignal

    from flows.terminal import shown
    from tasks.progress import watch

    progress = watch()
    fields = {name: getattr(asked, name) for name in type(asked).model_fields}
    with shown(progress):
        if server is not None:
            _import_slow_libraries()
            server.wait()
        else:
            asyncio.run(check_server())
        try:
            result = asyncio.run(call(**fields))
        except CancelledRun as cancelled:
            raise Stopped(str(cancelled)) from None
        except TerminationSignal:
            raise KeyboardInterrupt from None
    for line in progress.notices:
        notice(line)
    return result, progress


def _import_slow_libraries() -> None:
    """What the run will need in any case, imported while the server starts anyhow."""
    from ragset.connection import load_pymilvus

    load_pymilvus()
    importlib.import_module("tiktoken")


def guarded(command: Callable[[], int], *, json: bool) -> int:
    """The command's exit code; errors that are meant for people as one message, anything else as it is."""
    logging.getLogger("ragset").addHandler(logging.NullHandler())
    logging.getLogger("ragset.llm").addHandler(_SPOKEN)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # as Ctrl-C
    atexit.register(_leave_threads)  # before Prefect is imported, so that it runs after all of Prefect's
    try:
        return command()
    except KeyboardInterrupt:
        _interrupted.append(INTERRUPTED)
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # whoever presses it again does not wait
        return _fail("Stopped. What was answered is kept: run the same command to go on.", json=json, code=INTERRUPTED)
    except Stopped as error:
        return _fail(str(error), json=json, code=INTERRUPTED)
    except BudgetSpent:
        return _fail(
            "The budget is spent. Raise it and run the same command to go on from here.", json=json, code=SHORT
        )
    except (ProviderError, StoreError, EmbeddingError, ServerError) as error:
        return _fail(str(error), json=json, code=PROVIDER)
    except RagsetError as error:
        return _fail(str(error), json=json, code=USAGE)


_interrupted: list[int] = []
"""The exit code, once the command was interrupted."""


def _leave_threads() -> None:
    """End an interrupted process at once: Python would wait seconds for threads that are in a library's C code."""
    if _interrupted:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(_interrupted[0])


class _Spoken(logging.Handler):
    """Prints what a person should know while it goes on: that a provider is silent."""

    def emit(self, record: logging.LogRecord) -> None:
        notice(record.getMessage())


_SPOKEN = _Spoken(logging.WARNING)


def _fail(message: str, *, json: bool, code: int) -> int:
    from flows.terminal import fail

    return fail(message, as_json=json, code=code)


def notice(line: str | None) -> None:
    """Print the line, if there is one."""
    if line:
        from flows.terminal import notice

        notice(line)
