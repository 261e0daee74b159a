"""Every reply that was paid for, kept before anything uses it: SQLite, keyed by what the model saw.

Embeddings are in `embeddings.sqlite` beside it (see `ragset.retrieval.embedding.stored`). One thread writes all
replies that wait in one transaction. A process that is killed loses only the calls under way.
"""

import asyncio
import queue
import random
import sqlite3
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

from ragset.errors import InputError
from ragset.llm.protocol import Completion
from ragset.settings.home import check_home, check_room, disk_fault

_SCHEMA = """
CREATE TABLE IF NOT EXISTS replies (
    key TEXT PRIMARY KEY, text TEXT NOT NULL, model TEXT NOT NULL, prompt_tokens INTEGER NOT NULL,
    cached_tokens INTEGER NOT NULL, completion_tokens INTEGER NOT NULL, truncated INTEGER NOT NULL,
    batch INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS spending (run TEXT NOT NULL, tokens INTEGER NOT NULL, cost REAL);
CREATE INDEX IF NOT EXISTS spending_by_run ON spending (run);
CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS embeddings.vectors (key BLOB PRIMARY KEY, vector BLOB NOT NULL, tokens INTEGER NOT NULL);
"""
EMBEDDINGS = "embeddings.sqlite"
_FIELDS = tuple(Completion.model_fields)
# Fails on a file whose tables are not those of this release.
_READABLE = f"SELECT key, {', '.join(_FIELDS)} FROM replies, (SELECT run, tokens, cost FROM spending) LIMIT 0"  # noqa: S608
_INSERT = (
    f"INSERT OR IGNORE INTO replies (key, {', '.join(_FIELDS)}) "  # noqa: S608
    f"VALUES (:key, {', '.join(f':{field}' for field in _FIELDS)})"
)
_PATIENCE = 60.0  # seconds that a process waits for another one's transaction

_Write = Callable[[sqlite3.Connection], object]


class Spent(NamedTuple):
    """What one run has paid until now."""

    calls: int
    tokens: int
    cost: float


