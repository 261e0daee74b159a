"""Commands as forks of one process that has imported all that they need: each is a process of its own, without its start.

`python -m flows` imports for five seconds and more before it does anything. A fork differs from a real start in three ways only:
nothing is imported anew, `PYTHONHASHSEED` is the same for all of them, and what `lru_cache` holds was computed before. The tests
that are about one of these, or about the start itself, ask for a real one.

This file is also the program: `python -m tests.integration.forks FD` serves requests on that socket.
"""

import atexit
import gc
import importlib
import json
import os
import runpy
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, TextIO

ROOT = Path(__file__).parents[2]


class Fork:
    """One command, with those parts of `subprocess.Popen` that tests use."""

    def __init__(self, pid: int, stdout: TextIO, stderr: TextIO, status: socket.socket) -> None:
        self.pid = pid
        self.returncode: int | None = None
        self.stdout, self.stderr = stdout, stderr
        self._status = status
        self._ended = threading.Lock()

    def poll(self) -> int | None:
        return self._look(0.0)

    def wait(self, timeout: float | None = None) -> int:
        if (code := self._look(timeout)) is None:
            raise subprocess.TimeoutExpired("flows", timeout or 0)
        return code

    def communicate(self, timeout: float | None = None) -> tuple[str, str]:
        deadline = None if timeout is None else time.monotonic() + timeout
        said: dict[str, str] = {}
        streams = {"out": self.stdout, "err": self.stderr}
        readers = [
            threading.Thread(target=lambda name=name, stream=stream: said.update({name: stream.read()}), daemon=True)
            for name, stream in streams.items()
        ]
        for reader in readers:
            reader.start()
        for reader in readers:
            reader.join(None if deadline is None else max(0.0, deadline - time.monotonic()))
            if reader.is_alive():
                raise subprocess.TimeoutExpired("flows", timeout or 0)
        self.wait(None if deadline is None else max(1.0, deadline - time.monotonic()))
        for stream in streams.values():
            stream.close()
        return said["out"], said["err"]

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def _look(self, timeout: float | None) -> int | None:
        """The exit code as `Popen` has it, negative for a signal; None while the command runs."""
        with self._ended:
            if self.returncode is None:
                self._status.settimeout(timeout)
                try:
                    told = self._status.recv(16)
                except (TimeoutError, BlockingIOError):
                    return None
                self._status.close()
                # Without a word only if its keeper was killed, which nobody does.
                self.returncode = os.waitstatus_to_exitcode(int(told)) if told else -signal.SIGKILL
        return self.returncode


class ForkServer:
    """Starts commands as forks of a process of its own, which ends with `close` or with this process."""

    def __init__(self) -> None:
        self._socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            # Nothing of this process's environment is meant for it; each request brings that of its command.
            names = [name for name in os.environ if name.startswith(("OPENAI_", "RAGSET_", "PREFECT_", "MILVUS_"))]
            env = {name: value for name, value in os.environ.items() if name not in names}
            self._process = subprocess.Popen(
                [sys.executable, "-m", "tests.integration.forks", str(theirs.fileno())],
                cwd=ROOT,
                env={**env, "COLUMNS": "120"},
                stdin=subprocess.DEVNULL,
                pass_fds=(theirs.fileno(),),
                start_new_session=True,
            )

    def start(self, arguments: list[str], env: dict[str, str]) -> Fork:
        """`python -m flows` with these arguments, in the root of the project."""
        out, err = os.pipe(), os.pipe()
        status, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        request = json.dumps({"arguments": arguments, "env": env}).encode()
        socket.send_fds(self._socket, [request], [out[1], err[1], theirs.fileno()])
        os.close(out[1])
        os.close(err[1])
        theirs.close()
        pid = status.recv(16)
        assert pid, "the process that commands are forks of has ended; what it wrote says why"
        return Fork(int(pid), open(out[0], encoding="utf-8"), open(err[0], encoding="utf-8"), status)  # noqa: PTH123

    def close(self) -> None:
        self._socket.close()
        self._process.wait(30)


