"""Runs whose models are asked by the provider's Batch API."""

import json
import signal
import time
from pathlib import Path
from typing import Any

from flows.cli.exits import LATER
from tests.fake_openai import Fake
from tests.integration.conftest import Command, asked, files_of, url
from tests.integration.prefect import ask_prefect

PRICES = "models:\n  test-model: {input: 1000, output: 1000}\n"


def test_killed_and_taken_up_a_run_by_batch_makes_the_bytes_of_a_live_one_and_asks_nothing_twice(
    command: Command, prefect_api: str, fake: Fake, corpus: Path, tmp_path: Path
) -> None:
    prices = tmp_path / "prices.yaml"
    prices.write_text(PRICES)
    env: dict[str, Any] = {**url(fake), "RAGSET_PRICES": str(prices)}
    arguments = ["single-chunk", str(corpus), "--chunk-size", "100", "--model", "test-model", "--n", "8"]
    live = command.beside(tmp_path / "other").run(*arguments, "--out", str(tmp_path / "live"), **env)
    assert live.code == 0, live.err
    undisturbed = sorted(asked(fake))
    fake.reset()
    fake.set(batch_seconds=2.0)
    by_batch = [*arguments, "--out", str(tmp_path / "batch"), "--mode", "batch"]
    process = command.start(*by_batch, **env)
    deadline = time.monotonic() + 60
    while not fake.stats()["batches"] and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)  # while the first batch is under way
    process.communicate()
    assert fake.stats()["batches"] == 1
    later = command.run(*by_batch, "--batch-hours", "0", **env)
    assert later.code == LATER, later.err
    assert "run the same command later" in later.err
    fake.set(batch_seconds=0.0)
    ended = command.run(*by_batch, "--json", **env)
    assert ended.code == 0, ended.err
    tasks = ask_prefect(prefect_api, "task_runs/filter", {"task_runs": {"name": {"like_": " of test-model"}}})
    done = {one["name"] for one in tasks if one["state"]["type"] == "COMPLETED"}
    assert done == {f"batch_{number + 1} of test-model" for number in range(fake.stats()["batches"])}
    assert sorted(asked(fake)) == undisturbed
    assert {entry["path"] for entry in fake.log() if entry["reply"] != "Ready"} == {"/v1/batches"}
    files, others = files_of(tmp_path / "batch"), files_of(tmp_path / "live")
    manifest, other = (json.loads(one.pop("manifest.json")) for one in (files, others))
    del files["report.html"], others["report.html"]  # which show the cost
    assert files == others
    assert manifest["totals"].pop("cost") == other["totals"].pop("cost") / 2
    assert {row.pop("batch") for row in manifest["usage"]} == {True}
    assert {row.pop("batch") for row in other["usage"]} == {False}
    assert [one["parameters"]["generator"].pop("mode") for one in (manifest, other)] == ["batch", "live"]
    for one in (manifest, other):
        for row in one["usage"]:
            del row["cost"]
    assert manifest == other
