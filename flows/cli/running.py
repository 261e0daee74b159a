"""A command around a flow: a server for it, its progress shown, and an end when its server or its disk is gone."""

import asyncio
import importlib
import threading
import time
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from flows.cli.exits import code_of, fail, leave
from flows.cli.server import check_server, configured_server, prefect_server
from flows.cli.terminal import notice, shown
from flows.cli.watching import RunWatch, watched
from ragset.errors import DiskFull, InputError, RagsetError, ServerError, Stopped
from ragset.settings import Environment
from ragset.settings.home import check_home, disk_fault
from tasks.run.progress import Progress, watch

_ENDING = threading.Lock()
_ANSWERS = 8.0
"""Seconds that calls under way have for their replies when the process ends."""


class Run(NamedTuple):
    """A flow that was run by this command."""

    result: Any
    progress: Progress
    seconds: float


def run_flow(name: str, asked: Any, *, json: bool) -> Run:
    """Run the flow, with a server for it and its progress shown."""
    began = time.monotonic()
    home = Environment().ragset_home
    check_home(home)
    server = prefect_server(home)
    progress = watch()
    with shown(progress):
        # The server starts while the parameters are checked, and Prefect and Milvus are imported.
        from flows.steps.checks import check

        check(asked)
        if server and getattr(asked, "approval", None):
            from flows.steps.approval import check_answerable

            check_answerable(asked)
        function = name.replace("-", "_")
        call = getattr(importlib.import_module(f"flows.{function}"), function)
        from prefect.exceptions import CancelledRun, TerminationSignal

        if server:
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
    return Run(result, progress, time.monotonic() - began)


def _fault_behind(error: Exception, run_watch: RunWatch, folders: list[Path]) -> RagsetError | None:
    """What ended the run, where that was its server or a full disk, which have many ways to show; else None."""
    import httpx

    if isinstance(error, InputError):
        return error if isinstance(error, DiskFull) else None
    if fault := disk_fault(error, folders):
        return fault
    try:
        run_watch.check()
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


def _end(fault: RagsetError, *, json: bool) -> NoReturn:
    """End the process from any thread, once the replies that are on their way are kept.

    Not in order: Prefect would try for minutes to reach a server that is gone, wherever the run is, and at exit once more.
    """
    from tasks.run.models import stop_asking

    with _ENDING:
        stop_asking(fault, _ANSWERS)
        leave(fail(str(fault), code_of(fault), json=json))
        raise AssertionError


def _import_slow_libraries() -> None:
    """Import what the run will need in any case while the server starts."""
    from ragset.retrieval.stores import store_kind

    store_kind(Environment()).preload()
    importlib.import_module("tiktoken")
