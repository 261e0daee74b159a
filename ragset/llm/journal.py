"""Every reply that was paid for, kept before anything uses it, keyed by what the model saw.

Embeddings are beside them (see `ragset.retrieval.embedding.stored`). One thread writes all replies that wait in one
transaction. A process that is killed loses only the calls under way.
"""

import asyncio
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import SecretStr

from ragset.errors import InputError
from ragset.llm.databases import Database, Statements, Write
from ragset.llm.databases.sqlite import Sqlite
from ragset.llm.grouped_work import GroupedWork
from ragset.llm.protocol import Completion

_FIELDS = tuple(Completion.model_fields)
_GROUPED = 0.005  # seconds in which replies gather for one transaction; nobody who is to ask waits for it
_KEYS_AT_ONCE = 500  # of one query; SQLite bounds their number
_FIND = f"SELECT key, {', '.join(_FIELDS)} FROM replies WHERE key IN "  # noqa: S608
_INSERT = (
    f"INSERT INTO replies (key, {', '.join(_FIELDS)}) VALUES (?{', ?' * len(_FIELDS)}) "  # noqa: S608
    "ON CONFLICT DO NOTHING"
)
# Fails where tables are not those of this release.
_READABLE = f"SELECT key, {', '.join(_FIELDS)} FROM replies, (SELECT run, tokens, cost FROM spending) AS spent LIMIT 0"  # noqa: S608


class Spent(NamedTuple):
    """What one run has paid until now."""

    calls: int
    tokens: int
    cost: float


