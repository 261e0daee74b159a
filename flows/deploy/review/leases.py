"""Who looks at which item now: in SQLite, because several processes may serve one dataset."""

import sqlite3
import time
from collections import defaultdict
from collections.abc import Callable, Collection, Generator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path

SECONDS = 180.0
"""After which a lease ends by itself; an open page renews its own once a minute."""

Choose = Callable[[Mapping[str, Collection[str]]], str | None]
"""The item to give, by who else holds each item."""

_TABLE = """
CREATE TABLE IF NOT EXISTS leases (of_set TEXT, item TEXT, reviewer TEXT, ends REAL, PRIMARY KEY (of_set, item, reviewer))
"""


class Leases:
    """The leases of one set; all sets share the file."""

    def __init__(self, path: Path, of_set: str, clock: Callable[[], float] = time.time) -> None:
        self._path, self._set, self._clock = path, of_set, clock
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with self._open() as database:
            database.execute(_TABLE)

    def claim(self, reviewer: str, choose: Choose) -> str | None:
        """Lease the chosen item; nobody else can claim while one is chosen."""
        with self._open() as database:
            database.execute("BEGIN IMMEDIATE")
            others: dict[str, set[str]] = defaultdict(set)
            live = "SELECT item, reviewer FROM leases WHERE of_set = ? AND reviewer != ? AND ends > ?"
            for item, other in database.execute(live, (self._set, reviewer, self._clock())):
                others[item].add(other)
            item = choose(others)
            if item is not None:
                self._lease(database, [item], reviewer)
        return item

    def renew(self, items: Collection[str], reviewer: str) -> None:
        """Begin or prolong the reviewer's leases of these items."""
        with self._open() as database:
            self._lease(database, items, reviewer)

    def end(self, item: str, reviewer: str) -> None:
        """End a lease: the item is judged."""
        with self._open() as database:
            where = "of_set = ? AND item = ? AND reviewer = ?"
            database.execute(f"DELETE FROM leases WHERE {where}", (self._set, item, reviewer))  # noqa: S608

    def _lease(self, database: sqlite3.Connection, items: Collection[str], reviewer: str) -> None:
        now = self._clock()
        database.execute("DELETE FROM leases WHERE ends <= ?", (now,))
        rows = [(self._set, item, reviewer, now + SECONDS) for item in items]
        database.executemany("INSERT OR REPLACE INTO leases VALUES (?, ?, ?, ?)", rows)

    @contextmanager
    def _open(self) -> Generator[sqlite3.Connection]:
        with closing(sqlite3.connect(self._path, timeout=30)) as database, database:
            yield database
