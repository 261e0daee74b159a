"""Starts, finds and ends the processes of one service.

A variable in their environment marks them, so runs that a killed worker left behind are found too.
"""

import os
import signal
import subprocess
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path

MARK = "RAGSET_SERVICE"  # names the folder of the service that a process belongs to
GRACE_SECONDS = 10.0  # for a process to end in order


def start(command: list[str], folder: Path, log: Path, env: Mapping[str, str], cwd: Path) -> "subprocess.Popen[bytes]":
    """Start a process of the service of `folder`, in a session of its own, so that it outlives the caller."""
    log.parent.mkdir(parents=True, exist_ok=True)
    cwd.mkdir(parents=True, exist_ok=True)
    with log.open("ab") as written:
        return subprocess.Popen(  # noqa: S603
            command,
            cwd=cwd,
            env={**env, MARK: str(folder)},
            stdin=subprocess.DEVNULL,
            stdout=written,
            stderr=written,
            start_new_session=True,
        )


def members(folder: Path) -> set[int]:
    """The running processes of the service of `folder`, without this one."""
    entry = f"{MARK}={folder}"
    found: set[int] = set()
    if Path("/proc/self/environ").exists():
        for process in Path("/proc").glob("[0-9]*"):
            # Other users' environments cannot be read, and those of processes that have ended are empty.
            with suppress(OSError):
                if entry.encode() in (process / "environ").read_bytes().split(b"\0"):
                    found.add(int(process.name))
    else:  # macOS
        command = ["/bin/ps", "-A", "-E", "-ww", "-o", "pid=,command="]
        listed = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603
        lines = (line.strip().partition(" ") for line in listed.stdout.splitlines())
        found = {int(pid) for pid, _, rest in lines if f" {entry} " in f" {rest} "}
    return found - {os.getpid()}


def group(pid: int) -> int | None:
    """The process group; None if the process is gone."""
    with suppress(ProcessLookupError):
        return os.getpgid(pid)
    return None


def end(pids: Iterable[int], folder: Path) -> None:
    """End these processes of the service, by SIGTERM, and after `GRACE_SECONDS` by SIGKILL."""
    asked = set(pids) & members(folder)
    deadline = time.monotonic() + GRACE_SECONDS
    _signal(asked, signal.SIGTERM)
    while left := asked & members(folder):
        if time.monotonic() > deadline:
            _signal(left, signal.SIGKILL)
        time.sleep(0.1)
        _reap(asked)
    _reap(asked)


def _signal(pids: Iterable[int], number: int) -> None:
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, number)


def _reap(pids: Iterable[int]) -> None:
    for pid in pids:
        with suppress(ChildProcessError):  # those that this process did not start
            os.waitpid(pid, os.WNOHANG)
