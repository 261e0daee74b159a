"""Corpora with queries and judgements, read by the libraries that benchmark retrievers on them."""

from pathlib import Path
from typing import Any

import pytest

from ragset.dataset.exporters import ExportSet, export
from tests.compat.environments import read_back
from tests.export_sample import COFFEE, MILK, SAMPLE, write_sample, write_sample_results
from tests.small_dataset import TEA

pytestmark = pytest.mark.compat

TEXTS = {document.id: document.text for document in (TEA, COFFEE, MILK)}
QUERIES = {golden.id: golden.query for golden in SAMPLE}
JUDGED = {golden.id: golden.split for golden in SAMPLE if golden.evidence}


@pytest.fixture
def given(tmp_path: Path) -> ExportSet:
    return ExportSet.read(write_sample(tmp_path))


def qrels(given: ExportSet, split: str) -> dict[str, dict[str, int]]:
    return {id_: dict(given.qrels[id_]) for id_, at in JUDGED.items() if at == split}


def nested(rows: list[dict[str, Any]]) -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = {}
    for row in rows:
        found.setdefault(row["query-id"], {})[row["corpus-id"]] = row["score"]
    return found


def test_beir(given: ExportSet, tmp_path: Path) -> None:
    export(given, "beir", str(tmp_path / "out"))
    read = read_back("beir", tmp_path / "out", "test", "train")
    for split, found in read.items():
        assert {id_: one["text"] for id_, one in found["corpus"].items()} == TEXTS
        assert found["queries"] == {id_: QUERIES[id_] for id_, at in JUDGED.items() if at == split}
        assert found["qrels"] == qrels(given, split)
    assert read["test"]["corpus"][TEA.id]["title"] == "Tea"


def test_huggingface(given: ExportSet, tmp_path: Path) -> None:
    export(given, "huggingface", str(tmp_path / "out"))
    offline = {"HF_HUB_OFFLINE": "1", "HF_HOME": str(tmp_path / "cache")}
    read = read_back("huggingface", tmp_path / "out", **offline)
    [corpus], [queries] = read["corpus"].values(), read["queries"].values()
    assert {row["_id"]: row["text"] for row in corpus} == TEXTS
    assert {row["_id"]: row["text"] for row in queries} == QUERIES
    assert {row["_id"]: row["answer"] for row in queries} == {golden.id: golden.answer for golden in SAMPLE}
    assert {split: nested(rows) for split, rows in read["default"].items() if rows} == {
        split: qrels(given, split) for split in ("test", "train")
    }
    goldens = {row["id"]: (split, row["kind"]) for split, rows in read["goldens"].items() for row in rows}
    assert goldens == {golden.id: (golden.split, golden.kind) for golden in SAMPLE}


def test_mteb(given: ExportSet, tmp_path: Path) -> None:
    export(given, "mteb", str(tmp_path / "out"))
    offline = {"HF_HUB_OFFLINE": "1", "HF_HOME": str(tmp_path / "cache")}
    read = read_back("mteb", tmp_path / "out", "RagsetDrinksV1", **offline)
    assert read["corpus"] == TEXTS
    assert read["queries"] == {id_: QUERIES[id_] for id_, at in JUDGED.items() if at == "test"}
    assert read["qrels"] == qrels(given, "test")
    # A model of random vectors ran on it.
    assert 0 < read["score"] <= 1
    assert read["splits"] == ["test"]


def test_trec(tmp_path: Path) -> None:
    dataset = write_sample(tmp_path)
    given = ExportSet.read(dataset, results=write_sample_results(tmp_path / "results", dataset))
    export(given, "trec", str(tmp_path / "out"))
    read = read_back("trec", tmp_path / "out")
    assert read["topics"] == [[id_, " ".join(query.split())] for id_, query in QUERIES.items()]
    for split in ("test", "train"):
        wanted = [[id_, passage, grade] for id_, ones in qrels(given, split).items() for passage, grade in ones.items()]
        assert sorted(read["qrels"][f"qrels.{split}.txt"]) == sorted(wanted)
    # Over whole documents: TEA before COFFEE, each once.
    assert read["runs"]["01-ours.trec"] == [[SAMPLE[0].id, TEA.id], [SAMPLE[0].id, COFFEE.id]]