class Journal:
    """Opened once a process; several processes may share the file."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._reading = threading.Lock()
        self._fault: InputError | None = None  # why the first write failed that did
        check_home(path.parent)
        try:
            self._reader = self._connect()
            self._connection = self._connect()
            patiently(lambda: self._connection.executescript(_SCHEMA))
            patiently(lambda: _add_columns(self._connection))
            self._connection.execute(_READABLE)
        except (OSError, sqlite3.Error) as error:
            raise disk_fault(error, [path.parent]) or self._unreadable(error) from None
        self._waiting: queue.SimpleQueue[tuple[_Write, Future[None]]] = queue.SimpleQueue()
        self._writer = ThreadPoolExecutor(1, "journal")

    def close(self) -> None:
        """Write what waits, and let the file go."""
        self._writer.shutdown()
        self._reader.close()
        self._connection.close()

    def check(self) -> None:
        """Raise InputError if a write has failed or the disk is full, before a reply is asked for."""
        if self._fault:
            raise type(self._fault)(str(self._fault))
        check_room(self._path.parent)

    def get(self, key: str) -> Completion | None:
        """The reply kept under `key`, or None."""
        rows = self.select(f"SELECT {', '.join(_FIELDS)} FROM replies WHERE key = ?", key)  # noqa: S608
        return Completion(**dict(zip(_FIELDS, rows[0], strict=True))) if rows else None

    async def put(self, key: str, completion: Completion, *, run: str, cost: float | None) -> None:
        """Keep a reply if there is none, and what it cost the run. It is on disk on return; cancelling does not stop it."""
        tokens = completion.prompt_tokens + completion.completion_tokens
        values = {"key": key, **completion.model_dump()}

        def write(connection: sqlite3.Connection) -> None:
            connection.execute(_INSERT, values)
            connection.execute("INSERT INTO spending VALUES (?, ?, ?)", (run, tokens, cost))

        await self._written(write)

    async def put_batch(self, name: str, replies: Mapping[str, tuple[Completion, float | None]], *, run: str) -> bool:
        """Keep replies by key, each with its cost to the run, and forget the fact `name`: all or nothing.

        False: another process has done so.
        """
        kept = False

        def write(connection: sqlite3.Connection) -> None:
            nonlocal kept
            if not connection.execute("DELETE FROM facts WHERE name = ?", (name,)).rowcount:
                return
            for key, (completion, cost) in replies.items():
                connection.execute(_INSERT, {"key": key, **completion.model_dump()})
                tokens = completion.prompt_tokens + completion.completion_tokens
                connection.execute("INSERT INTO spending VALUES (?, ?, ?)", (run, tokens, cost))
            kept = True

        await self._written(write)
        return kept

    def write(self, run: _Write) -> None:
        """Have `run` write, for threads without an event loop; it is on disk on return."""
        self._enqueue(run).result()

    def spent(self, run: str) -> Spent:
        """Sums over all tries of the run."""
        totals = self.select("SELECT count(*), total(tokens), total(cost) FROM spending WHERE run = ?", run)
        calls, tokens, cost = totals[0]
        return Spent(calls, int(tokens), cost)

    def recall(self, name: str) -> str | None:
        """The fact kept under `name`, or None."""
        rows = self.select("SELECT value FROM facts WHERE name = ?", name)
        return rows[0][0] if rows else None

    def facts(self, prefix: str) -> dict[str, str]:
        """The facts whose names begin so."""
        rows = self.select("SELECT name, value FROM facts WHERE substr(name, 1, length(?)) = ?", prefix, prefix)
        return dict(rows)

    async def remember(self, name: str, value: str) -> None:
        """Keep a small fact, in place of any of that name."""
        statement = "INSERT OR REPLACE INTO facts VALUES (?, ?)"
        await self._written(lambda connection: connection.execute(statement, (name, value)))

    def select(self, query: str, *parameters: str | bytes) -> list[tuple[Any, ...]]:
        """The rows that a query finds; raises InputError if a file is damaged."""
        try:
            with self._reading:
                return self._reader.execute(query, parameters).fetchall()
        except sqlite3.DatabaseError as error:
            raise self._unreadable(error) from None

    async def _written(self, run: _Write) -> None:
        # Shielded: a cancelled caller would take a write out of the queue.
        await asyncio.shield(asyncio.wrap_future(self._enqueue(run)))

    def _enqueue(self, run: _Write) -> "Future[None]":
        done: Future[None] = Future()
        self._waiting.put((run, done))
        self._writer.submit(self._write_waiting)
        return done

    def _write_waiting(self) -> None:
        batch: list[tuple[_Write, Future[None]]] = []
        while not self._waiting.empty():
            batch.append(self._waiting.get())
        if batch:
            self._commit(batch)

    def _commit(self, batch: "list[tuple[_Write, Future[None]]]") -> None:
        try:
            with self._connection:
                # Both files at once: two processes that took one each would wait for each other.
                self._connection.execute("BEGIN IMMEDIATE")
                for run, _ in batch:
                    run(self._connection)
        except Exception as error:  # whatever it is, nobody may wait for this thread in vain
            if len(batch) > 1:  # one that cannot be written is no reason to lose the others
                for write in batch:
                    self._commit([write])
                return
            fault = disk_fault(error, [self._path.parent]) or InputError(
                f"{self._path}: the journal of replies cannot be written ({error}); let it be written. Run the same command "
                "then: what was kept is not asked again"
            )
            self._fault = self._fault or fault
            batch[0][1].set_exception(fault)
        else:
            for _, done in batch:
                done.set_result(None)

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


def _add_columns(connection: sqlite3.Connection) -> None:
    """Add what a journal of an earlier release lacks."""
    known = "SELECT 1 FROM pragma_table_info('replies') WHERE name = 'batch'"
    if connection.execute(known).fetchone():
        return
    with connection:
        connection.execute("BEGIN IMMEDIATE")
        if not connection.execute(known).fetchone():  # else another process was quicker
            connection.execute("ALTER TABLE replies ADD COLUMN batch INTEGER NOT NULL DEFAULT 0")


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
