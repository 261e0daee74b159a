"""Every reply that was paid for, kept before anything uses it: SQLite, keyed by what the model saw.

Replies are written by one thread, all that wait together in one transaction, so that many concurrent calls do not wait
for a commit each. A process that is killed loses the calls under way and nothing else.
"""

import asyncio
import queue
import sqlite3
import threading
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import NamedTuple

from ragset.errors import InputError
from ragset.llm.protocol import Completion

_SCHEMA = """
CREATE TABLE IF NOT EXISTS replies (
    key TEXT PRIMARY KEY, text TEXT NOT NULL, model TEXT NOT NULL, prompt_tokens INTEGER NOT NULL,
    cached_tokens INTEGER NOT NULL, completion_tokens INTEGER NOT NULL, truncated INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS spending (run TEXT NOT NULL, tokens INTEGER NOT NULL, cost REAL);
CREATE INDEX IF NOT EXISTS spending_by_run ON spending (run);
CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
"""
_FIELDS = "text, model, prompt_tokens, cached_tokens, completion_tokens, truncated"


class Spent(NamedTuple):
    """What was paid on behalf of one run until now."""

    calls: int
    tokens: int
    cost: float


class Journal:
    """Opened once a process; several processes may share the file."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._reading = threading.Lock()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._reader = self._connect()
            self._reader.executescript(_SCHEMA)
        except (OSError, sqlite3.Error) as error:
            raise InputError(
                f"{path}: the journal of replies cannot be opened ({error}). If the file is damaged, move it away; the "
                "replies in it will be asked for again"
            ) from None
        self._writes: queue.SimpleQueue[tuple[Callable[[sqlite3.Connection], object], Future[None]] | None] = (
            queue.SimpleQueue()
        )
        self._writer = threading.Thread(target=self._write, name="journal", daemon=True)
        self._writer.start()

    def close(self) -> None:
        """Write what waits, and let the file go."""
        self._writes.put(None)
        self._writer.join()
        self._reader.close()

    def get(self, key: str) -> Completion | None:
        """The reply kept under `key`."""
        with self._reading:
            row = self._reader.execute(f"SELECT {_FIELDS} FROM replies WHERE key = ?", (key,)).fetchone()  # noqa: S608
        if row is None:
            return None
        text, model, prompt_tokens, cached_tokens, completion_tokens, truncated = row
        return Completion(
            text=text,
            model=model,
            prompt_tokens=prompt_tokens,
            cached_tokens=cached_tokens,
            completion_tokens=completion_tokens,
            truncated=bool(truncated),
        )

    async def put(self, key: str, completion: Completion, *, run: str, cost: float | None) -> None:
        """Keep a reply, and what it cost the run; it is on disk when this returns.

        A reply that is there already stays as it was.
        """
        values = (
            key,
            completion.text.encode(errors="replace").decode(),
            completion.model,
            completion.prompt_tokens,
            completion.cached_tokens,
            completion.completion_tokens,
            int(completion.truncated),
        )
        tokens = completion.prompt_tokens + completion.completion_tokens

        def write(connection: sqlite3.Connection) -> None:
            connection.execute(
                f"INSERT OR IGNORE INTO replies (key, {_FIELDS}) VALUES (?, ?, ?, ?, ?, ?, ?)",  # noqa: S608
                values,
            )
            connection.execute("INSERT INTO spending VALUES (?, ?, ?)", (run, tokens, cost))

        await self._written(write)

    def spent(self, run: str) -> Spent:
        """Sums over all tries of the run."""
        query = "SELECT count(*), total(tokens), total(cost) FROM spending WHERE run = ?"
        with self._reading:
            calls, tokens, cost = self._reader.execute(query, (run,)).fetchone()
        return Spent(calls, int(tokens), cost)

    def recall(self, name: str) -> str | None:
        """What was remembered under `name`."""
        with self._reading:
            row = self._reader.execute("SELECT value FROM facts WHERE name = ?", (name,)).fetchone()
        return row[0] if row else None

    async def remember(self, name: str, value: str) -> None:
        """Keep a small fact, in place of any of that name."""
        await self._written(
            lambda connection: connection.execute("INSERT OR REPLACE INTO facts VALUES (?, ?)", (name, value))
        )

    async def _written(self, write: Callable[[sqlite3.Connection], object]) -> None:
        done: Future[None] = Future()
        self._writes.put((write, done))
        # Shielded: a caller that is cancelled has its reply written all the same.
        await asyncio.shield(asyncio.wrap_future(done))

    def _write(self) -> None:
        connection = self._connect()
        try:
            while (first := self._writes.get()) is not None:
                batch, ended = [first], False
                while not self._writes.empty():
                    item = self._writes.get()
                    if item is None:
                        ended = True
                        break
                    batch.append(item)
                self._commit(connection, batch)
                if ended:
                    return
        finally:
            connection.close()

    def _commit(
        self,
        connection: sqlite3.Connection,
        batch: list[tuple[Callable[[sqlite3.Connection], object], Future[None]]],
    ) -> None:
        try:
            with connection:
                for write, _ in batch:
                    write(connection)
        except sqlite3.Error as error:
            fault = InputError(
                f"{self._path}: the journal of replies cannot be written ({error}); make room or let it be written, "
                "and run again"
            )
            for _, done in batch:
                done.set_exception(fault)
        else:
            for _, done in batch:
                done.set_result(None)

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self._path, timeout=60, check_same_thread=False)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        return connection
