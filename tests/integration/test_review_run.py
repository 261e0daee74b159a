"""A run that waits until people have judged its dataset: a real command, a real Prefect server."""

import asyncio
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from prefect.client.orchestration import PrefectClient
from prefect.client.schemas.filters import FlowRunFilter, FlowRunFilterState, FlowRunFilterStateType
from prefect.client.schemas.objects import FlowRun, StateType

from ragset.dataset import read_dataset
from ragset.dataset.review.file import ReviewFile
from ragset.dataset.review.order import read_plan, sampled
from ragset.dataset.review.records import Review
from tests.integration.conftest import ROOT, Command
from tests.integration.forks import Fork
from tests.integration.prefect import client_of

pytestmark = [pytest.mark.slow, pytest.mark.service]


async def paused(client: PrefectClient) -> FlowRun:
    waiting = FlowRunFilter(state=FlowRunFilterState(type=FlowRunFilterStateType(any_=[StateType.PAUSED])))
    async with asyncio.timeout(120):
        while True:
            for run in await client.read_flow_runs(flow_run_filter=waiting):
                return run
            await asyncio.sleep(0.3)


async def ended(process: "subprocess.Popen[str] | Fork") -> tuple[str, str]:
    return await asyncio.to_thread(lambda: process.communicate(timeout=400))


def judge(folder: Path, items: list[str], verdict: str, **said: Any) -> None:
    file = ReviewFile(folder)
    file.append(*(Review.of("Ada", item, "golden", "golden@1", verdict=verdict, **said) for item in items))


def sample_of(folder: Path) -> list[str]:
    goldens, plan = read_dataset(folder).goldens, read_plan(folder)
    skips = [Review.of("Ada", golden.id, "golden", "golden@1", verdict="good") for golden in goldens]
    return [*sampled([golden.id for golden in goldens], plan, skips).judged]


REVIEW = """
import asyncio, sys
from flows.review import review
asyncio.run(review(dataset=sys.argv[1], sample=4, good=0.8))
"""


async def test_a_run_waits_until_people_have_judged_a_sample_and_exports_what_they_made_of_it(
    command: Command, tmp_path: Path, prefect_api: str
) -> None:
    out, config = tmp_path / "set", tmp_path / "run.yaml"
    config.write_text(yaml.safe_dump({"review": {"sample": 4, "good": 0.75}, "export": [{"to": "jsonl"}]}))
    given = ["examples/corpus", "--n", "6", "--out", str(out), "--config", str(config)]
    process = command.start("single-chunk", *given)
    async with client_of(prefect_api) as client:
        run = await paused(client)
        first, *others = sample_of(out)
        assert len(others) == 3
        judge(out, [first], "bad", reasons=("trivial",))
        judge(out, others[:2], "good")
        await asyncio.sleep(5)  # the run looks every 2 s
        assert (await client.read_flow_run(run.id)).state_type == StateType.PAUSED
        assert not (tmp_path / "set-v2").exists()
        judge(out, others[2:], "good")
        said, errors = await ended(process)
        assert process.returncode == 0, errors
        assert (await client.read_flow_run(run.id)).state_type == StateType.COMPLETED
    assert "75.0% of 4 goldens drawn at random are good as made" in said
    made = read_dataset(tmp_path / "set-v2")
    assert [golden.id for golden in made.goldens] == [
        golden.id for golden in read_dataset(out).goldens if golden.id != first
    ]
    assert len((tmp_path / "set-v2-jsonl.jsonl").read_text(encoding="utf-8").splitlines()) == 5

    # The sample is judged already, so this run waits for nobody; two of four are not enough.
    judge(out, [others[2]], "bad")
    process = subprocess.Popen(  # noqa: ASYNC220
        [sys.executable, "-c", REVIEW, str(out)], cwd=ROOT, env=command.env, stdout=-1, stderr=-1, text=True
    )
    _, errors = await ended(process)
    assert process.returncode == 1
    assert "50.0% of 4 goldens" in errors
    assert "80.0% are demanded of the share, so nothing was written or exported. Reasons: trivial 1" in errors
    assert not (tmp_path / "set-v3").exists()


async def test_a_person_ends_the_wait_and_what_was_judged_until_then_counts(
    command: Command, tmp_path: Path, prefect_api: str
) -> None:
    out = tmp_path / "set"
    assert command.run("single-chunk", "examples/corpus", "--n", "6", "--out", str(out)).code == 0
    process = subprocess.Popen(  # noqa: ASYNC220
        [sys.executable, "-c", REVIEW, str(out)], cwd=ROOT, env=command.env, stdout=-1, stderr=-1, text=True
    )
    async with client_of(prefect_api) as client:
        run = await paused(client)
        judge(out, sample_of(out)[:2], "good")
        await client.resume_flow_run(run.id, {"decision": "go on"})
        _, errors = await ended(process)
        assert process.returncode == 0, errors
    assert "100.0% of 2 goldens drawn at random" in errors
    assert read_dataset(tmp_path / "set-v2").manifest.kept == 6
