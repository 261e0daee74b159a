"""An adapter, trained and then compared with the embedding alone, as a user does it."""

import json
from pathlib import Path

import pytest
import yaml

from ragset.evaluation.results.folder import read_results
from ragset.retrieval.embedding.adapter import adapter_name
from tests.adapter_sample import DIMENSIONS, write_german
from tests.integration.conftest import Command

pytestmark = [pytest.mark.slow, pytest.mark.service]


def test_an_adapter_is_trained_measured_and_then_one_of_the_embeddings_of_a_grid(
    command: Command, tmp_path: Path
) -> None:
    dataset, out, config = write_german(tmp_path), tmp_path / "german", tmp_path / "config.yaml"
    model = {"model": "offline", "dimensions": DIMENSIONS}
    config.write_text(yaml.safe_dump({"embedding": model, "chunking": {"size": 64}}))
    ended = command.run("train-adapter", str(dataset), "--config", str(config), "--out", str(out), "--json")
    assert ended.code == 0, ended.err
    trained = json.loads(ended.out)
    assert (trained["kept"], trained["effect"]["verdict"]) == (True, "helps")
    assert {path.name for path in out.iterdir()} == {
        "README.md",
        "adapter.safetensors",
        "config.json",
        "effect.json",
        "grid.yaml",
        "llamaindex",
        "report.html",
    }

    results = tmp_path / "results"
    measuring = (
        "benchmark",
        str(dataset),
        "--split",
        "test",
        "--config",
        str(out / "grid.yaml"),
        "--out",
        str(results),
    )
    ended = command.run(*measuring)
    assert ended.code == 0, ended.err
    found = read_results(results)
    alone, adapted = f"offline-{DIMENSIONS}", f"offline-{DIMENSIONS} + {adapter_name(out)}"
    names = {system.embedding: system.name for system in found.benchmark.systems}
    assert set(names) == {alone, adapted}
    ndcg = found.scores[found.scores["metric"] == "ndcg@10"].groupby("configuration")["value"].mean()
    change = trained["effect"]["metrics"][0]
    assert change["metric"] == "ndcg@10"
    assert [ndcg[names[alone]], ndcg[names[adapted]]] == pytest.approx([change["before"], change["after"]])

    (out / "adapter.safetensors").write_bytes(b"cut off")
    ended = command.run(*measuring)
    assert ended.code == 2
    assert "adapter.safetensors: is damaged" in ended.err
