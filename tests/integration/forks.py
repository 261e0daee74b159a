"""Commands as forks of one process that has imported all that they need: each is a process of its own, without its start.

`python -m flows` imports for five seconds and more before it does anything. A fork differs from a real start in three ways only:
nothing is imported anew, `PYTHONHASHSEED` is the same for all of them, and what `lru_cache` holds was computed before. The tests
that are about one of these, or about the start itself, ask for a real one.

This file is also two programs: `python -m tests.integration.forks serve` is that process, and `… run` stands in for a run that
a worker starts.
"""

import atexit
import fcntl
import gc
import importlib
import json
import os
import runpy
import select
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple, TextIO

ROOT = Path(__file__).parents[2]


class Fork:
    """One process, with those parts of `subprocess.Popen` that are used of it. It ends with this object."""

    def __init__(self, pid: int, status: socket.socket, *streams: TextIO) -> None:
        self.pid = pid
        self.returncode: int | None = None
        self._status, self._streams = status, streams
        self._ended = threading.Lock()

    @property
    def stderr(self) -> TextIO:
        return self._streams[1]

    def poll(self) -> int | None:
        return self._look(0.0)

    def wait(self, timeout: float | None = None) -> int:
        if (code := self._look(timeout)) is None:
            raise subprocess.TimeoutExpired("flows", timeout or 0)
        return code

    def communicate(self, timeout: float | None = None) -> tuple[str, str]:
        deadline = None if timeout is None else time.monotonic() + timeout
        said: dict[TextIO, str] = {}
        readers = [
            threading.Thread(target=lambda stream=stream: said.update({stream: stream.read()}), daemon=True)
            for stream in self._streams
        ]
        for reader in readers:
            reader.start()
        for reader in readers:
            reader.join(None if deadline is None else max(0.0, deadline - time.monotonic()))
            if reader.is_alive():
                raise subprocess.TimeoutExpired("flows", timeout or 0)
        self.wait(None if deadline is None else max(1.0, deadline - time.monotonic()))
        for stream in self._streams:
            stream.close()
        out, err = self._streams
        return said[out], said[err]

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
    """Starts commands as forks of one process, which all processes of a test session share. It ends with the last of them."""

    def __init__(self, folder: Path) -> None:
        self.address = str(folder / "forks")
        self._held = (folder / "forks.lock").open("w")
        fcntl.flock(self._held, fcntl.LOCK_EX)
        if not Path(self.address).exists():
            self._start_process()
        fcntl.flock(self._held, fcntl.LOCK_SH)

    def _start_process(self) -> None:
        # Nothing of this process's environment is meant for it; each request brings that of its command.
        names = ("OPENAI_", "RAGSET_", "PREFECT_", "MILVUS_")
        env = {name: value for name, value in os.environ.items() if not name.startswith(names)}
        with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as listening:
            listening.bind(self.address)
            listening.listen(64)
            process = subprocess.Popen(
                [sys.executable, "-m", "tests.integration.forks", "serve", str(listening.fileno()), self._held.name],
                cwd=ROOT,
                env={**env, "COLUMNS": "120"},
                stdin=subprocess.DEVNULL,
                pass_fds=(listening.fileno(),),
                start_new_session=True,
            )
        process.returncode = 0  # nobody waits for it: others may need it for longer than this process lives

    def start(self, module: str, arguments: Sequence[str], env: Mapping[str, str]) -> Fork:
        """`python -m module` with these arguments, in the root of the project."""
        out, err = os.pipe(), os.pipe()
        pid, status = _ask(_Request(self.address, module, list(arguments), dict(env), str(ROOT)), out[1], err[1])
        os.close(out[1])
        os.close(err[1])
        return Fork(pid, status, open(out[0], encoding="utf-8"), open(err[0], encoding="utf-8"))  # noqa: PTH123

    def runs_command(self) -> str:
        """The command by which a worker starts its runs, for the template of jobs of a work pool."""
        return f"{sys.executable} -m tests.integration.forks run {self.address}"

    def close(self) -> None:
        self._held.close()


class _Request(NamedTuple):
    address: str  # of the process that forks
    module: str
    arguments: list[str]
    env: dict[str, str]
    cwd: str
    descriptors: tuple[int, ...] = ()  # in the fork


LARGEST = 1 << 20


def _ask(request: _Request, *descriptors: int) -> tuple[int, socket.socket]:
    """The process id of a new fork with these as its output, errors and more; and the socket that tells how it ended.

    Closing the socket kills the fork.
    """
    status = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    status.connect(request.address)
    socket.send_fds(status, [json.dumps(request).encode()], descriptors)
    pid = status.recv(16)
    assert pid, "the process that commands are forks of has ended; what it wrote says why"
    return int(pid), status


