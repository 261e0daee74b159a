import json
from pathlib import Path

import ir_measures
import pytest

from ragset.dataset.exporters import ExportSet, export
from ragset.errors import InputError
from ragset.settings import ChunkingSettings
from tests.ragset.dataset.exporters.sets import BOTH, COFFEE, HOT, NOBODY, SENTENCES, export_set
from tests.small_dataset import TEA

RUNS = {
    "01-own.trec": [f"{HOT.id} Q0 {TEA.id}:36-61 1 0.9 own", f"{HOT.id} Q0 {TEA.id}:0-35 2 0.8 own"],
    "02-other.trec": [
        f"{HOT.id} Q0 {COFFEE.id}:0-35+{TEA.id}:0-20 1 0.9 other",
        f"{HOT.id} Q0 unaligned-1 2 0.8 other",
        f"{HOT.id} Q0 {COFFEE.id}:0-9 3 0.7 other",
        f"{HOT.id} Q0 {TEA.id}:0-9 4 0.6 other",
        f"g-gone Q0 {TEA.id}:0-9 1 0.6 other",
    ],
}


def results(folder: Path, corpus_hash: str) -> Path:
    (folder / "results" / "runs").mkdir(parents=True)
    for name, run in RUNS.items():
        (folder / "results" / "runs" / name).write_text("".join(f"{line}\n" for line in run))
    systems = [{"name": "own", "chunking": SENTENCES.name}, {"name": "other", "chunking": ""}]
    runs = {"own": "runs/01-own.trec", "other": "runs/02-other.trec"}
    facts = {"corpus_hash": corpus_hash, "systems": systems, "runs": runs}
    (folder / "results" / "benchmark.json").write_text(json.dumps(facts))
    return folder / "results"


def exported(folder: Path, chunking: ChunkingSettings | None) -> dict[str, int]:
    found = results(folder, export_set(folder).corpus.hash)
    return export(ExportSet.read(folder / "demo", chunking, results=found), "trec", str(folder / "out")).lost


def test_judgements_are_as_trec_has_them_a_file_for_each_split(tmp_path: Path) -> None:
    export(export_set(tmp_path, chunking=SENTENCES), "trec", str(tmp_path / "out"))
    read = {
        (one.query_id, one.doc_id, one.relevance)
        for one in ir_measures.read_trec_qrels(str(tmp_path / "out" / "qrels.test.txt"))
    }
    assert read == {(HOT.id, f"{TEA.id}:0-35", 1), (HOT.id, f"{COFFEE.id}:36-84", 1)}
    assert len((tmp_path / "out" / "qrels.train.txt").read_text().splitlines()) == 4


def test_a_topic_is_one_line(tmp_path: Path) -> None:
    export(export_set(tmp_path), "trec", str(tmp_path / "out"))
    topics = dict(line.split("\t") for line in (tmp_path / "out" / "topics.tsv").read_text().splitlines())
    assert topics == {HOT.id: HOT.query, BOTH.id: "How is tea made? And how long?", NOBODY.id: NOBODY.query}


def test_runs_over_the_chunking_of_the_export_go_along_and_others_are_counted(tmp_path: Path) -> None:
    lost = exported(tmp_path, SENTENCES)
    assert {path.name for path in (tmp_path / "out" / "runs").iterdir()} == {"01-own.trec"}
    assert lost[f"runs over other passages than those of {SENTENCES.name}"] == 1
    qrels = ir_measures.read_trec_qrels(str(tmp_path / "out" / "qrels.test.txt"))
    run = ir_measures.read_trec_run(str(tmp_path / "out" / "runs" / "01-own.trec"))
    # The first relevant passage is the second one.
    assert ir_measures.calc_aggregate([ir_measures.RR], qrels, run) == {ir_measures.RR: 0.5}


def test_over_whole_documents_each_run_has_a_document_once_at_its_best_place(tmp_path: Path) -> None:
    exported(tmp_path, None)
    read = {path.name: path.read_text() for path in (tmp_path / "out" / "runs").iterdir()}
    assert read["01-own.trec"] == f"{HOT.id} Q0 {TEA.id} 1 0.9 01-own\n"
    other = f"{HOT.id} Q0 {COFFEE.id} 1 0.9 02-other\n{HOT.id} Q0 {TEA.id} 2 0.6 02-other\n"
    assert read["02-other.trec"] == other


def test_results_over_other_documents_are_refused(tmp_path: Path) -> None:
    export_set(tmp_path)
    with pytest.raises(InputError, match="are results over other documents"):
        export(ExportSet.read(tmp_path / "demo", results=results(tmp_path, "else")), "trec", str(tmp_path / "out"))
    with pytest.raises(InputError, match=r"there is no benchmark\.json in it"):
        export(ExportSet.read(tmp_path / "demo", results=tmp_path), "trec", str(tmp_path / "out"))


def test_chunks_with_ids_of_their_own_stand_at_their_places(tmp_path: Path) -> None:
    found = results(tmp_path, export_set(tmp_path).corpus.hash)
    facts = json.loads((found / "benchmark.json").read_text())
    (found / "benchmark.json").write_text(json.dumps(facts | {"chunks": {"own": "chunks.jsonl"}}))
    placed = {"id": "c1", "document": TEA.id, "start": 0, "end": 35}
    (found / "chunks.jsonl").write_text(json.dumps(placed) + "\n" + json.dumps({"id": "c2", "text": "else"}) + "\n")
    (found / "runs" / "01-own.trec").write_text(f"{HOT.id} Q0 c2 1 0.9 own\n{HOT.id} Q0 c1 2 0.8 own\n")
    for chunking, passages in ((SENTENCES, ["c2", f"{TEA.id}:0-35"]), (None, [TEA.id])):
        out = tmp_path / f"out-{bool(chunking)}"
        export(ExportSet.read(tmp_path / "demo", chunking, results=found), "trec", str(out))
        assert [line.split()[2] for line in (out / "runs" / "01-own.trec").read_text().splitlines()] == passages
