"""The service when runs are cancelled, or compete."""

import time
from pathlib import Path

import pytest

from ragset.dataset import read_dataset
from tests.fake_openai import Fake
from tests.integration.conftest import asked
from tests.integration.service import Service, twelve

pytestmark = [pytest.mark.slow, pytest.mark.service]


def test_cancelled_the_calls_stop_within_seconds_and_run_again_nothing_is_asked_twice(
    service: Service, fake: Fake, corpus: Path, tmp_path: Path
) -> None:
    fake.set(latency=4.0)
    parameters = twelve(corpus, "cancelled", tmp_path / "cancelled")
    run = service.start("single-chunk", **parameters)
    service.wait(lambda: fake.stats()["answered"] > 8, 600)
    assert service.set_state(run, "CANCELLING", "Cancelling") == "ACCEPT"
    cancelled = time.time()
    assert service.ended(run)["state_type"] == "CANCELLED"
    assert max(entry["started"] for entry in fake.log()) < cancelled + 15  # the whole run would take 30 seconds more
    before = asked(fake)
    assert 8 <= len(before) < 25

    fake.set(latency=0.01)
    service.run("single-chunk", **parameters)
    answers = asked(fake)
    # 12 goldens of two questions each, and the portrait of the audience
    assert len(answers) == len(set(answers)) == 25
    assert set(before) <= set(answers)
    assert len(read_dataset(tmp_path / "cancelled").goldens) == 12


def test_two_runs_on_two_workers_stay_under_one_limit(
    service: Service, fake: Fake, corpus: Path, tmp_path: Path
) -> None:
    assert "Workers        2" in service.serve("--workers", "2", "--calls", "5")
    fake.set(latency=0.5)  # long enough for slots to be got from a busy server meanwhile
    runs = [
        service.start("single-chunk", **twelve(corpus, model, tmp_path / model, at_once=16))
        for model in ("one", "other")
    ]
    assert [service.ended(run)["state_type"] for run in runs] == ["COMPLETED", "COMPLETED"]
    assert 1 < fake.stats()["highest"] <= 5  # on a busy machine slots come late
    times = {model: [entry["started"] for entry in fake.log() if entry["model"] == model] for model in ("one", "other")}
    # both were at it at the same time
    assert max(min(started) for started in times.values()) < min(max(started) for started in times.values())
