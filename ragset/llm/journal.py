"""Every reply that was paid for, kept before anything uses it: SQLite, keyed by what the model saw.

Replies are in `journal.sqlite`; embeddings, which are large, in `embeddings.sqlite` beside it (see
`ragset.retrieval.embedding.stored`). What was spent on either is in the first.

One thread writes all replies that wait in one transaction, so that concurrent calls do not wait for a commit each. A
process that is killed loses the calls under way and nothing else.
"""

import asyncio
import contextlib
import queue
import random
import sqlite3
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from ragset.errors import InputError
from ragset.llm.protocol import Completion
from ragset.settings.home import check_home, check_room, disk_fault

_SCHEMA = """
CREATE TABLE IF NOT EXISTS replies (
    key TEXT PRIMARY KEY, text TEXT NOT NULL, model TEXT NOT NULL, prompt_tokens INTEGER NOT NULL,
    cached_tokens INTEGER NOT NULL, completion_tokens INTEGER NOT NULL, truncated INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS spending (run TEXT NOT NULL, tokens INTEGER NOT NULL, cost REAL);
CREATE INDEX IF NOT EXISTS spending_by_run ON spending (run);
CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS embeddings.vectors (key BLOB PRIMARY KEY, vector BLOB NOT NULL, tokens INTEGER NOT NULL);
"""
EMBEDDINGS = "embeddings.sqlite"
_FIELDS = tuple(Completion.model_fields)
_READABLE = f"SELECT key, {', '.join(_FIELDS)} FROM replies, (SELECT run, tokens, cost FROM spending) LIMIT 0"  # noqa: S608
"""Fails on a file whose tables are not those of this release."""
_INSERT = (
    f"INSERT OR IGNORE INTO replies (key, {', '.join(_FIELDS)}) "  # noqa: S608
    f"VALUES (:key, {', '.join(f':{field}' for field in _FIELDS)})"
)
_PATIENCE = 60.0
"""Seconds that a process waits for another one's transaction."""


class Spent(NamedTuple):
    """What was paid on behalf of one run until now."""

    calls: int
    tokens: int
    cost: float


class _Write(NamedTuple):
    run: Callable[[sqlite3.Connection], object]
    done: asyncio.Future[None]
    loop: asyncio.AbstractEventLoop


