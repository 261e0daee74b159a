"""The service when runs are cancelled, compete, or die with their workers."""

import time
from pathlib import Path
from typing import Any

import httpx
import pytest

from ragset.dataset import read_dataset
from tests.fake_openai import Fake
from tests.integration.conftest import asked
from tests.integration.service import Service

pytestmark = pytest.mark.slow

CHUNKING = {"strategy": "recursive", "size": 100}


def test_cancelled_the_calls_stop_within_seconds_and_run_again_nothing_is_asked_twice(
    service: Service, fake: Fake, corpus: Path, tmp_path: Path
) -> None:
    fake.set(latency=0.5)
    parameters = {
        "documents": {"sources": [str(corpus)]},
        "chunking": CHUNKING,
        "n": 12,
        "generator": {"model": "cancelled", "max_concurrency": 2},
        "out": str(tmp_path / "cancelled"),
    }
    run = service.start("single-chunk", **parameters)
    service.wait(lambda: fake.stats()["answered"] > 8, 90)
    assert service.set_state(run, "CANCELLING", "Cancelling") == "ACCEPT"
    cancelled = time.time()
    assert service.ended(run, 30)["state_type"] == "CANCELLED"
    assert max(entry["started"] for entry in fake.log()) < cancelled + 5
    before = asked(fake)
    assert 8 <= len(before) < 48

    fake.set(latency=0.01)
    service.run("single-chunk", **parameters)
    answers = asked(fake)
    # 12 goldens of four questions each
    assert len(answers) == len(set(answers)) == 48
    assert set(before) <= set(answers)
    assert len(read_dataset(tmp_path / "cancelled").goldens) == 12


def asking(corpus: Path, model: str, out: Path) -> dict[str, Any]:
    """Parameters of a run that asks before it spends."""
    return {
        "documents": {"sources": [str(corpus)]},
        "chunking": CHUNKING,
        "n": 4,
        "generator": {"model": model},
        "approval": {"above_calls": 3},
        "out": str(out),
    }


def test_runs_beyond_the_limit_wait_and_one_that_waits_for_a_person_takes_no_place(
    service: Service, fake: Fake, corpus: Path, tmp_path: Path
) -> None:
    fake.set(latency=0.5)
    waits = service.start("single-chunk", **asking(corpus, "asking", tmp_path / "asking"))
    service.wait(lambda: service.get(f"flow_runs/{waits}")["state_type"] == "PAUSED", 90)
    paused = time.monotonic()
    others = [
        service.start(
            "single-chunk", **{**asking(corpus, model, tmp_path / model), "approval": {}, "n": 12, "chunking": CHUNKING}
        )
        for model in ("first", "second", "third")
    ]

    def states() -> list[str]:
        return sorted(service.get(f"flow_runs/{run}")["state_type"] for run in others)

    service.wait(lambda: states() == ["RUNNING", "RUNNING", "SCHEDULED"], 60)
    seen: set[int] = set()
    while any(state not in {"COMPLETED", "FAILED", "CRASHED"} for state in states()):
        seen.add(sum(state in {"RUNNING", "PENDING"} for state in states()))
        time.sleep(0.5)
    assert states() == ["COMPLETED"] * 3
    assert max(seen) == 2

    # Long enough for Milvus to hang up on a client that pings it while nobody asks anything.
    time.sleep(max(0, paused + 45 - time.monotonic()))
    # No slot is leased to it, so none can be lost while it waits, however long: renewing one would end the run.
    assert service.get(f"flow_runs/{waits}")["state"]["state_details"]["deployment_concurrency_lease_id"] is None
    assert service.get("deployments/name/single-chunk/single-chunk")["global_concurrency_limit"] is None
    service.post(f"flow_runs/{waits}/resume", {"run_input": {"decision": "go on"}})
    assert service.ended(waits)["state_type"] == "COMPLETED", service.logs()


def test_a_run_under_a_limit_that_would_end_it_says_so_instead_of_waiting(
    service: Service, fake: Fake, corpus: Path, tmp_path: Path
) -> None:
    deployment = service.get("deployments/name/single-chunk/single-chunk")["id"]
    service.change(f"deployments/{deployment}", {"concurrency_limit": 1})
    try:
        run = service.ended(service.start("single-chunk", **asking(corpus, "leased", tmp_path / "leased")))
    finally:
        service.change(f"deployments/{deployment}", {"concurrency_limit": None})
    assert run["state_type"] == "FAILED"
    assert service.first_error(run["id"]).startswith("approval: the deployment of this run has a concurrency limit")
    assert asked(fake) == []


def test_cancelled_while_it_waits_for_a_person_it_says_so(
    service: Service, fake: Fake, corpus: Path, tmp_path: Path
) -> None:
    run = service.start("single-chunk", **asking(corpus, "waiting", tmp_path / "waiting"))
    service.wait(lambda: service.get(f"flow_runs/{run}")["state_type"] == "PAUSED", 90)
    service.set_state(run, "CANCELLING", "Cancelling")
    assert service.ended(run, 60)["state_type"] == "CANCELLED"
    told = "Cancelled while it waited for approval; none of the calls was made."
    assert service.first_error(run) == told
    assert service.artifacts(run)["progress"]["description"].startswith(f"stopped: {told}")
    assert "TerminationSignal" not in service.logs()
    assert asked(fake) == []