class Journal:
    """Opened once a process; several processes may share what is behind it."""

    def __init__(self, place: Path | SecretStr) -> None:
        """`place` is a file of SQLite, or the address of a Postgres database."""
        self._database = Sqlite(place) if isinstance(place, Path) else _postgres(place)
        self._fault: InputError | None = None  # why the first write failed that did
        try:
            self.select(_READABLE)
        except BaseException:
            self._database.close()
            raise
        self.embeddings = self._database.embeddings  # the name of what holds them, for messages
        self.spend = self._database.spend  # the statement for `write`, as in `Database`
        self._thread = ThreadPoolExecutor(1, "journal")
        self._writing = GroupedWork(self._thread, self._write)
        self._finding = GroupedWork(self._thread, self._find)
        self._claiming = GroupedWork(self._thread, self._claim)
        self._writing.pause = _GROUPED if self._database.fast else 0.0

    def close(self) -> None:
        """Write what waits, and let the database go."""
        self._database.hurry()
        self._writing.pause = 0.0
        self._thread.shutdown()
        self._database.close()

    def check(self) -> None:
        """Raise InputError if a write has failed or the disk is full, before a reply is asked for."""
        if self._fault:
            raise type(self._fault)(str(self._fault))
        self._database.check_room()

    def get(self, key: str) -> Completion | None:
        """The reply kept under `key`, or None."""
        return self._find([key])[0]

    async def find(self, key: str) -> Completion | None:
        """As `get`, for event loops: they do not wait for a server."""
        return self.get(key) if self._database.fast else await self._finding.done(key)

    async def known(self, keys: Sequence[str]) -> list[str]:
        """Those of many keys under which a reply is kept."""

        def read() -> list[str]:
            groups = (keys[first : first + _KEYS_AT_ONCE] for first in range(0, len(keys), _KEYS_AT_ONCE))
            query = "SELECT key FROM replies WHERE key IN "
            return [key for some in groups for (key,) in self.select(query + _places(len(some)), *some)]

        return await asyncio.to_thread(read)

    async def claim(self, key: str) -> Completion | bool:
        """Whether this caller may ask for the reply, as nobody else in any process has claimed it; or the reply that is kept.

        The claim ends with `put`, `release` or the process.
        """
        if self._database.fast:
            return self._claim([key])[0]
        claiming = asyncio.wrap_future(self._claiming.submit(key))
        try:
            return await asyncio.shield(claiming)
        except asyncio.CancelledError:
            claiming.add_done_callback(
                lambda done: self.release(key) if not done.exception() and done.result() is True else None
            )
            raise

    def claim_now(self, key: str) -> bool:
        """Whether a thread may ask for what stands for `key`; `release` ends the claim."""
        return bool(self._database.claim([key]))

    def release(self, key: str) -> None:
        """Let a claim go without a reply."""
        if self._database.fast:
            self._database.release([key])
        else:
            with suppress(RuntimeError):  # closed meanwhile, and no claim is left
                self._thread.submit(self._database.release, [key])

    async def put(self, key: str, completion: Completion, *, run: str, cost: float | None) -> Completion:
        """Keep a reply if there is none, and what it cost the run; then the claim ends. The reply that is kept.

        It is on disk on return; cancelling does not stop it.
        """

        def write(statements: Statements) -> None:
            self._keep(statements, key, completion, run, cost)

        return await self._written(_Writing(write, key)) or completion

    async def put_batch(self, name: str, replies: Mapping[str, tuple[Completion, float | None]], *, run: str) -> bool:
        """Keep replies by key, each with its cost to the run, and forget the fact `name`: all or nothing.

        False: another process has done so.
        """
        kept = False

        def write(statements: Statements) -> None:
            nonlocal kept
            kept = bool(statements.execute("DELETE FROM facts WHERE name = ? RETURNING name", (name,)).fetchall())
            for key, (completion, cost) in replies.items() if kept else ():
                self._keep(statements, key, completion, run, cost)

        await self._written(_Writing(write))
        return kept

    def write(self, step: Write) -> None:
        """Have `step` write, for threads without an event loop; it is on disk on return."""
        self._writing.submit(_Writing(step)).result()

    def spent(self, run: str) -> Spent:
        """Sums over all tries of the run."""
        return Spent(*self.select(self._database.spent, run)[0])

    def recall(self, name: str) -> str | None:
        """The fact kept under `name`, or None."""
        rows = self.select("SELECT value FROM facts WHERE name = ?", name)
        return rows[0][0] if rows else None

    def facts(self, prefix: str) -> dict[str, str]:
        """The facts whose names begin so."""
        return dict(self.select("SELECT name, value FROM facts WHERE substr(name, 1, ?) = ?", len(prefix), prefix))

    async def remember(self, name: str, value: str) -> None:
        """Keep a small fact, in place of any of that name."""
        statement = "INSERT INTO facts VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value"

        def write(statements: Statements) -> None:
            statements.execute(statement, (name, value))

        await self._written(_Writing(write))

    def select(self, query: str, *parameters: str | bytes | int) -> list[tuple[Any, ...]]:
        """The rows that a query finds; raises InputError if the database is damaged or out of reach."""
        return self._database.select(query, parameters)

    async def _written(self, writing: "_Writing") -> Completion | None:
        return await self._writing.done(writing)

    def _write(self, batch: "Sequence[_Writing]") -> list[Completion | None]:
        try:
            self._database.write([writing.step for writing in batch])
        except Exception as error:
            if len(batch) > 1 and not isinstance(error, InputError):
                raise  # each is tried alone
            self._database.release([writing.key for writing in batch])
            fault = self._database.fault(error)
            self._fault = self._fault or fault
            raise fault from None
        kept = self._find([writing.key for writing in batch])
        self._database.release([writing.key for writing in batch])
        return kept

    def _keep(self, statements: Statements, key: str, completion: Completion, run: str, cost: float | None) -> None:
        values = {**completion.model_dump(), "text": self._database.text(completion.text)}
        statements.execute(_INSERT, (key, *values.values()))
        statements.execute(self.spend, (run, completion.prompt_tokens + completion.completion_tokens, cost))

    def _find(self, keys: Sequence[str]) -> list[Completion | None]:
        rows = self.select(_FIND + _places(len(keys)), *keys)
        found = {key: Completion(**dict(zip(_FIELDS, values, strict=True))) for key, *values in rows}
        return [found.get(key) for key in keys]

    def _claim(self, keys: Sequence[str]) -> list[Completion | bool]:
        free = self._database.claim(dict.fromkeys(keys))
        replies = dict(zip(free, self._find(list(free)), strict=True)) if free else {}
        if known := [key for key, reply in replies.items() if reply]:
            self._database.release(known)
        # Of two that want the same, one has it.
        return [(replies.pop(key) or True) if key in replies else False for key in keys]


def _places(count: int) -> str:
    return f"({', '.join('?' * count)})"


class _Writing(NamedTuple):
    step: Write
    key: str = ""  # of the reply, whose claim ends


def _postgres(address: SecretStr) -> Database:
    try:
        from ragset.llm.databases.postgres import Postgres
    except ImportError as error:
        raise InputError(f"RAGSET_JOURNAL needs psycopg: pip install 'ragset[postgres]' ({error})") from error
    return Postgres(address)
