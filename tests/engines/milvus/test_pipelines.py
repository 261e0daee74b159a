"""Whole runs on a Milvus server, with the fake model."""

from pathlib import Path

import pytest

from ragset.dataset import problems, read_dataset
from ragset.evaluation.results.folder import read_results
from tests.fake_openai import Fake
from tests.integration.conftest import Command, read_lines, url

pytestmark = pytest.mark.engines

MODEL = ["--model", "test-model", "--embedding", "offline"]
GRID = """
grid:
  chunking: [{strategy: recursive, size: 100}]
  retrieval: [dense, bm25, hybrid]
"""


@pytest.mark.parametrize("pipeline", ["single-chunk", "multi-chunk"])
def test_a_test_set_made_on_a_server_is_the_one_made_on_milvus_lite(
    command: Command, milvus: str, fake: Fake, corpus: Path, tmp_path: Path, pipeline: str
) -> None:
    made: dict[str, object] = {}
    for name, uri in (("lite", ""), ("server", milvus)):
        out, one = tmp_path / name, command.beside(tmp_path / f"home-{name}")
        one.env["MILVUS_URI"] = uri
        ended = one.run(
            pipeline, str(corpus), "--chunk-size", "100", "--n", "3", *MODEL, "--out", str(out), **url(fake)
        )
        assert ended.code in {0, 4}, ended.err
        assert problems(read_dataset(out)) == []
        # Without labels: where scores are equal, Milvus Lite cuts a ranking at any of them.
        made[name] = [(line["id"], line["evidence"]) for line in read_lines(out / "goldens.jsonl")]
        assert made[name]
    assert made["server"] == made["lite"]


def test_a_benchmark_searches_a_server_by_vectors_and_by_words(
    command: Command, milvus: str, fake: Fake, corpus: Path, tmp_path: Path
) -> None:
    command.env["MILVUS_URI"] = milvus
    (tmp_path / "grid.yaml").write_text(GRID)
    out, results = tmp_path / "out", tmp_path / "results"
    assert command.run("single-chunk", str(corpus), "--n", "6", *MODEL, "--out", str(out), **url(fake)).code in {0, 4}
    ended = command.run("benchmark", str(out), "--config", str(tmp_path / "grid.yaml"), "--out", str(results))
    assert ended.code == 0, ended.err
    found = [row.mean or 0.0 for row in read_results(results).benchmark.standings if row.metric == "hit_rate@10"]
    assert len(found) == 3
    assert all(found)
