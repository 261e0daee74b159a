"""Commands that start and end the service, and deploy to a server."""

import shlex
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from flows.cli.app import app

if TYPE_CHECKING:
    from flows.deploy.deployments import Limits


def _limit(option: str, envvar: str, what: str, at_first: int) -> Any:
    said = f"Maximum {what} of all runs together. (default: the server's value, at first {at_first})"
    return typer.Option(option, help=said, envvar=envvar, min=1)


Calls = Annotated[int | None, _limit("--calls", "RAGSET_CALLS", "simultaneous model calls", 64)]
CallsPerMinute = Annotated[
    int | None, _limit("--calls-per-minute", "RAGSET_CALLS_PER_MINUTE", "model calls a minute", 3000)
]


@app.command()
def serve(
    port: Annotated[
        int | None,
        typer.Option(
            "--port",
            help="Port of Prefect's UI and API; the reports and Milvus use the two ports after it. (default: 4200)",
            min=1,
            max=65_533,
        ),
    ] = None,
    workers: Annotated[int, typer.Option("--workers", help="Number of workers.", min=1, max=64)] = 1,
    calls: Calls = None,
    calls_per_minute: CallsPerMinute = None,
) -> None:
    """Run ragset as a service on this machine: Prefect's server and UI, Milvus, the reports, workers and deployments."""
    from flows.deploy.deployments import Limits
    from flows.deploy.prefect_server.guard import sign_in_link
    from flows.deploy.review.serving import token_of
    from flows.deploy.service.parts import WORKER
    from flows.deploy.service.reports import REVIEW
    from flows.deploy.service.running import serve
    from flows.deploy.service.secret import SENT, read_secret, secret_file
    from ragset.settings.command_line import command

    service, limits = serve(port, workers, Limits(calls, calls_per_minute))
    where, folder = service.where, service.folder
    lines = [
        "Runs." if limits else "Runs already.",
        "",
        f"  Prefect's UI   {sign_in_link(where.ui, read_secret(folder))}",
        f"  Reports        {where.reports}  (of {service.served})",
        f"  Review         {where.reports}{REVIEW}/#{token_of(folder.parent)}",
        f"  Milvus         {where.milvus or 'as MILVUS_URI names it'}",
        f"  Workers        {sum(name.startswith(WORKER) for name in service.pids)}",
        f"  Logs           {folder / 'logs'}",
        *([f"  Limits         {_limits(limits)}"] if limits else []),
        "",
        "The first link signs a browser in, once. Keep it to yourself: with it, runs can be started, and so code be run, as you.",
        "The link of Review is for people who judge datasets: it opens nothing else.",
        "",
        "Commands use the same server with:",
        "",
        f"  export PREFECT_API_URL={where.api}",
        f'  export {SENT}="$(cat {shlex.quote(str(secret_file(folder)))})"',
        *([f"  export MILVUS_URI={where.milvus}"] if where.milvus else []),
        "",
        f"To end it: {command('stop')}",
        "",
    ]
    sys.stdout.write("\n".join(lines))


@app.command()
def stop() -> None:
    """Stop the service and the runs of its workers; replies are kept."""
    from flows.deploy.service.running import stop

    ended = "Ended. Runs that were going on can be run again: nothing is asked twice.\n"
    sys.stdout.write(ended if stop() else "Nothing runs.\n")


@app.command()
def deploy(calls: Calls = None, calls_per_minute: CallsPerMinute = None) -> None:
    """Create or update the deployments on the configured Prefect server, with work pool, limits and automations."""
    from flows.deploy.deployments import Limits, deploy

    api, limits = deploy(Limits(calls, calls_per_minute))
    sys.stdout.write(f"Deployed to {api}. Limits: {_limits(limits)}.\n")


def _limits(limits: "Limits") -> str:
    return f"{limits.calls} model calls at once and {limits.calls_per_minute} a minute, of all runs together"
