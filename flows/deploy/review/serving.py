"""The review page of one folder on its own: `python -m flows review FOLDER`."""

import socket
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import uvicorn

from flows.deploy.prefect_server.guard import Guard, known_hosts
from flows.deploy.review.app import review_app
from flows.deploy.review.session import Sessions
from flows.deploy.service.secret import read_secret
from ragset.errors import InputError
from ragset.settings import Environment


def sessions_of(home: Path) -> Sessions:
    """With leases in a file of `home`."""
    return Sessions(home / "review" / "leases.sqlite")


def token_of(home: Path) -> str:
    """The token of links to reviews; made if there is none, and readable by this user alone."""
    (home / "review").mkdir(mode=0o700, parents=True, exist_ok=True)
    return read_secret(home / "review")


def serve_review(folder: Path, host: str, port: int, say: Callable[[str], None]) -> None:
    """Serve until the process is told to stop; `say` gets the link when the page can be opened.

    Raises:
        InputError: the folder holds nothing to review, or the port cannot be had.
    """
    home = Environment().ragset_home.resolve()
    token, sessions = token_of(home), sessions_of(home)
    sessions.of(folder)
    app = review_app(lambda name: None if name else folder, sessions, token)
    with socket.socket() as listening:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((host, port))
            listening.listen()  # whoever opens the link before the server is ready waits for it
        except OSError as error:
            raise InputError(
                f"--host, --port: {host}:{port} cannot be had ({error.strerror}); choose another"
            ) from None
        config = uvicorn.Config(Guard(app, known_hosts() | {host.lower()}), log_level="warning")
        say(f"http://{host}:{port}/#{token}")
        # It ends in order at Ctrl-C and at SIGTERM, and then raises what the signal means.
        with suppress(KeyboardInterrupt):
            uvicorn.Server(config).run(sockets=[listening])
