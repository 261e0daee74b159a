import json
from pathlib import Path

from ragset.dataset.exporters import ExportSet, export
from ragset.models import Span
from tests.small_dataset import TEA, corpus_of, golden_of, write_small


def test_a_json_line_has_all_of_a_golden_with_the_texts_of_its_evidence(tmp_path: Path) -> None:
    golden = golden_of().model_copy(update={"equivalents": (Span(doc_id=TEA.id, start=36, end=61),), "split": "train"})
    write_small(tmp_path / "demo", corpus_of(tmp_path), [golden])
    done = export(ExportSet.read(tmp_path / "demo"), "jsonl", str(tmp_path / "out" / "demo.jsonl"))
    [row] = map(json.loads, (tmp_path / "out" / "demo.jsonl").read_text(encoding="utf-8").splitlines())
    assert (row["query"], row["answer"], row["kind"], row["split"]) == (golden.query, "80 °C", "single-chunk", "train")
    assert (row["evidence"], row["spans"]) == (["Green tea turns bitter above 80 °C."], [f"{TEA.id}:0-35"])
    assert (row["equivalents"], row["grades"]) == (["Steep it for two minutes."], [1])
    assert (row["titles"], row["sources"]) == (["Tea"], ["tea.md"])
    assert row["relevant"] == [{"id": TEA.id, "grade": 1}]
    assert (row["metadata"], row["lineage"]) == (golden.metadata, [step.model_dump() for step in golden.lineage])
    assert done.lost == {"documents": 1}
