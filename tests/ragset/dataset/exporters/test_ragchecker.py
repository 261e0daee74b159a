import json
from pathlib import Path
from typing import Any

import pytest

from ragset.dataset.exporters import ExportSet, export
from ragset.errors import InputError
from tests.export_sample import COFFEE, SAMPLE, write_sample, write_sample_results
from tests.small_dataset import TEA


def exported(folder: Path, results: Path | None = None) -> tuple[dict[str, Any], dict[str, int]]:
    dataset = write_sample(folder)
    results = results or write_sample_results(folder / "results", dataset)
    done = export(ExportSet.read(dataset, results=results), "ragchecker", str(folder / "out"))
    files = {path.name: json.loads(path.read_text(encoding="utf-8")) for path in (folder / "out").glob("0*.json")}
    return files, done.lost


def test_each_configuration_that_answers_has_a_file(tmp_path: Path) -> None:
    files, lost = exported(tmp_path)
    assert list(files) == ["01-ours.json", "02-theirs.json"]
    first = files["01-ours.json"]["results"][0]
    # The reader was given two of the three hits.
    assert first == {
        "query_id": SAMPLE[0].id,
        "query": SAMPLE[0].query,
        "gt_answer": "80 °C",
        "response": "80.",
        "retrieved_context": [
            {"doc_id": f"{TEA.id}:0-35", "text": TEA.text[:35]},
            {"doc_id": f"{COFFEE.id}:0-35", "text": COFFEE.text[:35]},
        ],
    }
    # Of four queries with an answer one system answered two and the other one; the unanswerable one is not among them.
    assert lost["queries that a configuration did not answer"] == 2 + 3
    assert lost["unanswerable"] == 1


def test_a_passage_in_two_places_is_one_and_an_unaligned_one_is_counted(tmp_path: Path) -> None:
    files, lost = exported(tmp_path)
    [theirs] = files["02-theirs.json"]["results"]
    texts = [one["text"] for one in theirs["retrieved_context"]]
    assert texts == [f"{TEA.text[:35]}\n{COFFEE.text[:35]}", TEA.text[:35]]
    assert lost["passages that no document has"] == 1


def test_a_benchmark_without_answers_is_refused(tmp_path: Path) -> None:
    results = write_sample_results(tmp_path / "results", write_sample(tmp_path / "other"))
    (results / "answers.jsonl").write_text("")
    with pytest.raises(
        InputError, match="no configuration of this benchmark answered a query of the dataset; run it with"
    ):
        exported(tmp_path, results)


def test_a_folder_that_holds_no_results_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"holds no results of a benchmark, there is no benchmark\.json"):
        exported(tmp_path, tmp_path / "nothing")


def test_a_damaged_line_of_answers_is_named(tmp_path: Path) -> None:
    results = write_sample_results(tmp_path / "results", write_sample(tmp_path / "other"))
    (results / "answers.jsonl").write_text('{"configuration": "ours", "answer": "80."}\n')
    with pytest.raises(InputError, match=r"answers\.jsonl: line 1 has no 'golden'; run the benchmark again"):
        exported(tmp_path, results)
