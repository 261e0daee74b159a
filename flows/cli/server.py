"""A Prefect server for the length of one command, where none is configured.

It starts while the libraries are being imported, and keeps its database and log in RAGSET_HOME, apart from any other Prefect.
"""

import atexit
import itertools
import os
import shutil
import socket
import sqlite3
import subprocess
import sys
import time
import tomllib
from contextlib import closing, suppress
from importlib.metadata import version
from pathlib import Path
from typing import Any
from urllib.request import ProxyHandler, build_opener

from dotenv import dotenv_values

from flows import ROOT
from flows.deploy.service.secret import ASKED, SENT, new_secret, use_secret
from ragset.errors import InputError, ServerError
from ragset.settings import Environment
from ragset.settings.command_line import command
from ragset.settings.home import check_home, disk_fault
from ragset.settings.lock import hold

START_UP_SECONDS = 120
DATABASE = "prefect.db"


class TemporaryServer:
    """A server process that starts at once; `wait` returns when it answers."""

    def __init__(self, home: Path) -> None:
        self.folder, self._held = _own_folder(home)
        self._log = self.folder / "server.log"
        self._fresh = start_from_template(self.folder / DATABASE)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{port}/api"
        self.secret = new_secret()
        words = f"-m flows.deploy.prefect_server 127.0.0.1 {port} --parent {os.getpid()}".split()
        environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]),
            "PREFECT_HOME": str(self.folder),
            "PREFECT_UI_ENABLED": "0",
            "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
            "PREFECT_SERVER_LOGGING_LEVEL": "ERROR",
            ASKED: self.secret,
            # What Prefect sets for a temporary server of its own: fewer background services.
            "PREFECT__SERVER_EPHEMERAL": "1",
        }
        with self._log.open("w") as log:
            # A session of its own: Ctrl-C reaches the command, which then ends the server in order.
            self._process = subprocess.Popen(  # noqa: S603
                [sys.executable, *words],
                env=environment,
                stdout=log,
                stderr=log,
                stdin=subprocess.DEVNULL,
                start_new_session=True,
                pass_fds=() if sys.platform == "win32" else (self._held,),
            )

    def wait(self) -> None:
        """Return when the server answers."""
        deadline = time.monotonic() + START_UP_SECONDS
        direct = build_opener(ProxyHandler({}))
        while time.monotonic() < deadline:
            if (code := self._process.poll()) is not None:
                said = OSError(self._log.read_text(encoding="utf-8", errors="replace"))
                raise disk_fault(said, [self.folder]) or ServerError(
                    f"Prefect's temporary server ended with code {code} while starting; its log is {self._log}"
                )
            try:
                with direct.open(f"{self.url}/health", timeout=5):
                    if self._fresh:
                        keep_template(self.folder / DATABASE)
                    return
            except OSError:
                time.sleep(0.1)
        raise ServerError(
            f"Prefect's temporary server did not answer within {START_UP_SECONDS} s; is the machine overloaded? Its log "
            f"is {self._log}"
        )

    @property
    def process(self) -> int:
        """The number of its process."""
        return self._process.pid

    @property
    def ended(self) -> bool:
        """Whether its process is gone."""
        return self._process.poll() is not None

    def stop(self) -> None:
        """End the process."""
        self._process.terminate()
        try:
            self._process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        os.close(self._held)


