"""Where the journal's tables are: a file of SQLite, or a Postgres database that processes on several machines share.

Statements are the same for both, with `?` for parameters; only how tables are made differs.
"""

import hashlib
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any, Protocol

from ragset.errors import InputError


class Statements(Protocol):
    """A transaction that is going on."""

    def execute(self, query: str, parameters: Sequence[Any], /) -> Any:
        """Do it once."""
        ...

    def executemany(self, query: str, parameters: Sequence[Sequence[Any]], /) -> Any:
        """Do it for each."""
        ...


Write = Callable[[Statements], object]


class Database(Protocol):
    """Safe in threads. Waits for a while where another process or a restart is in the way."""

    fast: bool
    """Whether reads and claims take microseconds, so that an event loop may wait for them."""
    spend: str
    """The statement that adds the tokens and the cost of a call to a run: parameters run, tokens, cost or None."""
    spent: str
    """The query for calls, tokens and cost of a run."""
    embeddings: str
    """The name of what holds the embeddings, for messages."""

    def select(self, query: str, parameters: Sequence[Any]) -> list[tuple[Any, ...]]:
        """The rows that a query finds; raises InputError."""
        ...

    def write(self, steps: Iterable[Write]) -> None:
        """Do all or none; on return it is on disk. Raises InputError if the database is out of reach, or what it said."""
        ...

    def claim(self, keys: Collection[str]) -> set[str]:
        """Those of `keys` that nobody has claimed; claims end with this process, and the first `MOST_CLAIMS` are seen by others."""
        ...

    def release(self, keys: Iterable[str]) -> None:
        """Let claims go; those of others stay."""
        ...

    def text(self, value: str) -> object:
        """The parameter for a text that may hold any character."""
        ...

    def check_room(self) -> None:
        """Raise DiskFull where a reply would find no room."""
        ...

    def fault(self, error: Exception) -> InputError:
        """What to tell of a write that failed."""
        ...

    def hurry(self) -> None:
        """Wait for nothing longer than a process that has to end can."""
        ...

    def close(self) -> None:
        """Let go of all claims."""
        ...


MOST_CLAIMS = 512
"""Of one process at a time, since Postgres has a few thousand locks for all; what is beyond passes without a claim."""


def number_of(key: str) -> int:
    """63 bits that stand for a key in locks."""
    return int.from_bytes(hashlib.sha256(key.encode()).digest()[:8]) >> 1
