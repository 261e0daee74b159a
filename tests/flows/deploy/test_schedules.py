"""What a renewal takes from prefect.yaml and what stays as it is on the server; with a server in tests/integration."""

from typing import Any
from uuid import uuid4

from flows.deploy.schedules import Known, renewal

WEEKLY = {"slug": "weekly", "cron": "0 4 * * 1", "timezone": "UTC", "active": True}
TRIGGER = {"name": "after-refresh", "enabled": True, "threshold": 1}


def deployment(name: str, **more: Any) -> dict[str, Any]:
    return {"name": name, "tags": ["ragset"], **more}


def known(*slugs: str | None) -> Known:
    return Known(uuid4(), frozenset(slugs))


def test_a_new_deployment_is_made_with_its_schedules() -> None:
    written = [deployment("refresh", schedules=[WEEKLY])]
    assert renewal(written, {}) == written


def test_a_known_deployment_is_renewed_in_all_but_its_schedules() -> None:
    written = [deployment("refresh", schedules=[WEEKLY]), deployment("index")]
    assert renewal(written, {"refresh": known("weekly")}) == [deployment("refresh"), deployment("index")]


def test_one_whose_schedules_somebody_made_by_hand_is_sent_none_either() -> None:
    assert renewal([deployment("refresh", schedules=[WEEKLY])], {"refresh": known(None)}) == [deployment("refresh")]


def test_a_trigger_that_is_off_stays_off_and_others_are_as_they_are_written() -> None:
    other = {**TRIGGER, "name": "another"}
    (renewed,) = renewal([deployment("benchmark", triggers=[TRIGGER, other])], {}, {"after-refresh"})
    assert renewed["triggers"] == [{**TRIGGER, "enabled": False}, other]


def test_what_was_read_from_the_file_is_left_as_it_is() -> None:
    written = [deployment("refresh", schedules=[WEEKLY], triggers=[TRIGGER])]
    renewal(written, {"refresh": known()}, {"after-refresh"})
    assert written == [deployment("refresh", schedules=[WEEKLY], triggers=[TRIGGER])]
    assert TRIGGER["enabled"] is True
