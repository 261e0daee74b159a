"""The parts of a service: command, environment and readiness of each process."""

import os
import socket
import sys
import time
from collections.abc import Callable, Collection
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import NamedTuple

import httpx

from flows import ROOT
from flows.deploy.deployments import POOL
from flows.deploy.service.secret import ASKED, SENT
from ragset.models import Model
from ragset.settings import Environment

Ready = Callable[[], bool]
HOST = "127.0.0.1"
WORKER = "worker-"
_OTHERS = {"PREFECT_API_KEY", "PREFECT_PROFILE", "PREFECT_PROFILES_PATH", SENT, ASKED}
"""Variables of the user's own Prefect, which may be another one."""


class Addresses(Model):
    """Where the parts of a service are found."""

    api: str
    ui: str
    reports: str
    milvus: str | None
    """None: a server that is no part of the service, and that `MILVUS_URI` names."""

    @classmethod
    def of(cls, port: int, env: Environment) -> "Addresses":
        """Prefect at `port`, the others at the two ports after it."""
        prefect, reports, milvus = (f"http://{HOST}:{port + place}" for place in range(3))
        named = "://" in (env.milvus_uri or "")
        return cls(api=f"{prefect}/api", ui=prefect, reports=reports, milvus=None if named else milvus)


class Service(Model):
    """A service that runs, or ran when this was written down."""

    folder: Path
    """Its state, its logs and Prefect's database."""
    port: int
    where: Addresses
    served: Path  # the folder of the reports
    pids: dict[str, int]  # by part


class Part(NamedTuple):
    """A process of a service."""

    name: str
    command: list[str]
    env: dict[str, str]
    cwd: Path
    ready: Ready
    port: int | None = None


def servers(service: Service, env: Environment, secret: str) -> list[Part]:
    """Prefect's server, the reports, and Milvus Lite as a server: its file belongs to one process, and several need it."""
    folder, where, port = service.folder, service.where, service.port
    of_runs = {"OPENAI_API_KEY", "MILVUS_TOKEN", "RAGSET_CHUNKS_TOKEN", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"}
    plain = _environment(service, without=of_runs)
    ours = {
        **plain,
        # For modules of flows, wherever the process starts.
        "PYTHONPATH": os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")])),
        "RAGSET_HOSTS": env.ragset_hosts or "",
    }
    prefect = {
        **ours,
        ASKED: secret,
        "PREFECT_SERVER_UI_API_URL": where.api,
        # SQLite has one writer at a time, for which the others wait.
        "PREFECT_SERVER_DATABASE_TIMEOUT": "60",
        "PREFECT_SERVER_CORS_ALLOWED_ORIGINS": f"{where.ui},http://localhost:{port}",
        "PREFECT_SERVER_UI_SHOW_PROMOTIONAL_CONTENT": "false",
    }
    reports = {**ours, "RAGSET_HOME": str(env.ragset_home.resolve())}  # for the token and the leases of reviews

    def part(name: str, command: str, env: dict[str, str], port: int, *more: Path, ready: Ready | None = None) -> Part:
        words = [*command.format(host=HOST, port=port).split(), *map(str, more)]
        return Part(name, [sys.executable, "-m", *words], env, folder, ready or partial(_listens, port), port)

    healthy = partial(_answers, port, "/api/health")
    started = [
        part("server", "flows.deploy.prefect_server {host} {port}", prefect, port, ready=healthy),
        part("reports", "flows.deploy.service.reports {host} {port}", reports, port + 1, service.served),
    ]
    if where.milvus:
        from ragset.retrieval.milvus.connection import LITE_LIMITS

        command = "milvus_lite server --host {host} --port {port} --data-dir"
        started.append(part("milvus", command, {**LITE_LIMITS, **plain}, port + 2, milvus_file(env)))
    return started


def worker(name: str, service: Service, env: Environment, secret: str) -> Part:
    """A worker that takes runs from the work pool. It starts in a folder of its own, as one on another machine would."""
    home = env.ragset_home.resolve()
    allowed = {"RAGSET_SYSTEMS": env.ragset_systems, "RAGSET_MODELS": env.ragset_models}
    if env.ragset_roots is not None:
        roots = filter(None, (root.strip() for root in env.ragset_roots.split(",")))
        allowed["RAGSET_ROOTS"] = ",".join(root if "://" in root else str(Path(root).resolve()) for root in roots)
    environment = {
        **_environment(service),
        SENT: secret,
        **{name: value for name, value in allowed.items() if value is not None},
        "RAGSET_HOME": str(home),
        "RAGSET_REPORTS": str(service.served),
        "RAGSET_REPORTS_URL": service.where.reports,
        **({"MILVUS_URI": service.where.milvus} if service.where.milvus else {}),
        "PREFECT_RESULTS_LOCAL_STORAGE_PATH": str(home / "results"),
        "PREFECT_WORKER_QUERY_SECONDS": os.environ.get("PREFECT_WORKER_QUERY_SECONDS", "3"),
        "PREFECT_WORKER_ENABLE_CANCELLATION": "true",
        "PREFECT_WORKER_CANCELLATION_POLL_SECONDS": "5",
    }
    words = f"-m prefect worker start --pool {POOL} --name {name} --type process --install-policy never".split()
    return Part(
        name, [sys.executable, *words], environment, service.folder / "work", partial(_online, name, time.time())
    )


def milvus_file(env: Environment) -> Path:
    """What Milvus Lite serves: the file that commands open without a service."""
    return (Path(env.milvus_uri) if env.milvus_uri else env.ragset_home / "milvus.db").resolve()


def point_here(service: Service, secret: str) -> None:
    """Make Prefect in this process use the service's server, whatever else is configured."""
    for name in _OTHERS:
        os.environ.pop(name, None)
    os.environ.update({**_client_environment(service), SENT: secret})


def is_free(port: int) -> bool:
    """Whether nothing listens at the port."""
    with socket.socket() as tried:
        tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            tried.bind((HOST, port))
        except OSError:
            return False
    return True


def _client_environment(service: Service) -> dict[str, str]:
    return {
        "PREFECT_HOME": str(service.folder / "prefect"),
        "PREFECT_API_URL": service.where.api,
        "PREFECT_UI_URL": service.where.ui,
        "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
        "DO_NOT_TRACK": "1",
        "NO_COLOR": "1",
    }


def _environment(service: Service, without: Collection[str] = ()) -> dict[str, str]:
    inherited = {name: value for name, value in os.environ.items() if name not in _OTHERS.union(without)}
    return {**inherited, **_client_environment(service), "PYTHONUNBUFFERED": "1"}


def _answers(port: int, path: str) -> bool:
    try:
        return httpx.get(f"http://{HOST}:{port}{path}", timeout=5, trust_env=False).is_success
    except httpx.HTTPError:
        return False


def _listens(port: int) -> bool:
    try:
        with socket.create_connection((HOST, port), timeout=1):
            return True
    except OSError:
        return False


def _online(name: str, began: float) -> bool:
    from prefect.client.orchestration import get_client

    with get_client(sync_client=True) as client:
        path, named = "/work_pools/{work_pool_name}/workers/filter", {"work_pool_name": POOL}
        workers = client.request("POST", path, path_params=named, json={}).json()
    return any(
        found["name"] == name
        and found["status"] == "ONLINE"
        # An earlier worker may have had the name.
        and datetime.fromisoformat(found["last_heartbeat_time"]).timestamp() >= began
        for found in workers
    )
