"""Runs a flow for a command, with a server for it and its progress shown, and ends it when its server or its disk is gone.

Prefect tries for minutes to reach a server that is gone, and prints tracebacks at its end. So a thread watches the server and
the disk, and ends the process once its replies are kept. It may do so at any moment: a killed run loses nothing else.
"""

import asyncio
import importlib
import socket
import threading
import time
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, NoReturn
from urllib.parse import urlsplit

from flows.cli.exits import code_of, fail, leave
from flows.cli.server import TemporaryServer, check_server, configured_server, prefect_server
from flows.cli.terminal import notice, shown
from ragset.errors import DiskFull, InputError, RagsetError, ServerError, Stopped
from ragset.settings import Environment
from ragset.settings.home import NEXT_TO_NOTHING, check_home, check_room, disk_fault
from tasks.run.progress import Progress, watch

_KEPT = "what was answered is kept"
_PATIENCE = 8.0
"""Seconds without a connection until a server that is not the command's own counts as gone: it may be started again."""
_ENDING = threading.Lock()


class Run(NamedTuple):
    """A flow that was run by this command."""

    result: Any
    progress: Progress
    seconds: float
    asked: Any = None
    """Its parameters, as they were given."""


def run_with(flow: str, config: Path | None, given: Mapping[str, Any], *, json: bool) -> Run:
    """Run the flow with the parameters of a file, overridden by those `given`."""
    from flows.parameters.reading import read_parameters
    from flows.parameters.table import FLOWS

    asked = read_parameters(FLOWS[flow], config, given)
    return run_flow(flow, asked, json=json)._replace(asked=asked)


def run_flow(name: str, asked: Any, *, json: bool) -> Run:
    """Run the flow, with a server for it and its progress shown."""
    began = time.monotonic()
    home = Environment().ragset_home
    check_home(home)
    server = prefect_server(home)
    progress = watch()
    with shown(progress):
        # The server starts while the parameters are checked, and Prefect and Milvus are imported.
        from flows.parameters.embeddings import with_embedding
        from flows.parameters.places import with_copies
        from flows.steps.checks import check

        asked = with_embedding(asked)
        check(with_copies(asked))
        if server and getattr(asked, "approval", None):
            from flows.steps.approval import check_answerable

            check_answerable(asked)
        function = name.replace("-", "_")
        call = getattr(importlib.import_module(f"flows.{function}"), function)
        from prefect.exceptions import CancelledRun, TerminationSignal

        from ragset.retrieval.stores import store_kind

        if server:
            # Imported while the server starts, as the run will need them in any case.
            store_kind(Environment()).preload()
            importlib.import_module("tiktoken")
            server.wait()
        else:
            asyncio.run(check_server())
        needs = _Needs(server, home)
        try:
            with needs.watched(lambda fault: _end(fault, json=json)):
                result = asyncio.run(call(**dict(asked)))
        except CancelledRun as cancelled:
            raise Stopped(str(cancelled)) from None
        except TerminationSignal:
            raise KeyboardInterrupt from None
        except Exception as error:
            if fault := _fault_behind(error, needs, [home, Path(getattr(asked, "out", "") or home)]):
                _end(fault, json=json)
            raise
    for line in progress.notices:
        notice(line)
    return Run(result, progress, time.monotonic() - began)


class _Needs:
    """What a run cannot do without: Prefect's server, and room on the disk."""

    def __init__(self, server: TemporaryServer | None, home: Path) -> None:
        self._server, self._home = server, home
        self._url = configured_server() or ""
        self._reached = time.monotonic()
        self._watched = server is None and self._connects()  # else it is reached through a proxy

    def check(self) -> None:
        """Return if the run can go on."""
        check_room(self._home, NEXT_TO_NOTHING)
        if self._server and self._server.ended:
            raise ServerError(
                f"Prefect's server, which this command had started, is gone; {_KEPT}: run the same command to go on"
            )
        if self._watched and self._connects():
            self._reached = time.monotonic()
        elif self._watched and time.monotonic() - self._reached > _PATIENCE:
            raise ServerError(
                f"PREFECT_API_URL: Prefect's server at {self._url} is gone; {_KEPT}: start the server, or unset the address, "
                "and run the same command to go on"
            )

    def _connects(self) -> bool:
        """Whether the server takes connections; a busy one takes them too, and answers late."""
        parts = urlsplit(self._url)
        address = (parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80))
        try:
            with socket.create_connection(address, timeout=2.0):
                return True
        except OSError:
            return False

    @contextmanager
    def watched(self, end: Callable[[RagsetError], None]) -> Generator[None]:
        """Check while the block runs, and call `end` from another thread if the run cannot go on."""
        over = threading.Event()

        def look() -> None:
            while not over.wait(0.5):
                try:
                    self.check()
                except RagsetError as error:
                    end(error)
                    return

        threading.Thread(target=look, name="watch", daemon=True).start()
        try:
            yield
        finally:
            over.set()


def _fault_behind(error: Exception, needs: _Needs, folders: list[Path]) -> RagsetError | None:
    """The fault behind the error if the server or a full disk caused it, which many errors can show; else None."""
    import httpx

    if isinstance(error, InputError):
        return error if isinstance(error, DiskFull) else None
    if fault := disk_fault(error, folders):
        return fault
    try:
        needs.check()
    except RagsetError as fault:
        return fault
    # Other HTTP clients raise errors of their own.
    if isinstance(error, httpx.TransportError) or (
        isinstance(error, httpx.HTTPStatusError) and error.response.is_server_error
    ):
        said = str(error).partition("\n")[0][:200]
        return ServerError(
            f"Prefect's server failed ({type(error).__name__}: {said}); {_KEPT}: run the same command to go on"
        )
    return None


def _end(fault: RagsetError, *, json: bool) -> NoReturn:
    """End the process from any thread, once the replies to calls under way are kept."""
    from tasks.run.models import stop_asking

    with _ENDING:
        stop_asking(fault, 8.0)  # seconds for the replies to calls under way
        leave(fail(str(fault), code_of(fault), json=json))