class Journal:
    """Opened once a process; several processes may share the file."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._reading = threading.Lock()
        self._queueing = threading.Lock()
        self._fault: InputError | None = None
        """Why the first write failed that did."""
        check_home(path.parent)
        with contextlib.ExitStack() as opened:
            try:
                self._reader = opened.enter_context(contextlib.closing(self._connect()))
                connection = opened.enter_context(contextlib.closing(self._connect()))
                patiently(lambda: connection.executescript(_SCHEMA))
                connection.execute(_READABLE)
            except (OSError, sqlite3.Error) as error:
                raise disk_fault(error, [path.parent]) or self._unreadable(error) from None
            opened.pop_all()
        self._closed = False
        self._writes: queue.SimpleQueue[_Write | None] = queue.SimpleQueue()
        self._writer = threading.Thread(target=self._write, args=(connection,), name="journal", daemon=True)
        self._writer.start()

    def close(self) -> None:
        """Write what waits, and let the file go."""
        with self._queueing:
            if self._closed:
                return
            self._closed = True
            self._writes.put(None)
        self._writer.join()
        self._reader.close()

    def check(self) -> None:
        """Return if a reply could be kept that is asked for now.

        Raises:
            InputError: a write has failed, or the disk is full.
        """
        if self._fault:
            raise type(self._fault)(str(self._fault))
        check_room(self._path.parent)

    def get(self, key: str) -> Completion | None:
        """The reply kept under `key`.

        Raises:
            InputError: the file is damaged.
        """
        rows = self.select(f"SELECT {', '.join(_FIELDS)} FROM replies WHERE key = ?", key)  # noqa: S608
        return Completion(**dict(zip(_FIELDS, rows[0], strict=True))) if rows else None

    async def put(self, key: str, completion: Completion, *, run: str, cost: float | None) -> None:
        """Keep a reply, and what it cost the run; when this returns it outlives the process.

        A reply that is there already stays as it was. If the caller is cancelled meanwhile, it is written all the same.
        """
        tokens = completion.prompt_tokens + completion.completion_tokens
        values = {"key": key, **completion.model_dump()}

        def write(connection: sqlite3.Connection) -> None:
            connection.execute(_INSERT, values)
            connection.execute("INSERT INTO spending VALUES (?, ?, ?)", (run, tokens, cost))

        await self._written(write)

    def write(self, run: Callable[[sqlite3.Connection], object]) -> None:
        """Have `run` write, for threads without an event loop; when this returns it outlives the process."""
        asyncio.run(self._written(run))

    def spent(self, run: str) -> Spent:
        """Sums over all tries of the run."""
        (row,) = self.select("SELECT count(*), total(tokens), total(cost) FROM spending WHERE run = ?", run)
        calls, tokens, cost = row
        return Spent(calls, int(tokens), cost)

    def recall(self, name: str) -> str | None:
        """What was remembered under `name`."""
        rows = self.select("SELECT value FROM facts WHERE name = ?", name)
        return rows[0][0] if rows else None

    async def remember(self, name: str, value: str) -> None:
        """Keep a small fact, in place of any of that name."""
        await self._written(
            lambda connection: connection.execute("INSERT OR REPLACE INTO facts VALUES (?, ?)", (name, value))
        )

    def select(self, query: str, *parameters: str | bytes) -> list[tuple[Any, ...]]:
        """The rows that a query finds.

        Raises:
            InputError: a file is damaged.
        """
        try:
            with self._reading:
                return self._reader.execute(query, parameters).fetchall()
        except sqlite3.DatabaseError as error:
            raise self._unreadable(error) from None

    async def _written(self, run: Callable[[sqlite3.Connection], object]) -> None:
        loop = asyncio.get_running_loop()
        done: asyncio.Future[None] = loop.create_future()
        with self._queueing:  # nothing may come behind the end of the queue, where nobody would answer it
            if self._closed:
                raise RuntimeError("the journal is closed")
            self._writes.put(_Write(run, done, loop))
        await done

    def _write(self, connection: sqlite3.Connection) -> None:
        with contextlib.closing(connection):
            while (first := self._writes.get()) is not None:
                batch = [first]
                while not self._writes.empty():
                    item = self._writes.get()
                    if item is None:
                        self._commit(connection, batch)
                        return
                    batch.append(item)
                self._commit(connection, batch)

    def _commit(self, connection: sqlite3.Connection, batch: list[_Write]) -> None:
        fault = None
        try:
            with connection:
                # Both files at once: two processes that took one each would wait for each other.
                connection.execute("BEGIN IMMEDIATE")
                for write in batch:
                    write.run(connection)
        except Exception as error:  # whatever it is, nobody may wait for this thread in vain
            if len(batch) > 1:  # one that cannot be written is no reason to lose the others
                for write in batch:
                    self._commit(connection, [write])
                return
            fault = disk_fault(error, [self._path.parent]) or InputError(
                f"{self._path}: the journal of replies cannot be written ({error}); let it be written. Run the same command "
                "then: what was kept is not asked again"
            )
            self._fault = self._fault or fault
        for loop in {write.loop for write in batch}:
            with contextlib.suppress(RuntimeError):  # a loop that is closed has nobody who waits
                loop.call_soon_threadsafe(_tell, [write.done for write in batch if write.loop is loop], fault)

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self._path, timeout=_PATIENCE, check_same_thread=False)
        try:
            connection.execute("ATTACH ? AS embeddings", (str(self._path.with_name(EMBEDDINGS)),))
            for file in ("main", "embeddings"):
                patiently(lambda file=file: connection.execute(f"PRAGMA {file}.journal_mode = WAL"))
                connection.execute(f"PRAGMA {file}.synchronous = NORMAL")
        except sqlite3.Error:
            connection.close()
            raise
        return connection

    def _unreadable(self, error: Exception) -> InputError:
        return InputError(
            f"{self._path}: the journal of replies cannot be read, or {EMBEDDINGS} beside it ({error}). If the file is damaged or "
            "of another release, move it away; the replies in it will be asked for again"
        )


def _tell(waiting: list[asyncio.Future[None]], fault: Exception | None) -> None:
    for done in waiting:
        if not done.done():
            if fault:
                done.set_exception(fault)
            else:
                done.set_result(None)


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
