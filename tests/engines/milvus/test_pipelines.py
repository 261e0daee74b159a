"""Whole runs on a Milvus server. Only rules write here: what is tested is where the chunks are searched."""

from pathlib import Path

import pytest

from ragset.dataset import problems, read_dataset
from tests.integration.conftest import Command, command, corpus, forks, prefect_api, prefect_server, read_lines

__all__ = ["command", "corpus", "forks", "prefect_api", "prefect_server"]

pytestmark = pytest.mark.engines


@pytest.mark.parametrize("pipeline", ["single-chunk", "multi-chunk"])
def test_a_test_set_and_its_benchmark_are_those_of_milvus_lite(
    command: Command, milvus: str, corpus: Path, tmp_path: Path, pipeline: str
) -> None:
    made = {}
    for store, uri in (("lite", ""), ("server", milvus)):
        out, home = tmp_path / store, command.beside(tmp_path / f"home-{store}")
        ended = home.run(pipeline, str(corpus), "--chunk-size", "100", "--n", "3", "--out", str(out), MILVUS_URI=uri)
        assert ended.code in {0, 4}, ended.err
        assert problems(read_dataset(out)) == []
        results = tmp_path / f"results-{store}"
        if pipeline == "single-chunk":
            ended = home.run("benchmark", str(out), "--retrieval", "hybrid", "--out", str(results), MILVUS_URI=uri)
            assert ended.code == 0, ended.err
            made[store] = (read_lines(out / "goldens.jsonl"), (results / "results.json").read_bytes())
        else:
            made[store] = (read_lines(out / "goldens.jsonl"),)
        assert made[store][0]
    assert made["server"] == made["lite"]
