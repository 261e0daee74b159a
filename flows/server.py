"""A Prefect server for the length of one command, where none is configured.

Prefect starts one itself, in the foreground and with its log in the user's terminal. This one starts while the
libraries are still being imported, keeps its database and log in ragset's own folder (so that another Prefect on the
machine cannot clash with it), and is gone when the command ends.
"""

import atexit
import os
import socket
import subprocess
import sys
import threading
import time
import tomllib
from pathlib import Path
from urllib.error import URLError
from urllib.request import ProxyHandler, build_opener

from ragset.errors import InputError, RagsetError

START_UP_SECONDS = 120


class TemporaryServer:
    """A server process of our own: started at once, awaited when it is needed."""

    def __init__(self, folder: Path) -> None:
        self._log = folder / "server.log"
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{port}/api"
        command = [sys.executable, "-m", "flows.server", str(port)]
        environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join([str(Path(__file__).parents[1]), os.environ.get("PYTHONPATH", "")]),
            "PREFECT_HOME": str(folder),
            "PREFECT_UI_ENABLED": "0",
            "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
            # What Prefect sets for a temporary server of its own: fewer background services.
            "PREFECT__SERVER_EPHEMERAL": "1",
            "PREFECT__SERVER_FINAL": "1",
        }
        with self._log.open("w") as log:
            # A session of its own: Ctrl-C reaches the command, which then ends the server in order.
            self._process = subprocess.Popen(  # noqa: S603
                command,
                env=environment,
                stdout=log,
                stderr=log,
                stdin=subprocess.DEVNULL,
                start_new_session=True,
            )

    def wait(self) -> None:
        """Return when the server answers.

        Raises:
            RagsetError: it ended, or did not answer in time; the message names its log.
        """
        deadline = time.monotonic() + START_UP_SECONDS
        direct = build_opener(ProxyHandler({}))
        while time.monotonic() < deadline and self._process.poll() is None:
            try:
                with direct.open(f"{self.url}/health", timeout=5):
                    return
            except (URLError, OSError):
                time.sleep(0.1)
        raise RagsetError(f"Prefect's temporary server did not start; its log is {self._log}")

    def stop(self) -> None:
        """End the process; nothing of it is left."""
        self._process.terminate()
        try:
            self._process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def prefect_server(home: Path) -> TemporaryServer | None:
    """Point this process at a server: the configured one (None), or a temporary one that ends with the process.

    To be called before Prefect is imported. What Prefect logs goes to the server; the terminal belongs to the command.
    """
    os.environ.setdefault("PREFECT_LOGGING_HANDLERS_CONSOLE_LEVEL", "CRITICAL")
    os.environ.setdefault("PREFECT_RESULTS_LOCAL_STORAGE_PATH", str((home / "results").resolve()))
    if configured_server():
        return None
    folder = (home / "prefect").resolve()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"RAGSET_HOME: {home} cannot be written ({error.strerror}); name another folder") from None
    server = TemporaryServer(folder)
    os.environ["PREFECT_HOME"] = str(folder)
    os.environ["PREFECT_API_URL"] = server.url
    # Handlers run last come first: registered before Prefect is imported, this one waits for what Prefect still sends.
    atexit.register(server.stop)
    return server


def configured_server() -> str | None:
    """The address of the server that the environment or Prefect's active profile names."""
    if url := os.environ.get("PREFECT_API_URL"):
        return url
    folder = Path(os.environ.get("PREFECT_HOME", "~/.prefect")).expanduser()
    try:
        profiles = tomllib.loads((folder / "profiles.toml").read_text())
    except (OSError, ValueError):
        return None
    active = os.environ.get("PREFECT_PROFILE") or profiles.get("active", "")
    return profiles.get("profiles", {}).get(active, {}).get("PREFECT_API_URL")


def serve(port: int) -> None:
    """Serve until told to stop, or until the process that asked for it is gone, however it went."""
    import uvicorn

    parent = os.getppid()

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(0.5)
        os._exit(0)

    threading.Thread(target=watch, daemon=True).start()
    app = "prefect.server.api.server:create_app"
    uvicorn.run(app, factory=True, host="127.0.0.1", port=port, log_level="error", lifespan="on")


if __name__ == "__main__":
    serve(int(sys.argv[1]))
