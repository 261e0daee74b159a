"""The journal in a Postgres database, for processes on several machines.

One connection a process, so that a cluster needs no more connections than it has workers. A claim is an advisory lock
of the session, which Postgres frees when the process dies.
"""

import json
import logging
import threading
import time
import uuid
from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import count, islice
from typing import Any, TypeVar

import psycopg
from psycopg.conninfo import conninfo_to_dict
from psycopg.types.json import Json
from pydantic import SecretStr

from ragset.errors import InputError
from ragset.llm.databases import MOST_CLAIMS, Write, number_of

T = TypeVar("T")
_log = logging.getLogger(__name__)

# A text is JSON, since a text of Postgres cannot hold every character. Spending is a sum for each session, since all
# processes of a run read it again and again.
_SCHEMA = """
CREATE SCHEMA IF NOT EXISTS ragset;
CREATE TABLE IF NOT EXISTS replies (
    key TEXT PRIMARY KEY, text JSON NOT NULL, model TEXT NOT NULL, prompt_tokens BIGINT NOT NULL,
    cached_tokens BIGINT NOT NULL, completion_tokens BIGINT NOT NULL, truncated BOOLEAN NOT NULL, batch BOOLEAN NOT NULL,
    seconds DOUBLE PRECISION
);
CREATE TABLE IF NOT EXISTS spending (
    run TEXT, session INTEGER DEFAULT pg_backend_pid(), calls BIGINT NOT NULL, tokens BIGINT NOT NULL,
    cost DOUBLE PRECISION NOT NULL, PRIMARY KEY (run, session)
);
CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS vectors (key BYTEA PRIMARY KEY, vector BYTEA NOT NULL, tokens BIGINT NOT NULL);
CREATE TABLE IF NOT EXISTS writers (id UUID PRIMARY KEY, transactions BIGINT NOT NULL);
"""
# Changes nothing if this transaction was done, and the connection broke before we were told.
_ONCE = """
INSERT INTO writers VALUES (%s, %s)
ON CONFLICT (id) DO UPDATE SET transactions = EXCLUDED.transactions WHERE writers.transactions < EXCLUDED.transactions
RETURNING id
"""
_PATIENCE = 60.0  # seconds in which a server may restart
_OPENING, _CLOSING = 5.0, 5.0  # the same before anything is paid, and when the process has to end
# A machine that vanished is noticed after a minute, by us and by the server.
_ALIVE = {"keepalives_idle": 30, "keepalives_interval": 10, "keepalives_count": 3, "tcp_user_timeout": 60_000}
_SESSION = "SET tcp_keepalives_idle = 30; SET tcp_keepalives_interval = 10; SET tcp_keepalives_count = 3; SET search_path = ragset"
_MAKING = number_of("ragset: the tables of the journal")


