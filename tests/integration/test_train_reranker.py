"""A reranker trained and used in a benchmark, as a user does both."""

import json
from pathlib import Path

import pytest

from ragset.retrieval.learned_reranker import FILE, LearnedReranker, Weights, write_reranker
from tests.integration.conftest import Command

pytestmark = [pytest.mark.slow, pytest.mark.service]


def test_a_reranker_is_trained_measured_and_used(command: Command, tmp_path: Path) -> None:
    split, out, results = tmp_path / "split", tmp_path / "reranker", tmp_path / "results"
    made = ["single-chunk", "examples/corpus", "--n", "24", "--chunk-size", "64", "--split-by", "document"]
    assert command.run(*made, "--out", str(split)).code == 0
    training = ["train-reranker", str(split), "--chunk-size", "64", "--retrieval", "dense", "--out", str(out)]
    ended = command.run(*training, "--json")
    assert ended.code == 0, ended.err
    told = json.loads(ended.out)
    assert told["kept"] == (out / FILE).exists()
    assert json.loads((out / "effect.json").read_text())["changed"] == "reranker"
    assert (out / "report.html").exists()

    write_reranker(
        tmp_path / "own",
        LearnedReranker(embedding="offline-512", language="en", weights=Weights(dense=0, bm25=1, coverage=0)),
    )
    config = tmp_path / "grid.yaml"
    chunking = "chunking: [{strategy: recursive, size: 64}]"
    config.write_text(
        f"grid:\n  {chunking}\n  retrieval: [dense, bm25]\n  reranker: [none, 'learned:{tmp_path / 'own'}']\n"
    )
    ended = command.run("benchmark", str(split), "--config", str(config), "--out", str(results), "--json")
    assert ended.code == 0, ended.err
    names = [one["configuration"] for one in ended.json["standings"]]
    assert len(names) == 4
    assert sum("learned:own-" in name for name in names) == 2
    config.write_text(config.read_text().replace("/own", "/nowhere"))
    ended = command.run("benchmark", str(split), "--config", str(config), "--out", str(results))
    assert ended.code == 2
    assert "nowhere: is no folder of a learned reranker" in ended.err
