import csv
import json
from pathlib import Path

import pandas as pd
import pytest

from ragset.dataset.exporters import export
from ragset.dataset.importers import read_goldens
from ragset.dataset.table import COLUMNS
from tests.ragset.dataset.exporters.sets import BOTH, COFFEE, HOT, NOBODY, SENTENCES, export_set
from tests.small_dataset import TEA


def test_a_json_line_has_all_of_a_golden_with_the_texts_of_its_evidence(tmp_path: Path) -> None:
    done = export(export_set(tmp_path, BOTH), "jsonl", str(tmp_path / "out" / "demo.jsonl"))
    [row] = map(json.loads, (tmp_path / "out" / "demo.jsonl").read_text(encoding="utf-8").splitlines())
    assert (row["query"], row["answer"], row["split"]) == (BOTH.query, "80 °C, two minutes.", "train")
    assert row["evidence"] == ["Green tea turns bitter above 80 °C.", "Steep it for two minutes."]
    assert (row["spans"], row["grades"]) == ([f"{TEA.id}:0-35", f"{TEA.id}:36-61"], [2, 1])
    assert row["equivalents"] == ["Coffee is brewed at 93 °C or above."]
    assert (row["titles"], row["sources"], row["places"]) == (["Tea"], ["tea.md"], ["tea.md", "tea.md"])
    assert row["relevant"] == [{"id": TEA.id, "grade": 2}, {"id": COFFEE.id, "grade": 2}]
    assert (row["metadata"], row["lineage"]) == (BOTH.metadata, [step.model_dump() for step in BOTH.lineage])
    assert done.lost == {"documents": 2}


def test_a_parquet_table_has_the_same_rows(tmp_path: Path) -> None:
    given = export_set(tmp_path, chunking=SENTENCES)
    for to in ("jsonl", "parquet"):
        export(given, to, str(tmp_path / f"out.{to}"))
    lines = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text(encoding="utf-8").splitlines()]
    frame = pd.read_parquet(tmp_path / "out.parquet", dtype_backend="pyarrow")
    for line, row in zip(lines, frame.to_dict("records"), strict=True):
        assert (row["id"], list(row["evidence"]), list(row["spans"])) == (line["id"], line["evidence"], line["spans"])
        assert [dict(one) for one in row["relevant"]] == line["relevant"]
        assert json.loads(row["metadata"]) == line["metadata"]
    assert pd.isna(frame["answer"][2])
    assert frame["missing"][2] == "who"


def test_a_csv_is_the_one_of_a_dataset_folder(tmp_path: Path) -> None:
    given = export_set(tmp_path)
    export(given, "csv", str(tmp_path / "out.csv"))
    assert (tmp_path / "out.csv").read_bytes() == (tmp_path / "demo" / "goldens.csv").read_bytes()
    with (tmp_path / "out.csv").open(encoding="utf-8-sig", newline="") as file:
        table = list(csv.DictReader(file))
    assert list(table[0]) == list(COLUMNS)
    assert [row["id"] for row in table] == [HOT.id, BOTH.id, NOBODY.id]


@pytest.mark.parametrize("to", ["csv", "jsonl"])
def test_a_table_that_was_exported_is_read_with_the_same_evidence(tmp_path: Path, to: str) -> None:
    export(export_set(tmp_path, HOT, BOTH), to, str(tmp_path / f"out.{to}"))
    texts = {document.id: document.text for document in (TEA, COFFEE)}
    for read, golden in zip(
        read_goldens(tmp_path / f"out.{to}", documents=[TEA, COFFEE]).goldens, (HOT, BOTH), strict=True
    ):
        # Of the places that say the same any; a CSV joins spans, and neighbours are read as one
        said, meant = (" ".join(texts[one.doc_id][one.start : one.end] for one in of.evidence) for of in (read, golden))
        assert (read.query.split(), read.answer, said) == (golden.query.split(), golden.answer, meant)