def test_two_runs_on_two_workers_stay_under_one_limit(
    service: Service, fake: Fake, corpus: Path, tmp_path: Path
) -> None:
    assert "Workers        2" in service.serve("--workers", "2", "--calls", "5")
    fake.set(latency=0.1)
    runs = [
        service.start(
            "single-chunk",
            documents={"sources": [str(corpus)]},
            chunking=CHUNKING,
            n=12,
            generator={"model": model, "max_concurrency": 16},
            out=str(tmp_path / model),
        )
        for model in ("one", "other")
    ]
    assert [service.ended(run)["state_type"] for run in runs] == ["COMPLETED", "COMPLETED"]
    assert fake.stats()["highest"] == 5
    times = {model: [entry["started"] for entry in fake.log() if entry["model"] == model] for model in ("one", "other")}
    # both were at it at the same time
    assert max(min(started) for started in times.values()) < min(max(started) for started in times.values())


def test_a_killed_worker_is_noticed_and_its_run_taken_up_again_by_another(
    service: Service, fake: Fake, corpus: Path, tmp_path: Path
) -> None:
    assert service.serve().startswith("Runs already.")
    _notice_within(service, seconds=35)
    fake.set(latency=0.5)
    parameters = {
        "documents": {"sources": [str(corpus)]},
        "chunking": CHUNKING,
        "n": 12,
        "generator": {"model": "killed", "max_concurrency": 2},
        "out": str(tmp_path / "killed"),
    }
    run = service.start("single-chunk", **parameters)
    service.wait(lambda: fake.stats()["answered"] > 8, 90)
    killed = service.kill_workers()
    assert service.get(f"flow_runs/{run}")["state_type"] == "RUNNING"
    crashed = service.ended(run, 90)
    assert crashed["state_type"] == "CRASHED"
    assert "nothing is asked twice" in crashed["state"]["message"]

    assert service.serve("--calls", "7").startswith("Runs.")  # a worker in its place; the rest runs on
    assert service.get("v2/concurrency_limits/ragset-calls")["limit"] == 7
    fake.set(latency=0.01)
    assert service.set_state(run, "SCHEDULED", "AwaitingRetry") == "ACCEPT"
    service.wait(lambda: service.get(f"flow_runs/{run}")["state_type"] not in {"CRASHED", "SCHEDULED"}, 60)
    assert service.ended(run)["state_type"] == "COMPLETED", service.logs()
    answers = asked(fake)
    assert len(set(answers)) == 48
    # only what was answered at the very moment of the kill may have been lost on its way
    twice = [digest for digest in set(answers) if answers.count(digest) > 1]
    for digest in twice:
        first = min(entry["ended"] for entry in fake.log() if entry["digest"] == digest)
        assert abs(first - killed) < 0.2


def _notice_within(service: Service, seconds: int) -> None:
    """The automation as it is, but for its patience: shorter than a test's."""
    (crashed,) = [one for one in service.post("automations/filter", {}) if one["name"] == "ragset-crashed-runs"]
    assert crashed["trigger"]["within"] == 90
    crashed["trigger"]["within"] = seconds
    fields = ("name", "description", "enabled", "trigger", "actions", "actions_on_trigger", "actions_on_resolve")
    answer = httpx.put(f"{service.api}/automations/{crashed['id']}", json={name: crashed[name] for name in fields})
    assert answer.is_success, answer.text


def test_runs_that_stop_ends_are_crashed_and_go_on_when_they_are_tried_again(
    service: Service, fake: Fake, corpus: Path, tmp_path: Path
) -> None:
    fake.set(latency=0.5)
    parameters = {
        "documents": {"sources": [str(corpus)]},
        "chunking": CHUNKING,
        "n": 12,
        "generator": {"model": "stopped", "max_concurrency": 2},
        "out": str(tmp_path / "stopped"),
    }
    run = service.start("single-chunk", **parameters)
    waits = service.start("single-chunk", **asking(corpus, "asking-stopped", tmp_path / "asking"))
    service.wait(lambda: service.get(f"flow_runs/{waits}")["state_type"] == "PAUSED", 90)
    service.wait(lambda: fake.stats()["answered"] > 4, 90)
    assert service.command("stop").returncode == 0
    service.serve()
    for ended in (run, waits):
        found = service.get(f"flow_runs/{ended}")
        assert found["state_type"] == "CRASHED"
        assert found["state"]["message"].startswith("The service was stopped")
        assert service.artifacts(ended)["progress"]["description"].startswith("stopped: ")

    fake.set(latency=0.01)
    service.set_state(run, "SCHEDULED", "AwaitingRetry")
    service.wait(lambda: service.get(f"flow_runs/{run}")["state_type"] not in {"CRASHED", "SCHEDULED"}, 60)
    assert service.ended(run)["state_type"] == "COMPLETED", service.logs()
    shown = service.post(
        "artifacts/filter", {"artifacts": {"flow_run_id": {"any_": [run]}, "type": {"any_": ["progress"]}}}
    )
    assert [(one["data"], one["description"].split(" · ")[0]) for one in shown] == [(100, "done")]
