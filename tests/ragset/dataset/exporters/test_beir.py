import json
from pathlib import Path
from typing import Any

from ragset.dataset.exporters import export
from ragset.dataset.importers import read_goldens
from ragset.settings import ChunkingSettings
from tests.ragset.dataset.exporters.sets import BOTH, COFFEE, HOT, NOBODY, SENTENCES, export_set
from tests.small_dataset import TEA


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def exported(folder: Path, chunking: ChunkingSettings | None = None) -> Path:
    export(export_set(folder, chunking=chunking), "beir", str(folder / "out"))
    return folder / "out"


def test_chunks_are_judged_with_the_highest_grade_of_their_evidence(tmp_path: Path) -> None:
    out = exported(tmp_path, SENTENCES)
    assert {one["_id"] for one in lines(out / "corpus.jsonl")} == {
        *(f"{TEA.id}:0-35", f"{TEA.id}:36-61", f"{COFFEE.id}:0-35", f"{COFFEE.id}:36-84"),
    }
    # HOT's evidence stands in COFFEE too
    test = f"query-id\tcorpus-id\tscore\n{HOT.id}\t{TEA.id}:0-35\t1\n{HOT.id}\t{COFFEE.id}:36-84\t1\n"
    assert (out / "qrels" / "test.tsv").read_text() == test
    train = (out / "qrels" / "train.tsv").read_text().splitlines()[1:]
    found = {line.split("\t")[1]: int(line.split("\t")[2]) for line in train}
    assert found == {f"{TEA.id}:0-35": 2, f"{COFFEE.id}:36-84": 2, f"{TEA.id}:36-61": 1, f"{COFFEE.id}:0-35": 1}


def test_a_query_keeps_its_text_answer_and_labels(tmp_path: Path) -> None:
    hot, both, nobody = lines(exported(tmp_path) / "queries.jsonl")
    assert (hot["_id"], hot["text"], both["text"]) == (HOT.id, HOT.query, BOTH.query)
    assert hot["metadata"] == {"answer": "80 °C", "kind": "single-chunk", "style": "open", "evolution": "none"}
    assert nobody["metadata"] == {"answer": None, "kind": "unanswerable", "missing": "who"}
    assert nobody["_id"] == NOBODY.id


def test_the_folder_is_read_back_with_the_same_queries_documents_and_grades(tmp_path: Path) -> None:
    out = exported(tmp_path)
    read = read_goldens(out)
    assert {document.id: document.text for document in read.documents} == {one.id: one.text for one in (TEA, COFFEE)}
    [hot] = read.goldens
    assert (hot.query, hot.split, hot.metadata["source"]) == (HOT.query, "test", HOT.id)
    assert {span.doc_id for span in hot.evidence} == {TEA.id, COFFEE.id}
    (out / "qrels" / "test.tsv").unlink()
    [both] = read_goldens(out).goldens
    assert (both.split, both.grades) == ("train", (2, 2))
