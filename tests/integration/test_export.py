"""Exports as a user takes them: at the end of runs, and by the command."""

import json
from pathlib import Path

import ir_measures
import pytest

from ragset.dataset import read_dataset
from ragset.dataset.importers import read_goldens
from ragset.evaluation.results.folder import read_results
from tests.integration.conftest import Command

pytestmark = [pytest.mark.slow, pytest.mark.service]

CHUNKS = ["--chunking", "recursive", "--chunk-size", "96"]


def test_a_run_and_its_refresh_write_the_dataset_for_other_tools(command: Command, tmp_path: Path) -> None:
    out, config = tmp_path / "demo", tmp_path / "run.yaml"
    config.write_text(f"export: [{{to: beir, out: {tmp_path / 'beir'}}}, {{to: jsonl}}]\n")
    given = ["examples/corpus", "--n", "3", "--out", str(out), "--config", str(config)]
    ended = command.run("single-chunk", *given)
    assert ended.code == 0, ended.err
    assert f"Export to beir: {tmp_path / 'beir'}" in ended.out
    made = read_dataset(out)
    assert {one.metadata["source"] for one in read_goldens(tmp_path / "beir").goldens} == {
        one.id for one in made.goldens
    }
    assert len((tmp_path / "demo-jsonl.jsonl").read_text(encoding="utf-8").splitlines()) == 3
    assert "export" not in made.manifest.parameters
    # An unchanged version is exported too, since the formats may be others.
    config.write_text(f"export: [{{to: csv, out: {tmp_path / 'new.csv'}}}]\n")
    ended = command.run("refresh", str(out), "--documents", "examples/corpus", "--config", str(config))
    assert ended.code == 0, ended.err
    assert "unchanged" in ended.out
    assert (tmp_path / "new.csv").read_bytes() == (out / "goldens.csv").read_bytes()
    config.write_text(f"export: [{{to: beir, out: {out}}}]\n")
    ended = command.run("single-chunk", *given)
    assert ended.code == 2
    assert "is where the dataset goes; name another folder" in ended.err


def test_runs_of_a_benchmark_score_as_the_benchmark_says_by_the_judgements_exported(
    command: Command, tmp_path: Path
) -> None:
    made, results, out = tmp_path / "demo", tmp_path / "results", tmp_path / "trec"
    assert command.run("single-chunk", "examples/corpus", "--n", "8", "--out", str(made)).code == 0
    config = tmp_path / "grid.yaml"
    config.write_text("grid: {chunking: [{strategy: recursive, size: 96}], retrieval: [bm25, dense]}\n")
    ended = command.run("benchmark", str(made), "--config", str(config), "--out", str(results))
    assert ended.code == 0, ended.err
    given = ["--to", "trec", "--out", str(out), "--results", str(results)]
    ended = command.run("export", str(made), *given, *CHUNKS, "--json")
    assert ended.code == 0, ended.err
    assert json.loads(ended.out)["goldens"] == 8
    judged = list(ir_measures.read_trec_qrels(str(out / "qrels.test.txt")))
    read = read_results(results)
    for name, path in read.benchmark.runs.items():
        run = list(ir_measures.read_trec_run(str(out / path)))
        [standing] = [one for one in read.benchmark.standings if (one.configuration, one.metric) == (name, "mrr")]
        assert ir_measures.calc_aggregate([ir_measures.RR], judged, run)[ir_measures.RR] == pytest.approx(standing.mean)


def test_what_cannot_be_exported_ends_with_a_message(command: Command, tmp_path: Path) -> None:
    ended = command.run("export", str(tmp_path), "--to", "beir", "--out", str(tmp_path / "out"))
    assert ended.code == 2
    assert "is no dataset" in ended.err
    assert not (tmp_path / "out").exists()
    listed = command.run("export", "--list", "--json")
    assert "beir" in listed.json
