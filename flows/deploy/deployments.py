"""Creates what a Prefect server needs for runs: work pool, limits of model calls, automations, deployments."""

import asyncio
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import yaml

from flows import INSTALLED, ROOT, project
from flows.cli.server import check_server, configured_server
from flows.deploy.service.secret import use_secret
from ragset.errors import InputError, ServerError
from ragset.settings import Environment
from ragset.settings.command_line import command
from ragset.settings.yaml_text import read_yaml, read_yaml_file

if TYPE_CHECKING:
    from prefect.client.orchestration import PrefectClient
    from prefect.events.schemas.automations import AutomationCore

DEPLOYMENTS = "deployments/prefect.yaml"
AUTOMATIONS = "deployments/automations.yaml"
POOL = "ragset"


class Limits(NamedTuple):
    """Limits of model calls of all runs together. None: the server's value, or the default where it has none."""

    calls: int | None = None
    calls_per_minute: int | None = None


def deploy(asked: Limits) -> tuple[str, Limits]:
    """Deploy to the configured server, and return its address and limits; a second call changes nothing."""
    api = configured_server()
    if api is None:
        raise ServerError(
            "PREFECT_API_URL: no Prefect server is configured; set its address, such as "
            f"PREFECT_API_URL=http://127.0.0.1:4200/api, or start one here: {command('serve')}"
        )
    use_secret(api, Environment().ragset_home)
    asyncio.run(check_server())
    written = _written()
    limits, known = asyncio.run(_prepare(asked, written))
    _deploy_all({**written, "deployments": renewal(written["deployments"], known)})
    asyncio.run(_finish(written["deployments"]))
    return api, limits


def _written() -> dict[str, Any]:
    """The deployments of the file; those of an installed package name its examples by their full paths."""
    text = (ROOT / DEPLOYMENTS).read_text(encoding="utf-8")
    return read_yaml(re.sub(r"\bexamples/", f"{ROOT}/examples/", text) if INSTALLED else text, ROOT / DEPLOYMENTS)


async def _prepare(asked: Limits, written: dict[str, Any]) -> tuple[Limits, dict[str, bool]]:
    """Create work pool, queues, limits and automations. Return the limits, and which triggers there are and are on."""
    from prefect.client.orchestration import get_client

    from tasks.limits import CALLS, CALLS_PER_MINUTE

    async with get_client() as client:
        await _create_pool(client)
        for name, limit in written["definitions"]["at_once"].items():
            await _keep_queue(client, name, limit)
        await _keep_automations(client)
        calls = await _set_limit(client, CALLS, asked.calls, 64)
        a_minute = await _set_limit(client, CALLS_PER_MINUTE, asked.calls_per_minute, 3000, decays=True)
        triggers = [trigger["name"] for one in written["deployments"] for trigger in one.get("triggers", ())]
        known = [one for name in triggers for one in await client.read_automations_by_name(name)]
        return Limits(calls, a_minute), {one.name: one.enabled for one in known}


def job_template() -> dict[str, Any]:
    """The pool's template of jobs, without variables: Prefect's own lets any person who starts a run name a command."""
    env = {
        # A worker starts a run in a folder of its own; module entrypoints are found by this path.
        "PYTHONPATH": str(ROOT),
        # Signs of life, for the automation that notices runs whose process is gone.
        "PREFECT_FLOWS_HEARTBEAT_FREQUENCY": "30",
    }
    unset = {"command": None, "name": None, "working_dir": None}
    return {
        "job_configuration": {**unset, "env": env, "labels": {}, "stream_output": True},
        "variables": {"type": "object", "properties": {}, "additionalProperties": False},
    }


async def _create_pool(client: "PrefectClient") -> None:
    """Create the pool with our template. A template that somebody wrote for an earlier pool stays."""
    from prefect.client.schemas.actions import WorkPoolCreate, WorkPoolUpdate
    from prefect.exceptions import ObjectNotFound
    from prefect.workers.process import ProcessWorker

    kind, template = ProcessWorker.type, job_template()
    try:
        pool = await client.read_work_pool(POOL)
    except ObjectNotFound:
        what = "Runs of ragset, as processes of its workers."
        await client.create_work_pool(
            WorkPoolCreate(name=POOL, type=kind, description=what, base_job_template=template)
        )
        return
    if pool.type != kind:
        raise InputError(
            f"work pool {POOL}: exists on the server with type {pool.type}, and {DEPLOYMENTS} needs type {kind}; delete it, "
            "or deploy to another server"
        )
    ours = pool.base_job_template.get("variables") == template["variables"]
    if ours or pool.base_job_template == ProcessWorker.get_default_base_job_template():
        await client.update_work_pool(POOL, WorkPoolUpdate(base_job_template=template))


