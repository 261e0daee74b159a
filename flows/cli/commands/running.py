"""A command around a flow: a server for it, its progress shown, errors as one message, an exit code."""

import asyncio
import atexit
import importlib
import logging
import os
import signal
import sys
import threading
from collections.abc import Callable
from functools import partial, wraps
from pathlib import Path
from typing import Any, NoReturn, ParamSpec

from flows.cli.commands.watching import RunWatch, watched
from flows.cli.server import check_server, configured_server, prefect_server
from ragset.errors import (
    BudgetSpent,
    DiskFull,
    EmbeddingError,
    InputError,
    ProviderError,
    RagsetError,
    ServerError,
    Stopped,
    StoreError,
)
from ragset.settings import Environment
from ragset.settings.home import check_home, disk_fault

DONE, FELL, USAGE, PROVIDER, SHORT, INTERRUPTED = 0, 1, 2, 3, 4, 130


def run_flow(name: str, asked: Any, *, json: bool) -> tuple[Any, Any]:
    """The flow's result and what was counted on the way, with a server for it and its progress shown."""
    from flows.cli.terminal import shown
    from tasks.run.progress import watch

    home = Environment().ragset_home
    check_home(home)
    server = prefect_server(home)
    progress = watch()
    with shown(progress):
        # The server starts while the parameters are checked, and Prefect and Milvus are imported.
        from flows.steps.checks import check

        check(asked)
        if server is not None and (approval := getattr(asked, "approval", None)) and approval.on:
            from flows.steps.approval import check_answerable

            check_answerable(asked)
        function = name.replace("-", "_")
        call = getattr(importlib.import_module(f"flows.{function}"), function)
        from prefect.exceptions import CancelledRun, TerminationSignal

        if server is not None:
            _import_slow_libraries()
            server.wait()
        else:
            asyncio.run(check_server())
        run_watch = RunWatch(server, server.url if server else configured_server() or "", home)
        try:
            with watched(run_watch, lambda fault: _end(fault, json=json)):
                result = asyncio.run(call(**dict(asked)))
        except CancelledRun as cancelled:
            raise Stopped(str(cancelled)) from None
        except TerminationSignal:
            raise KeyboardInterrupt from None
        except Exception as error:
            if fault := _fault_behind(error, run_watch, [home, Path(getattr(asked, "out", "") or home)]):
                _end(fault, json=json)
            raise
    for line in progress.notices:
        notice(line)
    return result, progress


def _fault_behind(error: Exception, watch: RunWatch, folders: list[Path]) -> RagsetError | None:
    """What ended the run, where that was its server or a full disk, which have many ways to show; else None."""
    import httpx

    if isinstance(error, DiskFull):
        return error
    if isinstance(error, InputError):
        return None
    if fault := disk_fault(error, folders):
        return fault
    try:
        watch.check()
    except RagsetError as fault:
        return fault
    # All others who speak HTTP have errors of their own.
    if isinstance(error, httpx.TransportError) or (
        isinstance(error, httpx.HTTPStatusError) and error.response.is_server_error
    ):
        return ServerError(
            f"Prefect's server failed ({type(error).__name__}: {str(error).partition(chr(10))[0][:200]}); what was answered is "
            "kept: run the same command to go on"
        )
    return None


_ENDING = threading.Lock()
_ANSWERS = 8.0
"""Seconds that calls under way have for their replies when the process ends."""


def _end(fault: RagsetError, *, json: bool) -> NoReturn:
    """End the process from any thread, once the replies that are on their way are kept.

    Not in order: with its server gone Prefect would try to reach it for minutes, wherever the run is, and at exit once more.
    """
    from tasks.run.models import stop_asking

    with _ENDING:
        stop_asking(fault, _ANSWERS)
        code = _fail(str(fault), json=json, code=PROVIDER if isinstance(fault, ServerError) else USAGE)
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def _import_slow_libraries() -> None:
    """What the run will need in any case, imported while the server starts anyhow."""
    from ragset.retrieval.stores import store_kind
    from ragset.settings import Environment

    store_kind(Environment()).preload()
    importlib.import_module("tiktoken")


P = ParamSpec("P")


def guarded(command: Callable[P, int]) -> Callable[P, int]:
    """Let a command return an exit code for errors that are meant for people, and print them as one message."""

    @wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> int:
        return _guard(partial(command, *args, **kwargs), json=bool(kwargs.get("json")))

    return run


def _guard(command: Callable[[], int], *, json: bool) -> int:
    # A server that takes no log lines is told of by the error that ends the command, not in the middle of other lines.
    logging.raiseExceptions = False
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
    from flows.cli.terminal import fail

    return fail(message, as_json=json, code=code)


def notice(line: str | None) -> None:
    """Print the line, if there is one."""
    if line:
        from flows.cli.terminal import notice

        notice(line)