class _Request(NamedTuple):
    arguments: list[str]
    env: dict[str, str]


LARGEST = 1 << 20


def _serve(listening: socket.socket) -> _Request:
    """Fork for each request. Returns in the forks alone, each ready to be the command; the server itself ends."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # keepers are nobody's children
    while True:
        content, descriptors, _, _ = socket.recv_fds(listening, LARGEST, 3)
        if not content:
            os._exit(0)
        if os.fork() == 0:
            listening.close()
            return _keep(json.loads(content), *descriptors)
        for descriptor in descriptors:
            os.close(descriptor)


def _keep(request: dict[str, Any], out: int, err: int, status: int) -> _Request:
    """Fork the command and tell `status` its process id, then how it ended. Returns in the command."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    told = socket.socket(fileno=status)
    if pid := os.fork():
        told.send(str(pid).encode())
        os.close(out)
        os.close(err)
        told.send(str(os.waitpid(pid, 0)[1]).encode())
        os._exit(0)
    told.close()
    os.setsid()
    os.dup2(out, 1)
    os.dup2(err, 2)
    os.close(out)
    os.close(err)
    os.environ.clear()
    os.environ.update(request["env"])
    return _Request(**request)


LATE = (
    "anyio._backends._asyncio",
    "faiss",
    "fastapi",
    "grpc.experimental",
    "httpcore2",
    "ir_measures",
    "llama_index",
    "milvus_lite.adapter.grpc.server",
    "milvus_lite.analyzer.factory",
    "milvus_lite.server_manager",
    "openai.resources.chat",
    "openai.resources.embeddings",
    "prefect.concurrency.services",
    "prefect.flow_engine",
    "prefect.main",
    "prefect.task_engine",
    "prefect.telemetry.run_telemetry",
    "prefect.utilities.visualization",
    "pyarrow.dataset",
    "rich._emoji_codes",
    "scipy.stats",
)
"""What functions import when they are called."""


def _import_all() -> None:
    """What a command imports sooner or later."""
    from ragset.retrieval.milvus.connection import load_pymilvus
    from ragset.text.tokens import count_tokens

    for folder in ("ragset", "tasks", "flows"):
        for file in sorted((ROOT / folder).rglob("*.py")):
            name = ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
            if not name.endswith("__main__"):
                importlib.import_module(name)
    load_pymilvus()
    for name in LATE:
        importlib.import_module(name)
    count_tokens("The vocabulary is read once.")


def _as_if_not_imported() -> None:
    """Let what depends on the order of imports be as in a real start."""
    from flows.cli import exits, running

    chosen = running.prefect_server

    def prefect_server(home: Path) -> Any:
        found = chosen(home)
        # Prefect reads its settings when it is imported, which is after this.
        from prefect.context import refresh_global_settings_context

        refresh_global_settings_context()
        return found

    running.prefect_server = prefect_server
    exits.leave_threads = lambda: None  # `_leave_last` does it


def _leave_last(leave: list[Callable[[], None]]) -> None:
    """What a command registers before Prefect is imported, so that it runs after all that Prefect has registered."""
    for one in leave:
        one()


def main(descriptor: int) -> None:
    leave: list[Callable[[], None]] = []
    atexit.register(_leave_last, leave)
    # Prefect sets its loggers up when it is imported; `prefect_server` has chosen these levels by then.
    os.environ["PREFECT_LOGGING_HANDLERS_CONSOLE_LEVEL"] = os.environ["PREFECT_INTERNAL_LOGGING_LEVEL"] = "CRITICAL"
    _import_all()
    gc.collect()
    gc.freeze()
    request = _serve(socket.socket(fileno=descriptor))
    from flows.cli import exits

    leave.append(exits.leave_threads)
    _as_if_not_imported()
    sys.argv = [str(ROOT / "flows" / "__main__.py"), *request.arguments]
    runpy.run_module("flows", run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main(int(sys.argv[1]))
