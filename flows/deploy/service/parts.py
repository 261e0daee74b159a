"""The parts of a service: command, environment and readiness of each process."""

import os
import socket
import sys
import time
from collections.abc import Callable
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import NamedTuple

from flows import ROOT
from flows.deploy.deployments import POOL
from flows.deploy.service.secret import ASKED, SENT
from ragset.models import Model
from ragset.settings import Environment

HOST = "127.0.0.1"
_OTHERS = {"PREFECT_API_KEY", "PREFECT_PROFILE", "PREFECT_PROFILES_PATH", SENT, ASKED}
"""Of the user's Prefect, which may be another one."""

_KEYS = {"OPENAI_API_KEY", "MILVUS_TOKEN"}
"""Only runs need them."""


OPTIONS = {"server": "--port", "reports": "--reports-port", "milvus": "--milvus-port"}
"""Of the command line, by the part whose port they set."""


class Ports(Model):
    """On which the servers of a service listen."""

    prefect: int
    reports: int
    milvus: int


class AskedPorts(Model):
    """None: not asked for."""

    prefect: int | None = None
    reports: int | None = None
    milvus: int | None = None

    @property
    def filled(self) -> Ports:
        """With those that nobody asked for: 4200, and the two after Prefect's."""
        prefect = self.prefect or 4200
        return Ports(prefect=prefect, reports=self.reports or prefect + 1, milvus=self.milvus or prefect + 2)

    def other_than(self, running: Ports) -> str | None:
        """The option that asks for another port than the running one."""
        asked, used = (self.prefect, self.reports, self.milvus), (running.prefect, running.reports, running.milvus)
        differ = (one not in (None, other) for one, other in zip(asked, used, strict=True))
        return next((option for option, differs in zip(OPTIONS.values(), differ, strict=True) if differs), None)


class Addresses(Model):
    """Where the parts of a service are found."""

    api: str
    ui: str
    reports: str
    milvus: str | None
    """None: a server that is no part of the service, and that `MILVUS_URI` names."""


class Part(NamedTuple):
    """A process of a service."""

    name: str
    command: list[str]
    env: dict[str, str]
    cwd: Path
    ready: Callable[[], bool]
    """Whether it works."""
    port: int | None = None


def addresses(ports: Ports, env: Environment) -> Addresses:
    """Of a service on these ports; a Milvus server that the environment names is used instead of an own one."""
    return Addresses(
        api=f"http://{HOST}:{ports.prefect}/api",
        ui=f"http://{HOST}:{ports.prefect}",
        reports=f"http://{HOST}:{ports.reports}",
        milvus=None if "://" in (env.milvus_uri or "") else f"http://{HOST}:{ports.milvus}",
    )


def servers(folder: Path, env: Environment, served: Path, ports: Ports, where: Addresses, secret: str) -> list[Part]:
    """Prefect's server on a database in `folder`, the reports, and Milvus Lite as a server.

    The file of Milvus Lite belongs to one process, and a service has several that need it.
    """
    plain = _environment(folder, where, keys=False)
    # For modules of flows, wherever the process starts.
    ours = {
        "PYTHONPATH": os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")])),
        "RAGSET_HOSTS": env.ragset_hosts or "",
    }
    prefect = {
        **plain,
        **ours,
        ASKED: secret,
        "PREFECT_SERVER_UI_API_URL": where.api,
        # SQLite has one writer at a time, for which the others wait.
        "PREFECT_SERVER_DATABASE_TIMEOUT": "60",
        "PREFECT_SERVER_CORS_ALLOWED_ORIGINS": f"{where.ui},http://localhost:{ports.prefect}",
        "PREFECT_SERVER_UI_SHOW_PROMOTIONAL_CONTENT": "false",
    }
    started = [
        Part(
            "server",
            _python("flows.deploy.prefect_server", HOST, str(ports.prefect)),
            prefect,
            folder,
            partial(_answers, f"{where.api}/health"),
            ports.prefect,
        ),
        Part(
            "reports",
            _python("flows.deploy.service.reports", HOST, str(ports.reports), str(served)),
            {**plain, **ours},
            folder,
            partial(_listens, ports.reports),
            ports.reports,
        ),
    ]
    if where.milvus:
        data = ["--data-dir", str(milvus_file(env))]
        command = _python("milvus_lite", "server", "--host", HOST, "--port", str(ports.milvus), *data)
        started.append(Part("milvus", command, plain, folder, partial(_listens, ports.milvus), ports.milvus))
    return started


