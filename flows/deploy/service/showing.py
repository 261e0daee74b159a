"""What the commands of the service say."""

import shlex
import sys

from flows.deploy.deployments import Deployed, Limits
from flows.deploy.prefect_server.guard import sign_in_link
from flows.deploy.service.running import Served, log_of, service_folder
from flows.deploy.service.secret import SENT, read_secret, secret_file
from ragset.settings import Environment


def print_service(served: Served) -> None:
    """Where everything is, and how commands use it."""
    service, where = served.service, served.service.where
    folder = service_folder(Environment())
    logs = log_of(folder, "worker-1").parent
    lines = [
        "Runs already." if served.limits is None else "Runs.",
        "",
        f"  Prefect's UI   {sign_in_link(where.ui, read_secret(folder))}",
        f"  Reports        {where.reports}  (of {service.served})",
        f"  Milvus         {where.milvus}" if where.milvus else "  Milvus         as MILVUS_URI names it",
        f"  Workers        {service.workers}",
        f"  Logs           {logs}",
    ]
    if served.limits is not None:
        lines.append(f"  Limits         {_limits(served.limits)}")
    lines += [
        "",
        "That link signs a browser in, once. Keep it to yourself: with it, runs can be started, and so code be run, as you.",
        "",
        "Commands use the same server with:",
        "",
        f"  export PREFECT_API_URL={where.api}",
        f'  export {SENT}="$(cat {shlex.quote(str(secret_file(folder)))})"',
    ]
    if where.milvus:
        lines.append(f"  export MILVUS_URI={where.milvus}")
    lines += ["", "To end it: python -m flows stop", ""]
    sys.stdout.write("\n".join(lines))


def print_stopped(ended: int) -> None:
    """Whether there was anything to end."""
    sys.stdout.write(
        "Ended. Runs that were going on can be run again: nothing is asked twice.\n" if ended else "Nothing runs.\n"
    )


def print_deployed(deployed: Deployed) -> None:
    """What stands on the server now."""
    sys.stdout.write(f"Deployed to {deployed.api}. Limits: {_limits(deployed.limits)}.\n")


def _limits(limits: Limits) -> str:
    return f"{limits.calls} model calls at once and {limits.calls_per_minute} a minute, of all runs together"
