"""The process that the processes of tests are forks of: `python -m tests.integration.fork_server FD LOCK`.

It forks for each request on that socket, and ends when nobody else holds the lock.
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
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from tests.integration.forks import ROOT, Fork, Request, ask

LARGEST = 1 << 20  # bytes of a request


def _serve(listening: socket.socket, lock: Path) -> Request:
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
                    Path(listening.getsockname()).unlink()  # nobody else holds it: who comes next starts another
                    os._exit(0)
                continue
            if os.fork() == 0:
                listening.close()
                return _keep(status)
            status.close()


def _keep(status: socket.socket) -> Request:
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
    request = Request(*json.loads(content))._replace(descriptors=tuple(descriptors[2:]))
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
    "prefect.cli.deploy",
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
            if not name.endswith(("__main__", "postgres")):  # whose package is an extra
                importlib.import_module(name)
    load_pymilvus()
    for name in LATE:
        importlib.import_module(name)
    count_tokens("The vocabulary is read once.")


READING = "ragset.documents.isolated"


def _read_in_fork(request: Request) -> None:
    """Let the process that reads documents be a fork too, of the process that has all imported."""
    from multiprocessing import Pipe

    from ragset.documents.isolated import Readers

    def start(readers: Any) -> None:
        readers._pipe, theirs = Pipe()
        asked = request._replace(module=READING, env=dict(os.environ), cwd=str(Path.cwd()))
        readers._process = Fork(*ask(asked, 1, 2, theirs.fileno()))
        theirs.close()

    Readers._start = start


def _deploy_in_fork(request: Request) -> None:
    """Let Prefect's own command, which `deploy` and `serve` start, be a fork too."""
    from flows.deploy import deployments

    def run_prefect(*words: str) -> "subprocess.CompletedProcess[str]":
        read, written = os.pipe()
        env = {**os.environ, "PWD": str(ROOT)}
        asked = request._replace(module="prefect", arguments=list(words), env=env, cwd=str(ROOT))
        fork = Fork(*ask(asked, written, written))
        os.close(written)
        with open(read, encoding="utf-8") as output:  # noqa: PTH123
            said = output.read()
        return subprocess.CompletedProcess(words, fork.wait(), said)

    deployments.run_prefect = run_prefect


def _as_if_not_imported(request: Request) -> None:
    """Let what depends on the order of imports be as in a real start."""
    from prefect.context import refresh_global_settings_context
    from prefect.logging.configuration import setup_logging

    from flows.cli import exits, running
    from flows.deploy import deployments
    from flows.deploy.service import parts

    _read_in_fork(request)
    _deploy_in_fork(request)
    if request.module in {"prefect", "prefect.engine"}:
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


def main(descriptor: int, lock: Path) -> None:
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
    sys.modules.pop(f"{request.module}.__main__", None)
    sys.argv = [request.module, *request.arguments]
    runpy.run_module(request.module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main(int(sys.argv[1]), Path(sys.argv[2]))