def _stand_in(address: str) -> None:
    """Be a worker's run: a fork is, and this process passes on its signals and ends as it does."""
    request = _Request(address, "prefect.engine", [], dict(os.environ), str(Path.cwd()))
    pid, status = _ask(request, 1, 2)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda number, _: os.kill(pid, number))
    code = os.waitstatus_to_exitcode(int(status.recv(16)))
    if code < 0:
        signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    os._exit(code)


def _serve(listening: socket.socket, lock: Path) -> _Request:
    """Fork for each request. Returns in the forks alone, each ready to be the command; the server itself ends."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # keepers are nobody's children
    listening.settimeout(1.0)
    with lock.open() as held:
        while True:
            try:
                status, _ = listening.accept()
            except TimeoutError:
                with suppress(BlockingIOError):
                    fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    os._exit(0)  # nobody else holds it any more
                continue
            if os.fork() == 0:
                listening.close()
                return _keep(status)
            status.close()


def _keep(status: socket.socket) -> _Request:
    """Fork the command and tell `status` its process id, then how it ended. Returns in the command."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    content, descriptors, _, _ = socket.recv_fds(status, LARGEST, 3)
    if pid := os.fork():
        for descriptor in descriptors:
            os.close(descriptor)
        status.send(str(pid).encode())
        ended = os.pidfd_open(pid)
        if ended not in select.select([ended, status], [], [])[0]:
            os.kill(pid, signal.SIGKILL)  # who asked for it is gone
        told = str(os.waitpid(pid, 0)[1]).encode()
        with suppress(OSError):
            status.send(told)
        os._exit(0)
    status.close()
    os.setsid()
    for stream, descriptor in zip((1, 2), descriptors, strict=False):
        os.dup2(descriptor, stream)
        os.close(descriptor)
    request = _Request(*json.loads(content))._replace(descriptors=tuple(descriptors[2:]))
    os.environ.clear()
    os.environ.update(request.env)
    os.chdir(request.cwd)
    return request


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


READING = "ragset.documents.isolated"


def _read_in_fork(request: _Request) -> None:
    """Let the process that reads documents be a fork too, of the process that has all imported."""
    from multiprocessing import Pipe

    from ragset.documents.isolated import Readers

    def start(readers: Any) -> None:
        readers._pipe, theirs = Pipe()
        asked = request._replace(module=READING, env=dict(os.environ), cwd=str(Path.cwd()))
        readers._process = Fork(*_ask(asked, 1, 2, theirs.fileno()))
        theirs.close()

    Readers._start = start


def _as_if_not_imported(request: _Request) -> None:
    """Let what depends on the order of imports be as in a real start."""
    from prefect.context import refresh_global_settings_context
    from prefect.logging.configuration import setup_logging

    from flows.cli import exits, running
    from flows.deploy import deployments
    from flows.deploy.service import parts

    _read_in_fork(request)
    if request.module == "prefect.engine":
        refresh_global_settings_context()
        setup_logging(incremental=False)
        return

    def refreshed(function: Callable[..., Any]) -> Callable[..., Any]:
        """Prefect reads its settings when it is imported, which is after this function in a real start."""

        def call(*arguments: Any) -> Any:
            found = function(*arguments)
            refresh_global_settings_context()
            return found

        return call

    running.prefect_server = refreshed(running.prefect_server)
    deployments.use_secret = refreshed(deployments.use_secret)
    parts.point_here = refreshed(parts.point_here)
    exits.leave_threads = lambda: None  # `_leave_last` does it


def _leave_last(leave: list[Callable[[], None]]) -> None:
    """What a command registers before Prefect is imported, so that it runs after all that Prefect has registered."""
    for one in leave:
        one()


def serve(descriptor: int, lock: Path) -> None:
    leave: list[Callable[[], None]] = []
    atexit.register(_leave_last, leave)
    # Prefect sets its loggers up when it is imported; `prefect_server` has chosen these levels by then.
    os.environ["PREFECT_LOGGING_HANDLERS_CONSOLE_LEVEL"] = os.environ["PREFECT_INTERNAL_LOGGING_LEVEL"] = "CRITICAL"
    _import_all()
    gc.collect()
    gc.freeze()
    request = _serve(socket.socket(fileno=descriptor), lock)
    if request.module == READING:
        from ragset.documents import isolated

        isolated.serve(*request.descriptors)
        os._exit(0)
    if request.module == "flows":
        from flows.cli import exits

        leave.append(exits.leave_threads)
    _as_if_not_imported(request)
    sys.argv = [request.module, *request.arguments]
    runpy.run_module(request.module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    if sys.argv[1] == "run":
        _stand_in(sys.argv[2])
    else:
        serve(int(sys.argv[2]), Path(sys.argv[3]))
