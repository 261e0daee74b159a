"""Prefect's server behind a guard: `python -m flows.deploy.prefect_server 127.0.0.1 4200`.

It refuses to start without a secret, PREFECT_SERVER_API_AUTH_STRING. It answers to 127.0.0.1, localhost and the names in
RAGSET_HOSTS, with commas between. With `--parent` it ends with that process, which started it; with `--no-services` it
leaves schedules and automations to another process.
"""

import argparse
import functools
import os
import sys
import threading
import time
import zoneinfo
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

from flows.deploy.prefect_server.guard import Guard, known_hosts


def serve(host: str, port: int, *, services: bool = True) -> None:
    """Serve until the process is told to stop."""
    # Prefect's own default lets the pages of every site read what its API answers.
    os.environ.setdefault("PREFECT_SERVER_CORS_ALLOWED_ORIGINS", f"http://{host}:{port}")
    # Prefect keeps leases in the memory of its server. They would end with it, and their slots count as taken for ever.
    leases = "prefect.server.concurrency.lease_storage.filesystem"
    os.environ.setdefault("PREFECT_SERVER_CONCURRENCY_LEASE_STORAGE", leases)
    # Prefect asks for the time zones at each schedule that it reads, and each answer opens 600 files: 13 ms.
    zoneinfo.available_timezones = functools.cache(zoneinfo.available_timezones)
    import uvicorn
    from prefect.server.api.server import create_app
    from prefect.settings import get_current_settings

    settings = get_current_settings().server
    if not settings.api.auth_string:
        sys.exit(
            "PREFECT_SERVER_API_AUTH_STRING: is empty; whoever reaches the server could run code: set it to a secret"
        )
    _take_turns()
    app = create_app(final=True, webserver_only=not services)
    guarded: Any = Guard(app, known_hosts(), settings.api.cors_allowed_origins.split(","), sign_in=True)
    uvicorn.run(guarded, host=host, port=port, log_level=settings.logging_level.lower(), lifespan="on")


def _take_turns() -> None:
    """Let each transaction of Prefect's server on SQLite take the right to write when it begins.

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


def _end_with(parent: int) -> None:
    """End this process when the one that started it is gone."""

    def watch() -> None:
        # Not compared with what os.getppid() said at first: the parent may have gone before this process could ask.
        while os.getppid() == parent:
            time.sleep(0.5)
        os._exit(0)

    threading.Thread(target=watch, daemon=True).start()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m flows.deploy.prefect_server")
    parser.add_argument("host")
    parser.add_argument("port", type=int)
    parser.add_argument("--no-services", action="store_true")
    parser.add_argument("--parent", type=int)
    asked = parser.parse_args()
    if asked.parent:
        _end_with(asked.parent)
    serve(asked.host, asked.port, services=not asked.no_services)
