"""The service as a user starts it, and its runs as the UI starts them: over Prefect's API."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx

from flows.deploy.service.parts import is_free
from flows.deploy.service.processes import members
from flows.deploy.service.secret import read_secret
from tests.integration.forks import ForkServer

ROOT = Path(__file__).parents[2]
FINAL = {"COMPLETED", "FAILED", "CRASHED", "CANCELLED"}
ERROR = 40
HEARTBEAT = 2  # seconds
POOL = "ragset"
OTHERS = ("OPENAI_", "RAGSET_", "PREFECT_", "MILVUS_")


class Service:
    """One that runs on free ports of loopback, with a home of its own.

    Its commands and its runs are forks (`forks.py`), but for its start and the runs in a block of `real_runs`.
    """

    def __init__(self, folder: Path, openai: str, forks: ForkServer | None) -> None:
        self.home, self.out = folder / "home", folder / "out"
        self.folder = self.home.resolve() / "service"
        self.port = first_of_free_ports(3)
        ports = range(self.port, self.port + 3)
        self.ui, self.reports, self.milvus = (f"http://127.0.0.1:{port}" for port in ports)
        self.api = f"{self.ui}/api"
        inherited = {name: value for name, value in os.environ.items() if not name.startswith(OTHERS)}
        self.env = {
            **inherited,
            "RAGSET_HOME": str(self.home),
            "RAGSET_REPORTS": str(self.out),
            # Of the project, and of all tests' folders.
            "RAGSET_ROOTS": f"{ROOT},{folder.parent}",
            "OPENAI_BASE_URL": openai,
            "PREFECT_WORKER_QUERY_SECONDS": "1",
            # A worker then looks how runs are to be started.
            "PREFECT_WORKER_HEARTBEAT_SECONDS": str(HEARTBEAT),
            "COLUMNS": "120",
        }
        self._forks = forks

    def command(self, *arguments: str, real: bool = False, **env: str) -> "subprocess.CompletedProcess[str]":
        """`python -m flows …`, with the service's home; `real` starts it as a user does."""
        given = {**self.env, **env}
        if self._forks is None or real:
            command = [sys.executable, "-m", "flows", *arguments]
            ended = subprocess.run(command, cwd=ROOT, env=given, capture_output=True, text=True, timeout=500)
        else:
            fork = self._forks.start("flows", arguments, given)
            out, err = fork.communicate(500)
            ended = subprocess.CompletedProcess(arguments, fork.wait(), out, err)
        if self._forks and arguments[0] in {"serve", "deploy"} and ended.returncode == 0:  # the pool's template is new
            self._start_runs_by(self._forks.runs_command())
        return ended

    def serve(self, *options: str, real: bool = False) -> str:
        """What `serve` says."""
        ended = self.command("serve", "--port", str(self.port), *options, real=real)
        assert ended.returncode == 0, ended.stderr + self.logs()
        return ended.stdout

    def _start_runs_by(self, command: str | None) -> None:
        template = self.get(f"work_pools/{POOL}")["base_job_template"]
        template["job_configuration"]["command"] = command
        self.change(f"work_pools/{POOL}", {"base_job_template": template})

    @contextmanager
    def real_runs(self) -> Generator[None]:
        """Let the worker start runs as it does for a user."""
        if self._forks is None:
            yield
            return
        self._start_runs_by(None)
        time.sleep(2 * HEARTBEAT)
        yield
        self._start_runs_by(self._forks.runs_command())

    def kill_workers(self) -> None:
        """As `kill -9` on them and on their runs."""
        pids = json.loads((self.folder / "service.json").read_text())["pids"]
        servers = {pid for name, pid in pids.items() if not name.startswith("worker")}
        for pid in members(self.folder):
            if os.getpgid(pid) not in servers:
                os.kill(pid, signal.SIGKILL)

    def start(self, name: str, **parameters: Any) -> str:
        """The id of a new run of a deployment."""
        deployment = self.get(f"deployments/name/{name}/{name}")["id"]
        return self.post(f"deployments/{deployment}/create_flow_run", {"parameters": parameters})["id"]

    def set_state(self, run: str, kind: str, name: str) -> str:
        """As a button of the UI does; what the server makes of it."""
        return self.post(f"flow_runs/{run}/set_state", {"state": {"type": kind, "name": name}})["status"]

    def ended(self, run: str, timeout: float = 500) -> dict[str, Any]:
        """The run, when it has come to an end."""
        return self.wait(lambda: (found := self.get(f"flow_runs/{run}"))["state_type"] in FINAL and found, timeout)

    def run(self, name: str, **parameters: Any) -> dict[str, Any]:
        """A run of a deployment that completed."""
        found = self.ended(self.start(name, **parameters))
        assert found["state_type"] == "COMPLETED", f"{found['state']}\n{self.logs()}"
        return found

    def artifacts(self, run: str) -> dict[str, Any]:
        """What a run shows, by kind: the last word of each key."""
        found = self.post("artifacts/filter", {"artifacts": {"flow_run_id": {"any_": [run]}}})
        # Of a state that holds an error Prefect keeps an artifact without a key and a type.
        return {(artifact["key"] or artifact["type"] or "state").rpartition("-")[2]: artifact for artifact in found}

    def first_error(self, run: str) -> str:
        """Of its log; the lines reach the server a moment after the run has ended."""
        query = {"logs": {"flow_run_id": {"any_": [run]}, "level": {"ge_": ERROR}}, "sort": "TIMESTAMP_ASC"}
        return self.wait(lambda: self.post("logs/filter", query), 120)[0]["message"]

    def change(self, path: str, body: Any) -> None:
        self.ask("PATCH", path, body).raise_for_status()

    def get(self, path: str) -> Any:
        """Asked again where SQLite kept the server waiting."""
        for _ in range(3):
            with suppress(httpx.ReadTimeout):
                return self.ask("GET", path).raise_for_status().json()
        raise AssertionError(f"no answer from {path}\n{self.logs()}")

    def post(self, path: str, body: Any) -> Any:
        return self.ask("POST", path, body).raise_for_status().json()

    def ask(self, method: str, path: str, body: Any = None) -> httpx.Response:
        """Prefect's API, with the service's secret."""
        name, _, password = read_secret(self.folder).partition(":")
        return httpx.request(method, f"{self.api}/{path}", json=body, timeout=60, auth=(name, password))

    @property
    def link(self) -> str:
        """What `serve` prints: it signs a browser in."""
        return f"{self.ui}/sign-in#{read_secret(self.folder)}"

    def wait(self, look: Callable[[], Any], timeout: float) -> Any:
        deadline = time.monotonic() + timeout
        while not (seen := look()):
            assert time.monotonic() < deadline, self.logs()
            time.sleep(0.2)
        return seen

    def logs(self) -> str:
        """The end of what the workers wrote, for a test that fails."""
        files = sorted((self.folder / "logs").glob("*.log"))
        return "\n".join(f"{file.name}:\n{file.read_text(errors='replace')[-3000:]}" for file in files)


