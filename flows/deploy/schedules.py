"""Deployments renewed without undoing what was changed in the UI: schedules, and automations that were switched off."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import UUID

if TYPE_CHECKING:
    from prefect.client.orchestration import PrefectClient


class Known(NamedTuple):
    """A deployment that is on the server already."""

    id: UUID
    slugs: frozenset[str | None]
    """Of its schedules; None of one that somebody made in the UI without giving it any."""


async def known_deployments(client: "PrefectClient", written: Iterable[dict[str, Any]]) -> dict[str, Known]:
    """Those of the `written` ones that are on the server, by name."""
    from prefect.exceptions import ObjectNotFound

    known: dict[str, Known] = {}
    for name in (deployment["name"] for deployment in written):
        try:
            found = await client.read_deployment_by_name(f"{name}/{name}")
        except ObjectNotFound:
            continue
        known[name] = Known(found.id, frozenset(schedule.slug for schedule in found.schedules))
    return known


async def switched_off(client: "PrefectClient", written: Iterable[dict[str, Any]]) -> set[str]:
    """The names of those triggers of deployments that are on the server, and off."""
    names = [trigger["name"] for deployment in written for trigger in deployment.get("triggers", ())]
    return {name for name in names if any(not one.enabled for one in await client.read_automations_by_name(name))}


def renewal(
    written: Iterable[dict[str, Any]], known: dict[str, Known], off: Iterable[str] = ()
) -> list[dict[str, Any]]:
    """What to deploy: as it is written, but a known deployment keeps its schedules, and what is `off` stays so.

    Prefect writes a schedule that it is given over the one that bears its slug; and where one without a slug stands beside
    it, over all of them.
    """
    renewed: list[dict[str, Any]] = []
    for deployment in written:
        one = {key: value for key, value in deployment.items() if key != "schedules" or deployment["name"] not in known}
        if "triggers" in one:
            one["triggers"] = [
                {**trigger, "enabled": False} if trigger["name"] in off else trigger for trigger in one["triggers"]
            ]
        renewed.append(one)
    return renewed


async def add_schedules(client: "PrefectClient", written: Iterable[dict[str, Any]], known: dict[str, Known]) -> None:
    """Give known deployments the schedules that they do not have yet."""
    from prefect.client.schemas.actions import DeploymentScheduleCreate
    from prefect.client.schemas.schedules import CronSchedule

    for deployment in written:
        if (there := known.get(deployment["name"])) is None:
            continue
        missing = [
            DeploymentScheduleCreate(
                schedule=CronSchedule(cron=schedule["cron"], timezone=schedule["timezone"]),
                active=schedule["active"],
                parameters=schedule.get("parameters", {}),
                slug=schedule["slug"],
            )
            for schedule in deployment.get("schedules", ())
            if schedule["slug"] not in there.slugs
        ]
        if missing:
            await client.create_deployment_schedules(there.id, missing)
