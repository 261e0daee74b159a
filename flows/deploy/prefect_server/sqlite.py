"""Prefect's server on SQLite, with writers that take turns."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any


def take_turns() -> None:
    """Let the transactions of a Prefect server in this process take the right to write when they begin.

    Prefect 3.8 begins most of them as readers. One that writes after it has read fails at once with "database is locked"
    where another has written meanwhile, whatever the time-out: events are lost, and requests are answered with 503.
    """
    from prefect.server.database.configurations import SQLITE_BEGIN_MODE, AioSqliteConfiguration

    @asynccontextmanager
    async def begin_transaction(_: Any, session: Any, with_for_update: bool = False) -> AsyncGenerator[Any]:
        del with_for_update
        token = SQLITE_BEGIN_MODE.set("IMMEDIATE")
        try:
            async with session.begin() as transaction:
                yield transaction
        finally:
            SQLITE_BEGIN_MODE.reset(token)

    configuration: Any = AioSqliteConfiguration
    configuration.begin_transaction = begin_transaction