def _template() -> Path:
    """The user's cached empty database for this version of Prefect, which takes seconds to make one."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return cache / "ragset" / f"prefect-{version('prefect')}.db"


def start_from_template(database: Path) -> bool:
    """Copy the template to a new database; True if there is no template yet, so that Prefect has to make one."""
    if database.exists():
        return False
    part = database.with_suffix(".part")  # half a copy, as a full disk leaves, is no database
    try:
        database.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(_template(), part)
        part.replace(database)
    except (OSError, RuntimeError):
        part.unlink(missing_ok=True)
        return True
    return False


def keep_template(database: Path) -> None:
    """Keep a new database, still empty, as the template. A cache that cannot be written is no error."""
    with suppress(OSError, RuntimeError, sqlite3.Error):
        _template().parent.mkdir(parents=True, exist_ok=True)
        part = _template().with_suffix(f".{os.getpid()}")
        with closing(sqlite3.connect(database)) as made, closing(sqlite3.connect(part)) as copy:
            made.backup(copy)
        part.replace(_template())


_own: dict[Path, TemporaryServer] = {}  # by RAGSET_HOME, of this process


def start_early() -> None:
    """Start the server of a command before its parameters are read: importing Prefect takes the server 3 s.

    What is wrong with RAGSET_HOME, the run says.
    """
    home = Environment().ragset_home
    with suppress(InputError):
        check_home(home)
        prefect_server(home)


def prefect_server(home: Path) -> TemporaryServer | None:
    """Point this process at a server: the configured one (None), or a temporary one that ends with the process.

    Call it before Prefect is imported. Prefect then logs to the server, not to the terminal.
    """
    if home in _own:
        return _own[home]
    os.environ.setdefault("PREFECT_LOGGING_HANDLERS_CONSOLE_LEVEL", "CRITICAL")
    # Prefect's threads print that a server is gone, whatever the level of the console.
    os.environ.setdefault("PREFECT_INTERNAL_LOGGING_LEVEL", "CRITICAL")
    os.environ.setdefault("PREFECT_RESULTS_LOCAL_STORAGE_PATH", str((home / "results").resolve()))
    if api := configured_server():
        use_secret(api, home)
        return None
    try:
        server = _own[home] = TemporaryServer(home.resolve())
    except OSError as error:
        raise InputError(f"RAGSET_HOME: {home} cannot be written ({error.strerror}); name another folder") from None
    os.environ.update({"PREFECT_HOME": str(server.folder), "PREFECT_API_URL": server.url, SENT: server.secret})
    # Handlers run last come first: registered before Prefect is imported, this one waits for what Prefect still sends.
    atexit.register(server.stop)
    return server


async def check_server() -> None:
    """Return if the configured server answers, and takes the secret that this process sends."""
    from prefect.client.orchestration import get_client
    from prefect.exceptions import PrefectHTTPStatusError

    async with get_client() as client:
        if error := await client.api_healthcheck():
            raise ServerError(
                f"PREFECT_API_URL: Prefect's server at {client.api_url} does not answer ({type(error).__name__}); start it, or "
                "unset the address, and each command starts one of its own"
            )
        try:
            await client.request("GET", "/admin/version")
        except PrefectHTTPStatusError as answer:
            if answer.response.status_code in {401, 403}:
                raise ServerError(
                    f"{SENT}: Prefect's server at {client.api_url} wants another secret; set it as the server has it (of a "
                    f"service that `{command('serve')}` started, `serve` prints how)"
                ) from None


def configured_server() -> str | None:
    """The address that Prefect would use: of the environment, a file in this folder, or the active profile."""
    if url := os.environ.get("PREFECT_API_URL") or dotenv_values(".env").get("PREFECT_API_URL"):
        return url
    for settings in (_toml("prefect.toml"), _toml("pyproject.toml").get("tool", {}).get("prefect", {})):
        if url := settings.get("api", {}).get("url"):
            return url
    folder = Path(os.environ.get("PREFECT_HOME", "~/.prefect")).expanduser()
    profiles = _toml(folder / "profiles.toml")
    active = os.environ.get("PREFECT_PROFILE") or profiles.get("active", "")
    return profiles.get("profiles", {}).get(active, {}).get("PREFECT_API_URL")


def _toml(path: Path | str) -> dict[str, Any]:
    """The content of the file; empty if it cannot be read, which Prefect reports."""
    try:
        return tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}


def _own_folder(home: Path) -> tuple[Path, int]:
    """A folder for this server alone, as servers cannot share a database, and the open file that holds its lock."""
    for number in itertools.count(1):
        folder = home / ("prefect" if number == 1 else f"prefect-{number}")
        folder.mkdir(parents=True, exist_ok=True)
        if (held := hold(folder / "lock")) is not None:
            return folder, held
    raise AssertionError
