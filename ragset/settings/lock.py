"""One process at a time in a folder."""

import os
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from ragset.errors import IndexBusy


@contextmanager
def locked(path: Path) -> Generator[None]:
    """Hold the lock file `path` until the process ends; raises IndexBusy if another process or thread holds it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if (file := hold(path)) is None:
        raise IndexBusy(f"{path.parent} is being written by another run: wait for it, or set another RAGSET_HOME")
    try:
        yield
    finally:
        os.close(file)


@contextmanager
def waited_for(path: Path) -> Generator[None]:
    """Hold the lock file `path` for the length of the block, once nobody else holds it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    file = hold(path, wait=True)
    try:
        yield
    finally:
        if file is not None:
            os.close(file)


def hold(path: Path, *, wait: bool = False) -> int | None:
    """The open file that holds the lock until everyone who has it closes it; None if another holds it and `wait` is not set."""
    file = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(file, msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except OSError:
        os.close(file)
        return None
    return file
