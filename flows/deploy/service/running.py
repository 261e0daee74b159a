"""A service on this machine: Prefect's server, Milvus, the reports and the workers, started and ended together."""

import os
import subprocess
import sys
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from uuid import UUID

import httpx

from flows import project
from flows.cli.server import DATABASE, start_from_template
from flows.deploy.deployments import POOL, Limits, deploy
from flows.deploy.service import parts, processes
from flows.deploy.service.parts import WORKER, Addresses, Part, Service
from flows.deploy.service.secret import read_secret
from ragset.errors import InputError, ServerError
from ragset.settings import Environment
from ragset.settings.command_line import command
from ragset.settings.lock import hold

PORT = 4200
START_UP_SECONDS = 120
_STOPPED = (
    f"The service was stopped ({command('stop')}) before this run had ended. Run it again (Retry here, or `prefect "
    "flow-run retry`): it goes on from what was answered, and nothing is asked twice."
)


def serve(port: int | None, workers: int, limits: Limits) -> tuple[Service, Limits | None]:
    """Start what does not run yet, and return the service when it is deployed and every worker is online.

    The limits are None if everything ran already.

    Raises:
        InputError: a port is in use, or the service runs on another.
        ServerError: a part did not start; everything that this call started is ended again.
    """
    if sys.platform == "win32":
        raise InputError("serve: needs Linux or macOS; on Windows use WSL, or deployments/compose.yaml")
    env = Environment()
    folder = env.ragset_home.resolve() / "service"
    with _alone(folder):
        service = _running(folder)
        if service is None:
            served, port = (env.ragset_reports or project() / "out").resolve(), port or PORT
            service = Service(folder=folder, port=port, where=Addresses.of(port, env), served=served, pids={})
        if port not in (None, service.port):
            raise InputError(
                f"--port: the service runs already, at port {service.port}; end it first: {command('stop')}"
            )
        secret = read_secret(folder)
        missing_servers = [part for part in parts.servers(service, env, secret) if part.name not in service.pids]
        names = (f"{WORKER}{number}" for number in range(1, workers + 1))
        missing_workers = [parts.worker(name, service, env, secret) for name in names if name not in service.pids]
        if not missing_servers and not missing_workers and limits == Limits():
            return service, None
        for part in missing_servers:
            if part.port and not parts.is_free(part.port):
                raise InputError(
                    f"--port: port {part.port} is in use by another program; choose another, such as --port "
                    f"{service.port + 100}: the service takes it and the two after it"
                )
        parts.point_here(service, secret)
        start_from_template(folder / "prefect" / DATABASE)
        before = processes.members(folder)
        try:
            service = _start(service, missing_servers)
            _, limits = deploy(limits)
            service = _start(service, missing_workers)
        except BaseException:
            processes.end(processes.members(folder) - before, folder)
            raise
    return service, limits


def stop() -> int:
    """End the service with the runs of its workers, and return how many processes were ended."""
    folder = Environment().ragset_home.resolve() / "service"
    if not folder.is_dir():
        return 0
    with _alone(folder):
        everything = processes.members(folder)
        service = _running(folder)
        servers = {pid for name, pid in service.pids.items() if not name.startswith(WORKER)} if service else set()
        begun: list[UUID] = []
        if service and "server" in service.pids:
            # A service whose secret is not to be used is ended all the same.
            with suppress(InputError, httpx.HTTPError):
                parts.point_here(service, read_secret(folder))
                begun = _unfinished_runs()
        # As long as the server answers, a run that is told to end can say so.
        processes.end((pid for pid in everything if processes.group(pid) not in servers), folder)
        if begun:  # else there may be no server to ask, and Prefect would start one
            with suppress(httpx.HTTPError):
                _mark_stopped(begun)
        processes.end(processes.members(folder), folder)
        _file(folder).unlink(missing_ok=True)
    return len(everything)


def _unfinished_runs() -> list[UUID]:
    """The workers' runs that have begun and not ended."""
    # Prefect reads the environment when it is imported, so this waits until it points to the service.
    from prefect.client.orchestration import get_client
    from prefect.client.schemas.filters import FlowRunFilter, WorkPoolFilter

    begun = {"state": {"type": {"any_": ["PENDING", "RUNNING", "PAUSED", "CANCELLING"]}}}
    with get_client(sync_client=True) as client:
        runs = client.read_flow_runs(
            flow_run_filter=FlowRunFilter.model_validate(begun),
            work_pool_filter=WorkPoolFilter.model_validate({"name": {"any_": [POOL]}}),
        )
        return [run.id for run in runs]


def _mark_stopped(runs: Sequence[UUID]) -> None:
    """Set runs whose process was ended to Crashed, with the reason, or to Cancelled if somebody had cancelled them."""
    from prefect.client.orchestration import get_client
    from prefect.states import Cancelled, Crashed

    with get_client(sync_client=True) as client:
        for run in runs:
            state = client.read_flow_run(run).state_type
            if state not in {"COMPLETED", "FAILED", "CANCELLED"}:
                stopped = (Cancelled if state == "CANCELLING" else Crashed)(message=_STOPPED)
                client.set_flow_run_state(run, stopped, force=True)


def _running(folder: Path) -> Service | None:
    """The service as written down, with the parts that still run; None if none does."""
    try:
        service = Service.model_validate_json(_file(folder).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    ours = processes.members(folder)
    living = {name: pid for name, pid in service.pids.items() if pid in ours}
    return service.model_copy(update={"pids": living}) if living else None


def _start(service: Service, started: Sequence[Part]) -> Service:
    """Start these parts, and return the service with them when all of them work."""
    folder = service.folder
    running: list[tuple[Part, subprocess.Popen[bytes], Path]] = []
    for part in started:
        log = folder / "logs" / f"{part.name}.log"
        process = processes.start(part.command, folder, log, part.env, part.cwd)
        running.append((part, process, log))
        service = service.model_copy(update={"pids": {**service.pids, part.name: process.pid}})
        _file(folder).write_text(service.model_dump_json(indent=1), encoding="utf-8")
    for part, process, log in running:
        deadline = time.monotonic() + START_UP_SECONDS
        while not part.ready():
            if (code := process.poll()) is not None:
                lines = log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
                said = f"{lines[-1].strip()[:300]}." if lines else "it said nothing."
                raise ServerError(f"{part.name}: ended with code {code} while starting: {said} Its log is {log}")
            if time.monotonic() > deadline:
                raise ServerError(f"{part.name}: does not work after {START_UP_SECONDS} s. Its log is {log}")
            time.sleep(0.5)
    return service


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
