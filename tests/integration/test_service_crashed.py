"""The service when runs die with their workers, or with all of it."""

from pathlib import Path

import pytest

from tests.fake_openai import Fake
from tests.integration.conftest import asked
from tests.integration.service import Service, asking, twelve

pytestmark = [pytest.mark.slow, pytest.mark.service]


def test_a_killed_worker_is_noticed_and_its_run_taken_up_again_by_another(
    service: Service, fake: Fake, corpus: Path, tmp_path: Path
) -> None:
    assert service.serve().startswith("Runs already.")
    _notice_within(service, seconds=35)
    fake.set(latency=0.5)
    parameters = twelve(corpus, "killed", tmp_path / "killed")
    run = service.start("single-chunk", **parameters)
    service.wait(lambda: fake.stats()["answered"] > 8, 600)
    service.kill_workers()
    assert service.get(f"flow_runs/{run}")["state_type"] == "RUNNING"
    crashed = service.ended(run, 600)
    assert crashed["state_type"] == "CRASHED"
    assert "nothing is asked twice" in crashed["state"]["message"]

    assert service.serve("--calls", "7").startswith("Runs.")  # a worker in its place; the rest runs on
    assert service.get("v2/concurrency_limits/ragset-calls")["limit"] == 7
    fake.set(latency=0.01)
    assert service.set_state(run, "SCHEDULED", "AwaitingRetry") == "ACCEPT"
    service.wait(lambda: service.get(f"flow_runs/{run}")["state_type"] not in {"CRASHED", "SCHEDULED"}, 600)
    assert service.ended(run)["state_type"] == "COMPLETED", service.logs()
    answers = asked(fake)
    # 12 goldens of two questions each, and the portrait of the audience
    assert len(set(answers)) == 25
    # Only what was on its way at the moment of the kill may be lost: two calls, as many as are asked at once.
    assert len(answers) <= 25 + 2


def _notice_within(service: Service, seconds: int) -> None:
    """The automation as it is, but for its patience: shorter than a test's."""
    (crashed,) = [one for one in service.post("automations/filter", {}) if one["name"] == "ragset-crashed-runs"]
    assert crashed["trigger"]["within"] == 90
    crashed["trigger"]["within"] = seconds
    fields = ("name", "description", "enabled", "trigger", "actions", "actions_on_trigger", "actions_on_resolve")
    answer = service.ask("PUT", f"automations/{crashed['id']}", {name: crashed[name] for name in fields})
    assert answer.is_success, answer.text


def test_runs_that_stop_ends_are_crashed_and_go_on_when_they_are_tried_again(
    service: Service, fake: Fake, corpus: Path, tmp_path: Path
) -> None:
    fake.set(latency=0.5)
    parameters = twelve(corpus, "stopped", tmp_path / "stopped")
    run = service.start("single-chunk", **parameters)
    waits = service.start("single-chunk", **asking(corpus, "asking-stopped", tmp_path / "asking"))
    service.wait(lambda: service.get(f"flow_runs/{waits}")["state_type"] == "PAUSED", 600)
    service.wait(lambda: fake.stats()["answered"] > 4, 600)
    assert service.command("stop").returncode == 0
    service.serve()
    for ended in (run, waits):
        found = service.get(f"flow_runs/{ended}")
        assert found["state_type"] == "CRASHED"
        assert found["state"]["message"].startswith("The service was stopped")

    fake.set(latency=0.01)
    service.set_state(run, "SCHEDULED", "AwaitingRetry")
    service.wait(lambda: service.get(f"flow_runs/{run}")["state_type"] not in {"CRASHED", "SCHEDULED"}, 600)
    assert service.ended(run)["state_type"] == "COMPLETED", service.logs()
    shown = service.post(
        "artifacts/filter", {"artifacts": {"flow_run_id": {"any_": [run]}, "type": {"any_": ["progress"]}}}
    )
    assert [(one["data"], one["description"].split(" · ")[0]) for one in shown] == [(100, "done")]
