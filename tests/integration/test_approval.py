"""A run that waits for a person: real processes, a real Prefect server, HTTP on loopback."""

import asyncio
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from prefect.client.orchestration import PrefectClient
from prefect.client.schemas.filters import FlowRunFilter, FlowRunFilterState, FlowRunFilterStateType
from prefect.client.schemas.objects import FlowRun, StateType
from prefect.client.schemas.responses import SetStateStatus

from ragset.dataset import read_dataset
from tests.fake_openai import Fake
from tests.integration.conftest import ROOT, Command, asked, url
from tests.integration.forks import Fork
from tests.integration.prefect import client_of

pytestmark = pytest.mark.slow


def start(command: Command, fake: Fake, corpus: Path, out: Path, **approval: float) -> "subprocess.Popen[str] | Fork":
    config = {
        "documents": {"sources": [str(corpus)]},
        "n": 12,
        "chunking": {"size": 100},
        "generator": {"model": "test-model"},
        "approval": {"above_calls": 10, **approval},
        "out": str(out),
    }
    file = out.with_suffix(".yaml")
    file.write_text(yaml.safe_dump(config))
    return command.start("single-chunk", "--config", str(file), **url(fake))


async def paused(client: PrefectClient) -> tuple[FlowRun, dict[str, Any], str]:
    """The run that waits, the schema of its form and its description."""
    waiting = FlowRunFilter(state=FlowRunFilterState(type=FlowRunFilterStateType(any_=[StateType.PAUSED])))
    async with asyncio.timeout(120):
        while True:
            for run in await client.read_flow_runs(flow_run_filter=waiting):
                stored = await client.filter_flow_run_input(run.id, "paused-approval-1-", 10, set())
                parts = {one.key.rpartition("-")[2]: one.decoded_value for one in stored}
                if "description" in parts:
                    return run, parts["schema"], parts["description"]
            await asyncio.sleep(0.3)


async def ended(process: "subprocess.Popen[str] | Fork") -> tuple[str, str]:
    return await asyncio.to_thread(process.communicate, timeout=400)


async def test_a_run_waits_for_a_person_and_goes_on_with_fewer_goldens(
    command: Command, fake: Fake, corpus: Path, tmp_path: Path, prefect_api: str
) -> None:
    process = start(command, fake, corpus, tmp_path / "set", above_calls=20)
    async with client_of(prefect_api) as client:
        run, schema, text = await paused(client)
        # how many calls follows from the prior pass rates
        assert (calls := re.search(r"\*\*(\d+) calls of models \(limit: 20\)", text))
        assert re.search(r"\| draft \| \d+ \|", text)
        assert schema["properties"]["decision"]["enum"] == ["go on", "cancel"]
        assert (within := re.search(r"(\d+) stay within the limits", schema["properties"]["n"]["description"]))
        # 20 of 60 calls would be 4 of 12 goldens, or fewer where the corpus is not expected to give 12
        assert 1 < int(within[1]) <= 12 * 20 // int(calls[1])
        refused = await client.resume_flow_run(run.id, {"decision": "go on", "n": 13})
        assert refused.status == SetStateStatus.REJECT
        assert "greater than the maximum of 12" in str(refused.details)
        assert asked(fake) == []
        await client.resume_flow_run(run.id, {"decision": "go on", "n": 3})
        _, errors = await ended(process)
        assert process.returncode == 0, errors
        assert (await client.read_flow_run(run.id)).state_type == StateType.COMPLETED
    dataset = read_dataset(tmp_path / "set")
    assert len(dataset.goldens) == dataset.manifest.wanted == 3
    assert json.loads((tmp_path / "set/manifest.json").read_text())["parameters"]["n"] == 3
    assert len(asked(fake)) == 7  # three goldens of two calls, and the audience


TWICE = """
import asyncio
from prefect import flow
from flows.steps.approval import approve_calls
from ragset.models import Usage
from ragset.settings import ApprovalSettings

@flow
async def tries():
    rows = [Usage(stage="read", prompt="read", model="test-model", calls=11)]
    limits = ApprovalSettings(above_calls=10)
    return [await approve_calls(limits, rows, "a comparison", "Counted.", "out") for _ in range(2)]

assert asyncio.run(tries()) == [None, None]
"""


async def test_what_was_answered_already_is_not_asked_again(command: Command, prefect_api: str) -> None:
    process = subprocess.Popen(  # noqa: ASYNC220
        [sys.executable, "-c", TWICE], cwd=ROOT, env=command.env, stdout=-1, stderr=-1, text=True
    )
    async with client_of(prefect_api) as client:
        run, schema, _ = await paused(client)
        assert set(schema["properties"]) == {"decision"}
        await client.resume_flow_run(run.id, {"decision": "go on"})
        _, errors = await ended(process)
        assert process.returncode == 0, errors
        stored = await client.filter_flow_run_input(run.id, "paused-approval-", 10, set())
    assert sum(one.key.endswith("-response") for one in stored) == 1


async def test_a_run_that_a_person_cancels_ends_as_cancelled_and_has_called_nothing(
    command: Command, fake: Fake, corpus: Path, tmp_path: Path, prefect_api: str
) -> None:
    process = start(command, fake, corpus, tmp_path / "set")
    async with client_of(prefect_api) as client:
        run, _, _ = await paused(client)
        await client.resume_flow_run(run.id, {"decision": "cancel"})
        _, errors = await ended(process)
        state = (await client.read_flow_run(run.id)).state
    assert state is not None
    assert state.type == StateType.CANCELLED
    assert "Cancelled by the person who answered the approval form" in (state.message or "")
    assert process.returncode == 130
    assert "Error: Cancelled by the person" in errors
    assert "Traceback" not in errors
    assert asked(fake) == []
    assert not (tmp_path / "set").exists()


async def test_a_run_that_waited_leaves_alone_what_another_run_wrote_meanwhile(
    command: Command, fake: Fake, corpus: Path, tmp_path: Path, prefect_api: str
) -> None:
    process = start(command, fake, corpus, tmp_path / "set")
    async with client_of(prefect_api) as client:
        run, _, _ = await paused(client)
        file = (tmp_path / "set.yaml").read_text()
        (tmp_path / "other.yaml").write_text(yaml.safe_dump({**yaml.safe_load(file), "n": 2, "approval": {}}))
        meanwhile = command.start("single-chunk", "--config", str(tmp_path / "other.yaml"), **url(fake))
        _, errors = await ended(meanwhile)
        assert meanwhile.returncode == 0, errors
        assert (await client.read_flow_run(run.id)).state_type == StateType.PAUSED
        before = asked(fake)
        await client.resume_flow_run(run.id, {"decision": "go on"})
        _, errors = await ended(process)
    assert process.returncode == 2, errors
    assert "another run has written it while this one waited for approval" in " ".join(errors.split())
    assert asked(fake) == before
    assert len(read_dataset(tmp_path / "set").goldens) == 2
