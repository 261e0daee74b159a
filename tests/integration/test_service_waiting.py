"""Runs on the service that wait: for others under a limit, and for a person."""

import time
from pathlib import Path

import pytest

from tests.fake_openai import Fake
from tests.integration.conftest import asked
from tests.integration.service import CHUNKING, Service, asking

pytestmark = [pytest.mark.slow, pytest.mark.service]


def test_runs_beyond_the_limit_wait_and_one_that_waits_for_a_person_takes_no_place(
    service: Service, fake: Fake, corpus: Path, tmp_path: Path
) -> None:
    fake.set(latency=0.5)
    waits = service.start("single-chunk", **asking(corpus, "asking", tmp_path / "asking"))
    service.wait(lambda: service.get(f"flow_runs/{waits}")["state_type"] == "PAUSED", 600)
    paused = time.monotonic()
    others = [
        service.start(
            "single-chunk", **{**asking(corpus, model, tmp_path / model), "approval": {}, "n": 12, "chunking": CHUNKING}
        )
        for model in ("first", "second", "third")
    ]

    def states() -> list[str]:
        return sorted(service.get(f"flow_runs/{run}")["state_type"] for run in others)

    service.wait(lambda: states() == ["RUNNING", "RUNNING", "SCHEDULED"], 600)
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


def test_cancelled_while_it_waits_for_a_person_it_says_so(
    service: Service, fake: Fake, corpus: Path, tmp_path: Path
) -> None:
    run = service.start("single-chunk", **asking(corpus, "waiting", tmp_path / "waiting"))
    service.wait(lambda: service.get(f"flow_runs/{run}")["state_type"] == "PAUSED", 600)
    service.set_state(run, "CANCELLING", "Cancelling")
    assert service.ended(run, 120)["state_type"] == "CANCELLED"
    told = "Cancelled while it waited for approval; none of the calls was made."
    assert service.first_error(run) == told
    assert service.artifacts(run)["progress"]["description"].startswith(f"stopped: {told}")
    assert "TerminationSignal" not in service.logs()
    assert asked(fake) == []
