"""Prefect's server behind a guard: `python -m flows.deploy.prefect_server 127.0.0.1 4200`.

It refuses to start without a secret, PREFECT_SERVER_API_AUTH_STRING. RAGSET_HOSTS, names with commas between, are those under
which it is asked for, beside 127.0.0.1 and localhost. With `--parent` it ends with that process, which
started it; with `--no-services` it leaves schedules and automations to another process.
"""

import argparse
import os
import sys
import threading
import time
from typing import Any

from flows.deploy.prefect_server.guard import Guard, known_hosts
from flows.deploy.prefect_server.sqlite import take_turns


def serve(host: str, port: int, *, services: bool = True) -> None:
    """Serve until told to stop."""
    # Prefect's own default lets the pages of every site read what its API answers.
    os.environ.setdefault("PREFECT_SERVER_CORS_ALLOWED_ORIGINS", f"http://{host}:{port}")
    # In the memory of the server, as Prefect has it, leases end with it, and their slots would count as taken for ever.
    leases = "prefect.server.concurrency.lease_storage.filesystem"
    os.environ.setdefault("PREFECT_SERVER_CONCURRENCY_LEASE_STORAGE", leases)
    import uvicorn
    from prefect.server.api.server import create_app
    from prefect.settings import get_current_settings

    settings = get_current_settings().server
    if not settings.api.auth_string:
        sys.exit(
            "PREFECT_SERVER_API_AUTH_STRING: is empty; whoever reaches the server could run code: set it to a secret"
        )
    take_turns()
    guarded: Any = Guard(
        create_app(final=True, webserver_only=not services),
        known_hosts(),
        settings.api.cors_allowed_origins.split(","),
        sign_in=True,
    )
    uvicorn.run(guarded, host=host, port=port, log_level=settings.logging_level.lower(), lifespan="on")


def _end_with(parent: int) -> None:
    """End this process when the one that started it is gone, however and whenever it went."""

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