def worker(name: str, folder: Path, env: Environment, served: Path, where: Addresses, secret: str) -> Part:
    """A worker that takes runs from the work pool. It starts in a folder of its own, as one on another machine would."""
    command = _python("prefect", "worker", "start", "--pool", POOL, "--name", name, "--type", "process")
    home = env.ragset_home.resolve()
    more = {
        **_environment(folder, where, keys=True),
        SENT: secret,
        **_limits(env),
        "RAGSET_HOME": str(home),
        "RAGSET_REPORTS": str(served),
        "RAGSET_REPORTS_URL": where.reports,
        **({"MILVUS_URI": where.milvus} if where.milvus else {}),
        "PREFECT_RESULTS_LOCAL_STORAGE_PATH": str(home / "results"),
        "PREFECT_WORKER_QUERY_SECONDS": os.environ.get("PREFECT_WORKER_QUERY_SECONDS", "3"),
        "PREFECT_WORKER_ENABLE_CANCELLATION": "true",
        "PREFECT_WORKER_CANCELLATION_POLL_SECONDS": "5",
    }
    return Part(
        name, [*command, "--install-policy", "never"], more, folder / "work", partial(_online, name, time.time())
    )


def _limits(env: Environment) -> dict[str, str]:
    """Environment variables for what runs may name, where they are set; folders in full, as a worker starts elsewhere."""
    set_to = {"RAGSET_SYSTEMS": env.ragset_systems, "RAGSET_MODELS": env.ragset_models}
    if env.ragset_roots is not None:
        roots = (root.strip() for root in env.ragset_roots.split(","))
        set_to["RAGSET_ROOTS"] = ",".join(
            root if "://" in root else str(Path(root).resolve()) for root in roots if root
        )
    return {name: value for name, value in set_to.items() if value is not None}


def milvus_file(env: Environment) -> Path:
    """What Milvus Lite serves: the file that commands open without a service."""
    return (Path(env.milvus_uri) if env.milvus_uri else env.ragset_home / "milvus.db").resolve()


def point_here(folder: Path, where: Addresses, secret: str) -> None:
    """Make Prefect in this process use the service's server, whatever else is configured."""
    for name in _OTHERS:
        os.environ.pop(name, None)
    os.environ.update({**_client_environment(folder, where), SENT: secret})


def free(port: int) -> bool:
    """Whether nothing listens there."""
    with socket.socket() as tried:
        tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            tried.bind((HOST, port))
        except OSError:
            return False
    return True


def _python(module: str, *arguments: str) -> list[str]:
    return [sys.executable, "-m", module, *arguments]


def _client_environment(folder: Path, where: Addresses) -> dict[str, str]:
    return {
        "PREFECT_HOME": str(folder / "prefect"),
        "PREFECT_API_URL": where.api,
        "PREFECT_UI_URL": where.ui,
        "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
        "DO_NOT_TRACK": "1",
        "NO_COLOR": "1",
    }


def _environment(folder: Path, where: Addresses, *, keys: bool) -> dict[str, str]:
    left_out = _OTHERS if keys else _OTHERS | _KEYS
    inherited = {name: value for name, value in os.environ.items() if name not in left_out}
    return {**inherited, **_client_environment(folder, where), "PYTHONUNBUFFERED": "1"}


def _answers(url: str) -> bool:
    import httpx

    try:
        return httpx.get(url, timeout=5, trust_env=False).is_success
    except httpx.HTTPError:
        return False


def _listens(port: int) -> bool:
    try:
        with socket.create_connection((HOST, port), timeout=1):
            return True
    except OSError:
        return False


def _online(name: str, began: float) -> bool:
    """Whether this worker has been heard of since it was started; one of its name may have been there before."""
    from prefect.client.orchestration import get_client

    with get_client(sync_client=True) as client:
        response = client.request(
            "POST", "/work_pools/{work_pool_name}/workers/filter", path_params={"work_pool_name": POOL}, json={}
        )
    return any(
        found["name"] == name
        and found["status"] == "ONLINE"
        and datetime.fromisoformat(found["last_heartbeat_time"]).timestamp() >= began
        for found in response.json()
    )