class Postgres:
    """`Database` at an address, in the schema `ragset`."""

    fast = False
    spend = (
        "INSERT INTO spending (run, calls, tokens, cost) VALUES (?, 1, ?, coalesce(?, 0)) ON CONFLICT (run, session) DO UPDATE "
        "SET calls = spending.calls + 1, tokens = spending.tokens + EXCLUDED.tokens, cost = spending.cost + EXCLUDED.cost"
    )
    spent = (
        "SELECT coalesce(sum(calls), 0)::bigint, coalesce(sum(tokens), 0)::bigint, coalesce(sum(cost), 0) "
        "FROM spending WHERE run = ?"
    )
    embeddings = "the table ragset.vectors of RAGSET_JOURNAL"

    def __init__(self, address: SecretStr) -> None:
        self._options: dict[str, Any] = {
            "connect_timeout": 10,
            "application_name": "ragset",
            **_ALIVE,
            **_options(address),
        }
        self._place = f"{self._options.get('host', 'localhost')}/{self._options.get('dbname', '')}"
        self._using = threading.Lock()
        self._held = set[str]()
        self._writer, self._transactions = uuid.uuid4(), count(1)
        self._patience = _OPENING
        self._connection: psycopg.Connection | None = None
        try:
            self._patiently(_make_tables)
        except psycopg.Error as error:
            raise self._unreadable(error) from None
        self._patience = _PATIENCE

    def select(self, query: str, parameters: Sequence[Any]) -> list[tuple[Any, ...]]:
        """As `Database.select`."""
        try:
            return self._patiently(lambda connection: connection.execute(_of_psycopg(query), parameters).fetchall())
        except psycopg.Error as error:
            raise self._unreadable(error) from None

    def write(self, steps: Iterable[Write]) -> None:
        """As `Database.write`; what it said is an error of psycopg."""
        once, steps = (self._writer, next(self._transactions)), tuple(steps)

        def attempt(connection: psycopg.Connection) -> None:
            # A pipeline: statements do not wait for each other's answers from the server.
            with connection.pipeline(), connection.transaction(), connection.cursor() as cursor:
                if cursor.execute(_ONCE, once).fetchall():
                    for step in steps:
                        step(_Translated(cursor))

        self._patiently(attempt)

    def claim(self, keys: Collection[str]) -> set[str]:
        """As `Database.claim`."""

        def attempt(connection: psycopg.Connection) -> set[str]:
            free = set(keys) - self._held
            watched = set(islice(free, max(0, MOST_CLAIMS - len(self._held))))
            claimed = _lock(connection, watched)
            self._held |= claimed
            return free - watched | claimed

        return self._patiently(attempt)

    def release(self, keys: Iterable[str]) -> None:
        """As `Database.release`."""
        with self._using:
            free = self._held.intersection(keys)
            self._held -= free
            if self._connection and not self._connection.closed:
                try:
                    numbers = [number_of(key) for key in free]
                    self._connection.execute("SELECT pg_advisory_unlock(k) FROM unnest(%s::bigint[]) k", (numbers,))
                except psycopg.OperationalError:
                    self._connection.close()  # whose locks go with it

    def text(self, value: str) -> Json:
        """As JSON in ASCII."""
        return Json(value, json.dumps)

    def check_room(self) -> None:
        """The server says so itself."""

    def fault(self, error: Exception) -> InputError:
        """As `Database.fault`."""
        if isinstance(error, InputError):
            return error
        return InputError(
            f"RAGSET_JOURNAL: the journal at {self._place} cannot be written ({_said(error)}); let it be written. Run the same "
            "command then: what was kept is not asked again"
        )

    def hurry(self) -> None:
        """Wait no longer for a server than a process that has to end can."""
        self._patience = min(self._patience, _CLOSING)

    def close(self) -> None:
        """End the session."""
        with self._using:
            if self._connection:
                self._connection.close()

    def _patiently(self, step: Callable[[psycopg.Connection], T]) -> T:
        """Do a step, again from its beginning after a restart of the server."""
        began = time.monotonic()
        with self._using:
            for attempt in count():
                try:
                    if self._connection is None or self._connection.closed:
                        self._connection = self._connect()
                    done = step(self._connection)
                except psycopg.OperationalError as error:
                    if time.monotonic() - began >= self._patience or _refused(error):
                        self._patience = 0.0  # what waits would wait as long again
                        raise InputError(
                            f"RAGSET_JOURNAL: the journal at {self._place} cannot be reached ({_said(error)}); start the "
                            "server, or correct the address. Run the same command then: what was kept is not asked again"
                        ) from None
                    if attempt == 1:
                        _log.warning(
                            "RAGSET_JOURNAL: %s does not answer (%s); waiting for it", self._place, _said(error)
                        )
                    time.sleep(min(0.05 * 2**attempt, 1.0))
                else:
                    return done
        raise AssertionError

    def _connect(self) -> psycopg.Connection:
        connection = psycopg.connect(**self._options, autocommit=True)
        connection.execute(_SESSION)
        # Another process may have been quicker: then one call is made twice, and its first reply is kept.
        _lock(connection, self._held)
        return connection

    def _unreadable(self, error: psycopg.Error) -> InputError:
        return InputError(
            f"RAGSET_JOURNAL: the journal at {self._place} cannot be read ({_said(error)}). Let its user make and read the schema "
            "ragset; if that is damaged or of another release, rename it, and its replies will be asked for again"
        )


class _Translated:
    """`Statements`, with the placeholders of psycopg."""

    def __init__(self, cursor: psycopg.Cursor) -> None:
        self._cursor = cursor

    def execute(self, query: str, parameters: Sequence[Any], /) -> object:
        return self._cursor.execute(_of_psycopg(query), parameters)

    def executemany(self, query: str, parameters: Sequence[Sequence[Any]], /) -> object:
        return self._cursor.executemany(_of_psycopg(query), parameters)


def _of_psycopg(query: str) -> bytes:
    return query.replace("?", "%s").encode()


def _make_tables(connection: psycopg.Connection) -> None:
    there = "SELECT 1 WHERE to_regclass('ragset.replies') IS NOT NULL"
    if not connection.execute(there).fetchone():  # a user that may not make tables can use those that are there
        with connection.transaction():  # several processes may open a new journal at once
            connection.execute("SELECT pg_advisory_xact_lock(%s)", (_MAKING,))
            connection.execute(_SCHEMA)


def _lock(connection: psycopg.Connection, keys: Collection[str]) -> set[str]:
    numbers = {number_of(key): key for key in keys}
    query = "SELECT k FROM unnest(%s::bigint[]) k WHERE pg_try_advisory_lock(k)"
    return {numbers[k] for (k,) in connection.execute(query, (list(numbers),))} if numbers else set()


def _options(address: SecretStr) -> dict[str, Any]:
    """Of the connection; what libpq says of a wrong address could quote its password."""
    try:
        found = conninfo_to_dict(address.get_secret_value())
    except psycopg.Error:
        found = {"port": "unreadable"}
    shown = {str(value) for name, value in found.items() if name not in {"user", "password"}}
    ports = str(found.get("port", "")).replace(",", "")
    if any("@" in value for value in shown) or not (ports.isdecimal() or not ports):
        raise InputError(
            "RAGSET_JOURNAL: is no address of a Postgres database; write postgresql://USER:PASSWORD@HOST:PORT/DATABASE, "
            "with %40, %2F and the like for special characters of the password"
        )
    return found


def _refused(error: psycopg.OperationalError) -> bool:
    """Whether a server that is up refused the connection, so that waiting does not help."""
    reasons = ("authentication failed", "does not exist", "pg_hba.conf", "permission denied", "no password supplied")
    return error.sqlstate is None and any(reason in str(error) for reason in reasons)


def _said(error: Exception) -> str:
    return " ".join(str(error).split())
