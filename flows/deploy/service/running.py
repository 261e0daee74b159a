"""A service on this machine: Prefect's server, Milvus, the reports and the workers, started and ended together."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple
from uuid import UUID

from flows import ROOT
from flows.deploy.deployments import Limits, deploy
from flows.deploy.service import parts, processes
from flows.deploy.service.parts import OPTIONS, Addresses, AskedPorts, Part, Ports
from flows.deploy.service.secret import read_secret
from ragset.errors import InputError, ServerError
from ragset.models import Model
from ragset.settings import Environment
from ragset.settings.lock import hold

START_UP_SECONDS = 120
_SERVER, _WORKER = "server", "worker-"


class Service(Model):
    """One that runs, or ran when this was written down."""

    ports: Ports
    where: Addresses
    served: Path
    """The folder whose reports are served."""
    pids: dict[str, int]
    """Of the parts."""

    @property
    def workers(self) -> int:
        """How many take runs."""
        return sum(name.startswith(_WORKER) for name in self.pids)


class Served(NamedTuple):
    """What `serve` came to."""

    service: Service
    limits: Limits | None
    """None: all of it ran already, and nothing was done."""


def serve(asked: AskedPorts, workers: int, limits: Limits) -> Served:
    """Return when all parts work: deployed, and every worker online. What runs already is left as it is.

    Raises:
        InputError: a port is in use, or the service runs on others.
        ServerError: a part did not start; everything that this call started is ended again.
    """
    if sys.platform == "win32":
        raise InputError("serve: needs Linux or macOS; on Windows use WSL, or deployments/compose.yaml")
    env = Environment()
    folder = service_folder(env)
    with _alone(folder):
        service = _running(folder) or _new(asked, env)
        if service.pids and (other := asked.other_than(service.ports)):
            raise InputError(
                f"{other}: the service runs already, with {service.ports.prefect} as --port, {service.ports.reports} as "
                f"--reports-port and {service.ports.milvus} as --milvus-port; end it first: python -m flows stop"
            )
        secret = read_secret(folder)
        wanted = parts.servers(folder, env, service.served, service.ports, service.where, secret)
        wanted += [
            parts.worker(f"{_WORKER}{number}", folder, env, service.served, service.where, secret)
            for number in range(1, workers + 1)
        ]
        missing = [part for part in wanted if part.name not in service.pids]
        if not missing and limits == Limits():
            return Served(service, None)
        for part in missing:
            if part.port is not None and not parts.free(part.port):
                option = OPTIONS[part.name]
                raise InputError(
                    f"{option}: port {part.port} is in use by another program; choose another, such as {option} "
                    f"{part.port + 100}"
                )
        parts.point_here(folder, service.where, secret)
        before = processes.members(folder)
        try:
            service = _start(folder, service, [part for part in missing if not part.name.startswith(_WORKER)])
            set_to = deploy(limits).limits
            service = _start(folder, service, [part for part in missing if part.name.startswith(_WORKER)])
        except BaseException:
            processes.end(processes.members(folder) - before, folder)
            raise
    return Served(service, set_to)


def stop() -> int:
    """How many processes of the service were ended, runs of its workers among them; 0: there were none."""
    folder = service_folder(Environment())
    if not folder.is_dir():
        return 0
    with _alone(folder):
        everything = processes.members(folder)
        service = _running(folder)
        servers = {pid for name, pid in service.pids.items() if not name.startswith(_WORKER)} if service else set()
        begun: list[UUID] = []
        if service and _SERVER in service.pids:
            # A service whose secret is not to be used is ended all the same.
            with suppress(InputError):
                parts.point_here(folder, service.where, read_secret(folder))
                # Not before: Prefect reads the environment when it is imported.
                from flows.deploy.service.stopped_runs import unfinished_runs

                begun = unfinished_runs()
        # As long as the server answers, a run that is told to end can say so.
        processes.end((pid for pid in everything if processes.group(pid) not in servers), folder)
        if begun:  # else there may be no server to ask, and Prefect would start one
            from flows.deploy.service.stopped_runs import mark_stopped

            mark_stopped(begun)
        processes.end(processes.members(folder), folder)
        _file(folder).unlink(missing_ok=True)
    return len(everything)


def service_folder(env: Environment) -> Path:
    """Where the state, the logs and Prefect's database of a service are."""
    return env.ragset_home.resolve() / "service"


def log_of(folder: Path, name: str) -> Path:
    """What a part has written since it was started."""
    return folder / "logs" / f"{name}.log"


def _new(asked: AskedPorts, env: Environment) -> Service:
    ports = asked.filled
    served = (env.ragset_reports or ROOT / "out").resolve()
    return Service(ports=ports, where=parts.addresses(ports, env), served=served, pids={})


def _running(folder: Path) -> Service | None:
    """The service as written down, with the parts that still run; None: none does."""
    try:
        service = Service.model_validate_json(_file(folder).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    ours = processes.members(folder)
    living = {name: pid for name, pid in service.pids.items() if pid in ours}
    return service.model_copy(update={"pids": living}) if living else None


def _start(folder: Path, service: Service, started: Sequence[Part]) -> Service:
    """The service with these parts, when all of them work."""
    running: list[tuple[Part, subprocess.Popen[bytes]]] = []
    for part in started:
        process = processes.start(part.command, folder, log_of(folder, part.name), part.env, part.cwd)
        running.append((part, process))
        service = service.model_copy(update={"pids": {**service.pids, part.name: process.pid}})
        _file(folder).write_text(json.dumps(service.model_dump(mode="json"), indent=1), encoding="utf-8")
    for part, process in running:
        _wait(part, process, log_of(folder, part.name))
    return service


def _wait(part: Part, process: "subprocess.Popen[bytes]", log: Path) -> None:
    deadline = time.monotonic() + START_UP_SECONDS
    while True:
        if (code := process.poll()) is not None:
            raise ServerError(f"{part.name}: ended with code {code} while starting: {_last_line(log)} Its log is {log}")
        if part.ready():
            return
        if time.monotonic() > deadline:
            raise ServerError(f"{part.name}: does not work after {START_UP_SECONDS} s. Its log is {log}")
        time.sleep(0.2)


def _last_line(log: Path) -> str:
    lines = log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
    return f"{lines[-1].strip()[:300]}." if lines else "it said nothing."


def _file(folder: Path) -> Path:
    return folder / "service.json"


@contextmanager
def _alone(folder: Path) -> Generator[None]:
    """Keep other commands from starting or ending the service of this folder."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"RAGSET_HOME: {folder} cannot be made ({error.strerror}); name another folder") from None
    held = hold(folder / "lock")
    if held is None:
        raise InputError(f"{folder}: another command is starting or ending this service; wait for it")
    try:
        yield
    finally:
        os.close(held)
