"""Processes as forks of one process that has imported all that they need (`fork_server.py`), without their start.

`python -m flows` imports for five seconds and more before it does anything. A fork differs from a real start in three ways only:
nothing is imported anew, `PYTHONHASHSEED` is the same for all of them, and what `lru_cache` holds was computed before. The tests
that are about one of these, or about the start itself, ask for a real one.

This file is also a program: `python -m tests.integration.forks ADDRESS` stands in for a run that a worker starts.
"""

import fcntl
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, TextIO

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
        fcntl.flock(self._held, fcntl.LOCK_SH)  # from here on it does not end
        with (folder / "forks.start").open("w") as starting:
            fcntl.flock(starting, fcntl.LOCK_EX)
            if not Path(self.address).exists():
                self._start_process()

    def _start_process(self) -> None:
        # Nothing of this process's environment is meant for it; each request brings that of its command.
        names = ("OPENAI_", "RAGSET_", "PREFECT_", "MILVUS_")
        env = {name: value for name, value in os.environ.items() if not name.startswith(names)}
        with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as listening:
            listening.bind(self.address)
            listening.listen(64)
            process = subprocess.Popen(
                [sys.executable, "-m", "tests.integration.fork_server", str(listening.fileno()), self._held.name],
                cwd=ROOT,
                env={**env, "COLUMNS": "120"},
                stdin=subprocess.DEVNULL,
                pass_fds=(listening.fileno(),),
                start_new_session=True,
            )
        process.returncode = 0  # nobody waits for it: others may need it for longer than this process lives

    def start(self, module: str, arguments: Sequence[str], env: Mapping[str, str], cwd: Path = ROOT) -> Fork:
        """`python -m module` with these arguments, in that folder."""
        out, err = os.pipe(), os.pipe()
        pid, status = ask(Request(self.address, module, list(arguments), dict(env), str(cwd)), out[1], err[1])
        os.close(out[1])
        os.close(err[1])
        return Fork(pid, status, open(out[0], encoding="utf-8"), open(err[0], encoding="utf-8"))  # noqa: PTH123

    def runs_command(self) -> str:
        """The command by which a worker starts its runs, for the template of jobs of a work pool."""
        return f"{sys.executable} -m tests.integration.forks {self.address}"

    def close(self) -> None:
        self._held.close()


class Request(NamedTuple):
    address: str  # of the process that forks
    module: str
    arguments: list[str]
    env: dict[str, str]
    cwd: str
    descriptors: tuple[int, ...] = ()  # in the fork


def ask(request: Request, *descriptors: int) -> tuple[int, socket.socket]:
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
    request = Request(address, "prefect.engine", [], dict(os.environ), str(Path.cwd()))
    pid, status = ask(request, 1, 2)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda number, _: os.kill(pid, number))
    code = os.waitstatus_to_exitcode(int(status.recv(16)))
    if code < 0:
        signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    os._exit(code)


if __name__ == "__main__":
    _stand_in(sys.argv[1])