@contextmanager
def running_service(folder: Path, openai: str, forks: ForkServer | None) -> Generator[Service]:
    """For the length of the block, with one worker."""
    service = Service(folder, openai, forks)
    try:
        service.serve(real=True)
        yield service
    finally:
        service.command("stop")


def first_of_free_ports(number: int) -> int:
    """The first of so many ports, one after the other, at which nothing listens."""
    while True:
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            first = taken.getsockname()[1]
        if all(is_free(port) for port in range(first, first + number)):
            return first


CHUNKING = {"strategy": "recursive", "size": 100}


def twelve(corpus: Path, model: str, out: Path, at_once: int = 2) -> dict[str, Any]:
    """Parameters of a run that describes its audience in a call, and makes 12 goldens with two calls each."""
    return {
        "documents": {"sources": [str(corpus)]},
        "chunking": CHUNKING,
        "n": 12,
        "generator": {"model": model, "max_concurrency": at_once},
        "out": str(out),
    }


def asking(corpus: Path, model: str, out: Path) -> dict[str, Any]:
    """Parameters of a run that asks before it spends."""
    return {
        "documents": {"sources": [str(corpus)]},
        "chunking": CHUNKING,
        "n": 4,
        "generator": {"model": model},
        "approval": {"above_calls": 3},
        "out": str(out),
    }
