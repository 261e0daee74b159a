"""The journal in two files of RAGSET_HOME, for the processes of one machine."""

import os
import random
import sqlite3
import struct
import sys
import threading
import time
from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from ragset.errors import InputError
from ragset.llm.databases import MOST_CLAIMS, Write, number_of
from ragset.settings.home import check_home, check_room, disk_fault

EMBEDDINGS = "embeddings.sqlite"
_SCHEMA = """
CREATE TABLE IF NOT EXISTS replies (
    key TEXT PRIMARY KEY, text TEXT NOT NULL, model TEXT NOT NULL, prompt_tokens INTEGER NOT NULL,
    cached_tokens INTEGER NOT NULL, completion_tokens INTEGER NOT NULL, truncated INTEGER NOT NULL,
    batch INTEGER NOT NULL, seconds REAL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS spending (run TEXT NOT NULL, tokens INTEGER NOT NULL, cost REAL);
CREATE INDEX IF NOT EXISTS spending_by_run ON spending (run);
CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS embeddings.vectors (key BLOB PRIMARY KEY, vector BLOB NOT NULL, tokens INTEGER NOT NULL);
"""
_PATIENCE = 60.0  # seconds that a process waits for another one's transaction


class Sqlite:
    """`Database` in a file, with the embeddings in another one beside it."""

    fast = True
    spend = "INSERT INTO spending VALUES (?, ?, ?)"
    spent = "SELECT count(*), coalesce(sum(tokens), 0), coalesce(sum(cost), 0.0) FROM spending WHERE run = ?"
    embeddings = f"{EMBEDDINGS} of RAGSET_HOME"

    def __init__(self, path: Path) -> None:
        self._path = path
        self._reading = threading.Lock()
        check_home(path.parent)
        try:
            self._reader = self._connect()
            self._connection = self._connect()
            patiently(lambda: self._connection.executescript(_SCHEMA))
            self._claims = FileClaims(path.with_name(f"{path.name}-claims"))
        except (OSError, sqlite3.Error) as error:
            raise disk_fault(error, [path.parent]) or self._unreadable(error) from None
        self.claim, self.release = self._claims.claim, self._claims.release

    def select(self, query: str, parameters: Sequence[Any]) -> list[tuple[Any, ...]]:
        """As `Database.select`."""
        try:
            with self._reading:
                return self._reader.execute(query, parameters).fetchall()
        except sqlite3.DatabaseError as error:
            raise self._unreadable(error) from None

    def write(self, steps: Iterable[Write]) -> None:
        """As `Database.write`; what it said is an error of sqlite3."""
        with self._connection:
            # Both files at once: two processes that took one each would wait for each other.
            self._connection.execute("BEGIN IMMEDIATE")
            for step in steps:
                step(self._connection)

    def text(self, value: str) -> str:
        """As it is."""
        return value

    def check_room(self) -> None:
        """On the disk of the file."""
        check_room(self._path.parent)

    def fault(self, error: Exception) -> InputError:
        """As `Database.fault`."""
        return disk_fault(error, [self._path.parent]) or InputError(
            f"{self._path}: the journal of replies cannot be written ({error}); let it be written. Run the same command "
            "then: what was kept is not asked again"
        )

    def hurry(self) -> None:
        """A transaction of another process takes no time to speak of."""

    def close(self) -> None:
        """Let the files go."""
        self._reader.close()
        self._connection.close()
        self._claims.close()

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self._path, timeout=_PATIENCE, check_same_thread=False)
        connection.execute("ATTACH ? AS embeddings", (str(self._path.with_name(EMBEDDINGS)),))
        for file in ("main", "embeddings"):
            patiently(lambda file=file: connection.execute(f"PRAGMA {file}.journal_mode = WAL"))
            connection.execute(f"PRAGMA {file}.synchronous = NORMAL")
        return connection

    def _unreadable(self, error: Exception) -> InputError:
        return InputError(
            f"{self._path}: the journal of replies cannot be read, or {EMBEDDINGS} beside it ({error}). If the file is damaged or "
            "of another release, move it away; the replies in it will be asked for again"
        )


def patiently(step: Callable[[], object]) -> None:
    """Do what SQLite refuses at once, whatever the time-out, while another process opens the same new file."""
    until = time.monotonic() + _PATIENCE
    while True:
        try:
            step()
        except sqlite3.OperationalError as error:
            # The low byte: what is behind it tells kinds of being busy apart.
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                raise
            time.sleep(random.uniform(0.01, 0.05))  # noqa: S311
        else:
            return


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