async def _keep_queue(client: "PrefectClient", name: str, limit: int) -> None:
    """Create a queue with a limit of runs at once; a limit that somebody has changed since stays."""
    from prefect.exceptions import ObjectNotFound

    what = f"Runs of {name}."
    try:
        queue = await client.read_work_queue_by_name(name, POOL)
    except ObjectNotFound:
        await client.create_work_queue(name, what, concurrency_limit=limit, work_pool_name=POOL)
        return
    # Prefect's own deploy makes queues that are missing, without a limit and a description.
    if not queue.description:
        await client.update_work_queue(queue.id, description=what, concurrency_limit=limit)


async def _set_limit(
    client: "PrefectClient", name: str, asked: int | None, default: int, *, decays: bool = False
) -> int:
    """Set a limit if `asked` or missing, and return what it is now. With `decays`, slots come back over a minute."""
    from prefect.exceptions import ObjectNotFound

    if asked is None:
        try:
            return (await client.read_global_concurrency_limit_by_name(name)).limit
        except ObjectNotFound:
            asked = default
    per_second = asked / 60 if decays else None
    await client.upsert_global_concurrency_limit_by_name(name, limit=asked, slot_decay_per_second=per_second)
    return asked


async def _keep_automations(client: "PrefectClient") -> None:
    """Create or update the automations of the file; one that was switched off stays off."""
    from prefect.events.schemas.automations import AutomationCore

    for entry in read_yaml_file(ROOT / AUTOMATIONS)["automations"]:
        automation = AutomationCore.model_validate(entry)
        known = await client.read_automations_by_name(automation.name)
        if not known:
            await client.create_automation(automation)
        for existing in known:
            # An update forgets what the trigger has seen, also the signs of life of runs that have none any more.
            if _meant(existing) != _meant(automation):
                await client.update_automation(existing.id, automation.model_copy(update={"enabled": existing.enabled}))


def _meant(automation: "AutomationCore") -> dict[str, Any]:
    """What an automation does, without the ids that the server gives and whether it is on."""
    meant = automation.model_dump(mode="json", include={"description", "trigger", "actions"})
    meant["trigger"].pop("id", None)
    return meant


def renewal(written: list[dict[str, Any]], known: Mapping[str, bool]) -> list[dict[str, Any]]:
    """The deployments for Prefect: without schedules, so that those on the server stay; triggers in `known` stay on or off."""
    renewed = [{key: value for key, value in one.items() if key != "schedules"} for one in written]
    for one in renewed:
        if "triggers" in one:
            one["triggers"] = [
                {**trigger, "enabled": known.get(trigger["name"], trigger["enabled"])} for trigger in one["triggers"]
            ]
    return renewed


async def _finish(written: list[dict[str, Any]]) -> None:
    """Add the schedules that the server lacks, by slug, and forbid parameters that the flow does not have."""
    from prefect.client.orchestration import get_client
    from prefect.client.schemas.actions import DeploymentScheduleCreate, DeploymentUpdate

    async with get_client() as client:
        for one in written:
            found = await client.read_deployment_by_name(f"{one['name']}/{one['name']}")
            known = {schedule.slug for schedule in found.schedules}
            for entry in one.get("schedules", ()):
                times = {key: entry[key] for key in ("cron", "timezone")}
                if entry["slug"] not in known:
                    rest = {key: value for key, value in entry.items() if key not in times}
                    schedule = DeploymentScheduleCreate.model_validate({**rest, "schedule": times})
                    await client.create_deployment_schedules(found.id, [schedule])
            # A name that is no parameter would crash the run when it has been started.
            schema = {**(found.parameter_openapi_schema or {}), "additionalProperties": False}
            await client.update_deployment(found.id, DeploymentUpdate(parameter_openapi_schema=schema))


def _deploy_all(renewed: dict[str, Any]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / Path(DEPLOYMENTS).name
        file.write_text(yaml.safe_dump(renewed, sort_keys=False), encoding="utf-8")
        ended = run_prefect("--no-prompt", "deploy", "--all", "--prefect-file", str(file))
    if ended.returncode:
        said = "\n".join(ended.stdout.strip().splitlines()[-12:])
        raise InputError(f"{DEPLOYMENTS}: Prefect refuses it:\n{said}")


def run_prefect(*words: str) -> "subprocess.CompletedProcess[str]":
    """Run a command of Prefect; its `deploy` puts the folder it runs in into each deployment."""
    return subprocess.run(  # noqa: S603
        [sys.executable, "-m", "prefect", *words],
        cwd=project(),
        env={**os.environ, "PWD": str(project()), "COLUMNS": "120"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
