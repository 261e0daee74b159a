"""A watch over what a run cannot do without: Prefect's server, and room on the disk.

Prefect tries for minutes to reach a server that is gone, and prints tracebacks at its end. So a run whose server is gone is
ended from another thread, once its replies are kept; any moment will do, since a run that is killed loses nothing else.
"""

import socket
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from flows.cli.server import TemporaryServer
from ragset.errors import RagsetError, ServerError
from ragset.settings.home import NEXT_TO_NOTHING, check_room

_EVERY = 0.5
"""Seconds between two looks."""
_PATIENCE = 8.0
"""Seconds without a connection until a server that is not the command's own is gone: it may be started again."""


class RunWatch:
    """Knows what has happened to the server and the disk of a run."""

    def __init__(self, server: TemporaryServer | None, url: str, home: Path) -> None:
        self._server, self._url, self._home = server, url, home
        self._reached = time.monotonic()
        self._watched = server is None and self._connects()  # else it is reached through a proxy

    def check(self) -> None:
        """Return if the run can go on.

        Raises:
            ServerError: Prefect's server is gone.
            DiskFull: nothing can be kept any more.
        """
        check_room(self._home, NEXT_TO_NOTHING)
        if self._server and self._server.ended:
            raise ServerError(
                "Prefect's server, which this command had started, is gone; what was answered is kept: run the same command "
                "to go on"
            )
        if self._watched and self._connects():
            self._reached = time.monotonic()
        elif self._watched and time.monotonic() - self._reached > _PATIENCE:
            raise ServerError(
                f"PREFECT_API_URL: Prefect's server at {self._url} is gone; what was answered is kept: start the server, or "
                "unset the address, and run the same command to go on"
            )

    def _connects(self) -> bool:
        """Whether it takes connections; a busy one takes them too, and answers late."""
        parts = urlsplit(self._url)
        address = (parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80))
        try:
            with socket.create_connection(address, timeout=2.0):
                return True
        except OSError:
            return False


@contextmanager
def watched(watch: RunWatch, end: Callable[[RagsetError], None]) -> Generator[None]:
    """Look after the run in the block, and call `end` from another thread where it cannot go on."""
    over = threading.Event()

    def look() -> None:
        while not over.wait(_EVERY):
            try:
                watch.check()
            except RagsetError as error:
                end(error)
                return

    threading.Thread(target=look, name="watch", daemon=True).start()
    try:
        yield
    finally:
        over.set()
