"""What the YAML files of the deployments say fits the flows; that Prefect takes them is tested with a server."""

from typing import Any

import pytest
import yaml
from prefect.events.schemas.automations import AutomationCore
from prefect.flows import load_flow_from_entrypoint

from flows import ROOT
from flows.deploy.deployments import AUTOMATIONS, DEPLOYMENTS, POOL, Limits, deploy, renewal
from flows.parameters.table import FLOWS
from ragset.chunking import STRATEGIES
from ragset.errors import ServerError

WRITTEN: dict[str, Any] = yaml.safe_load((ROOT / DEPLOYMENTS).read_text(encoding="utf-8"))
ALL: dict[str, dict[str, Any]] = {deployment["name"]: deployment for deployment in WRITTEN["deployments"]}


def test_there_is_a_deployment_for_each_flow() -> None:
    assert set(ALL) == set(FLOWS) - {"export"}  # which every flow that makes a dataset does by itself


@pytest.mark.parametrize("name", ALL)
def test_a_deployment_explains_itself_and_its_runs_wait_for_each_other_in_our_pool(name: str) -> None:
    deployment = ALL[name]
    assert deployment["description"]
    assert deployment["tags"][0] == "ragset"
    assert deployment["work_pool"]["name"] == POOL
    assert WRITTEN["definitions"]["at_once"][deployment["work_pool"]["work_queue_name"]] >= 1


@pytest.mark.parametrize("name", ALL)
def test_no_deployment_has_a_limit_of_which_a_pause_loses_the_slot(name: str) -> None:
    assert "concurrency_limit" not in ALL[name]
    assert ALL[name]["work_pool"]["work_queue_name"] == name


@pytest.mark.parametrize("name", ALL)
def test_the_parameters_of_a_deployment_and_of_its_schedules_fit_the_flow(name: str) -> None:
    deployment = ALL[name]
    flow = load_flow_from_entrypoint(deployment["entrypoint"])
    assert flow.name == name
    flow.validate_parameters(deployment["parameters"])
    for schedule in deployment.get("schedules", ()):
        flow.validate_parameters({**deployment["parameters"], **schedule.get("parameters", {})})


def test_every_chunking_strategy_has_a_night_of_its_own_that_is_off() -> None:
    strategies = STRATEGIES.names()
    schedules = [one for one in ALL["single-chunk"]["schedules"] if one["slug"].startswith("nightly-")]
    assert [schedule["slug"] for schedule in schedules] == [f"nightly-{strategy}" for strategy in strategies]
    assert [schedule["parameters"]["chunking"]["strategy"] for schedule in schedules] == list(strategies)
    assert [schedule["parameters"]["out"] for schedule in schedules] == [f"out/nightly/{one}" for one in strategies]
    assert len({schedule["cron"] for schedule in schedules}) == len(strategies)
    assert not any(schedule["active"] for schedule in schedules)


def test_refresh_runs_weekly_on_what_the_defaults_write() -> None:
    (schedule,) = ALL["refresh"]["schedules"]
    assert schedule["active"] is True
    assert ALL["refresh"]["parameters"]["dataset"] == ALL["single-chunk"]["parameters"]["out"]
    assert ALL["benchmark"]["parameters"]["datasets"] == [ALL["single-chunk"]["parameters"]["out"]]


def test_a_reviewed_set_is_made_by_one_schedule_that_is_off_and_a_refreshed_one_by_an_automation_that_is_off() -> None:
    (schedule,) = [one for one in ALL["single-chunk"]["schedules"] if one["slug"] == "monthly-reviewed"]
    assert schedule["active"] is False
    given = schedule["parameters"]
    assert given["review"].items() <= ALL["review"]["parameters"].items()
    assert given["export"] == ALL["review"]["parameters"]["export"]
    assert ALL["review"]["parameters"]["dataset"] == ALL["single-chunk"]["parameters"]["out"]
    (trigger,) = ALL["review"]["triggers"]
    assert trigger["enabled"] is False


def test_an_adapter_is_trained_on_what_the_defaults_write_and_after_a_refresh_only_if_it_is_switched_on() -> None:
    train = ALL["train-adapter"]
    assert train["parameters"]["dataset"] == ALL["single-chunk"]["parameters"]["out"]
    assert ALL["single-chunk"]["parameters"]["split"]
    (trigger,) = train["triggers"]
    (started,) = ALL["benchmark"]["triggers"]
    assert (trigger["enabled"], started["enabled"]) == (False, True)
    assert [trigger[key] for key in ("match", "expect")] == [started[key] for key in ("match", "expect")]


def test_the_automations_are_such_as_prefect_knows() -> None:
    written = yaml.safe_load((ROOT / AUTOMATIONS).read_text(encoding="utf-8"))
    names = [AutomationCore.model_validate(entry).name for entry in written["automations"]]
    assert names == ["ragset-crashed-runs", "ragset-lost-runs"]


def test_without_a_server_the_error_says_what_to_set(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    monkeypatch.delenv("PREFECT_API_URL", raising=False)
    monkeypatch.setenv("PREFECT_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ServerError, match=r"PREFECT_API_URL.*python -m flows serve"):
        deploy(Limits())


def test_a_renewal_sends_no_schedules_and_leaves_triggers_on_or_off_as_they_are() -> None:
    trigger = {"name": "after-refresh", "enabled": True, "threshold": 1}
    off = {"name": "train", "enabled": False}
    written: list[dict[str, Any]] = [
        {"name": "refresh", "tags": ["ragset"], "schedules": [{"slug": "weekly"}]},
        {"name": "benchmark", "triggers": [trigger, {**trigger, "name": "another"}, off]},
    ]
    assert renewal(written, {"after-refresh": False, "train": True}) == [
        {"name": "refresh", "tags": ["ragset"]},
        {
            "name": "benchmark",
            "triggers": [{**trigger, "enabled": False}, {**trigger, "name": "another"}, {**off, "enabled": True}],
        },
    ]
    assert trigger["enabled"] is True  # what was read from the file is left as it is
