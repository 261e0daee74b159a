"""Claims of the processes of one machine: each is a lock on one byte of a file, which the system frees when the process ends."""

import os
import struct
import sys
import threading
from collections.abc import Collection, Iterable
from itertools import islice
from pathlib import Path

from ragset.errors import InputError
from ragset.llm.databases import MOST_CLAIMS, number_of


class FileClaims:
    """Claims of one process. On Windows other processes are not seen."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        self._held = set[str]()
        self._changing = threading.Lock()

    def claim(self, keys: Collection[str]) -> set[str]:
        """As `Database.claim`."""
        with self._changing:
            free = set(keys) - self._held
            watched = set(islice(free, max(0, MOST_CLAIMS - len(self._held))))
            claimed = {key for key in watched if self._lock(number_of(key))}
            self._held |= claimed
        return free - watched | claimed

    def release(self, keys: Iterable[str]) -> None:
        """As `Database.release`."""
        with self._changing:
            for key in self._held.intersection(keys):
                self._held.remove(key)
                self._lock(number_of(key), free=True)

    def close(self) -> None:
        """Let all claims go."""
        with self._changing:
            self._held.clear()
            if self._file >= 0:
                os.close(self._file)
            self._file = -1

    def _lock(self, byte: int, *, free: bool = False) -> bool:
        if sys.platform == "win32" or self._file < 0:
            return True
        import fcntl

        try:
            if sys.platform == "linux":  # a lock of the open file: another journal of this process is shut out as well
                kind = fcntl.F_UNLCK if free else fcntl.F_WRLCK
                fcntl.fcntl(self._file, fcntl.F_OFD_SETLK, struct.pack("hhqqi", kind, os.SEEK_SET, byte, 1, 0))
            else:
                fcntl.lockf(self._file, fcntl.LOCK_UN if free else fcntl.LOCK_EX | fcntl.LOCK_NB, 1, byte)
        except (BlockingIOError, PermissionError):
            return False
        except OSError as error:
            raise InputError(
                f"{self._path}: cannot be locked ({error.strerror}); name a folder on a disk of this machine"
            ) from None
        return True
