"""Chunks that exist already, as a user takes them: real Prefect, real Milvus Lite."""

import json
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ragset.dataset import problems, read_dataset
from ragset.evaluation.results.folder import StoredResults, read_results
from ragset.retrieval.existing import read_existing
from ragset.retrieval.milvus.connection import connect
from ragset.settings import Environment, ExistingChunks
from tests.integration.conftest import ROOT, Command
from tests.integration.milvus import served
from tests.ragset.retrieval.collections import LLAMA_INDEX, write_llama_index

pytestmark = [pytest.mark.slow, pytest.mark.service]

CORPUS = ROOT / "examples" / "corpus"


def test_chunks_make_goldens_and_are_compared_and_their_run_is_measured_again(command: Command, tmp_path: Path) -> None:
    texts = {path.name: path.read_text() for path in sorted(CORPUS.iterdir()) if path.suffix in {".md", ".txt"}}
    cut = [(name, text[at : at + 600]) for name, text in texts.items() for at in range(0, len(text) - 200, 600)]
    records = [{"id": f"c {n}", "text": f"{name}\n\n{text}", "document": name} for n, (name, text) in enumerate(cut)]
    chunks, made, out = tmp_path / "chunks.jsonl", tmp_path / "made", tmp_path / "out"
    chunks.write_text("".join(json.dumps(record) + "\n" for record in records))
    ended = command.run("single-chunk", "examples/corpus", "--chunks", str(chunks), "--n", "4", "--out", str(made))
    assert ended.code == 0, ended.err
    dataset = read_dataset(made)
    assert problems(dataset) == []
    assert dataset.manifest.parameters["chunking"]["existing"]["file"] == "chunks.jsonl"
    grid = tmp_path / "grid.yaml"
    grid.write_text(f"grid: {{chunking: [recursive, {{existing: {chunks}}}], retrieval: [bm25, dense]}}\n")
    ended = command.run("benchmark", str(made), "--config", str(grid), "--out", str(out))
    assert ended.code == 0, ended.err
    first = read_results(out)
    name = "chunks.jsonl / bm25"
    mapping = next(one.mapping for one in first.benchmark.systems if one.name == name)
    assert mapping is not None
    assert (mapping.chunks, mapping.not_found) == (len(cut), 0)
    assert (out / first.benchmark.runs[name]).read_text().split()[2].startswith("c_")
    again = tmp_path / "again.yaml"
    run, where = out / first.benchmark.runs[name], out / first.benchmark.chunks[name]
    again.write_text(f"grid: null\nsystems: [{{name: again, runs: {run}, chunks: {where}}}]\n")
    ended = command.run("benchmark", str(made), "--config", str(again), "--out", str(tmp_path / "second"))
    assert ended.code == 0, ended.err
    second = read_results(tmp_path / "second")
    metrics = ["mrr", "hit_rate@1", "hit_rate@5", "ndcg@10"]
    assert values(first, name, metrics) == pytest.approx(values(second, "again", metrics))


def values(read: StoredResults, configuration: str, metrics: list[str]) -> dict[tuple[str, str], float]:
    """Scores by metric and golden."""
    rows: Any = read.scores[read.scores["configuration"] == configuration]
    return {
        (str(metric), str(golden)): float(value)
        for metric, golden, value in rows[["metric", "golden", "value"]].itertuples(index=False)
        if metric in metrics
    }


def test_a_collection_of_a_server_is_read_and_let_go_again(tmp_path: Path) -> None:
    ids = write_llama_index(
        tmp_path / "rag.db", [("Green tea turns bitter.", "tea.txt", 0)], np.ones((1, 4), np.float32)
    )
    with served(tmp_path / "rag.db") as port:
        env = Environment(_env_file=None, ragset_home=tmp_path / "home")  # type: ignore[call-arg]
        address = {"milvus": f"http://127.0.0.1:{port}", "collection": LLAMA_INDEX}
        (chunk,) = read_existing(ExistingChunks.model_validate(address), env)
        assert (chunk.id, chunk.text) == (ids[0], "Green tea turns bitter.")
        with closing(connect(env.model_copy(update={"milvus_uri": address["milvus"]}))) as connection:
            client: Any = connection.client
            assert "NotLoad" in str(client.get_load_state(LLAMA_INDEX))


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--chunks", "none.jsonl"], "none.jsonl: there is no such file"),
        (["--chunks-milvus", "none.db", "--chunks-collection", "c"], "none.db: there is no such file"),
        (["--chunks-collection", "c"], "give a file of chunks, or milvus and collection"),
    ],
)
def test_chunks_that_are_not_there_end_the_run_before_it_begins(
    command: Command, tmp_path: Path, options: list[str], said: str
) -> None:
    ended = command.run("index", "examples/corpus", *options, cwd=ROOT)
    assert ended.code != 0
    assert said in ended.err
    assert not (tmp_path / "none.db").exists()
