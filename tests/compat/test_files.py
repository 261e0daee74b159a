"""Files for frameworks, read by the frameworks."""

from pathlib import Path

import pytest

from ragset.dataset.exporters import ExportSet, export
from ragset.dataset.review.exchange.importing import import_reviews
from ragset.dataset.review.file import read_reviews
from ragset.dataset.review.guidelines import load_guideline
from ragset.settings import ChunkingSettings
from tests.compat.environments import read_back
from tests.export_sample import COFFEE, MILK, SAMPLE, write_sample, write_sample_results
from tests.ragset.dataset.exporters.sets import SENTENCES
from tests.small_dataset import TEA

pytestmark = pytest.mark.compat

TEXTS = {document.id: document.text for document in (TEA, COFFEE, MILK)}


@pytest.fixture
def given(tmp_path: Path) -> ExportSet:
    return ExportSet.read(write_sample(tmp_path))


def evidence() -> list[list[str]]:
    return [[TEXTS[span.doc_id][span.start : span.end] for span in golden.evidence] for golden in SAMPLE]


def test_ragas(given: ExportSet, tmp_path: Path) -> None:
    export(given, "ragas", str(tmp_path / "out.jsonl"))
    read = read_back("ragas", tmp_path / "out.jsonl")
    order = [*SAMPLE[:3], SAMPLE[4], SAMPLE[3]]  # unanswerable ones last
    samples = read["samples"]
    assert {"user_input", "reference", "reference_contexts", "reference_context_ids"} <= set(read["features"])
    assert [one["user_input"] for one in samples] == [golden.query for golden in order]
    assert [one["reference"] for one in samples] == [golden.answer for golden in order]
    texts = dict(zip((golden.id for golden in SAMPLE), evidence(), strict=True))
    assert [one["reference_contexts"] for one in samples] == [texts[golden.id] for golden in order]
    assert [one["reference_context_ids"] for one in samples] == [[s.id for s in golden.evidence] for golden in order]
    assert (samples[0]["persona_name"], samples[0]["query_style"]) == ("Brewer", "open")


def test_deepeval(given: ExportSet, tmp_path: Path) -> None:
    export(given, "deepeval", str(tmp_path / "out.json"))
    goldens = read_back("deepeval", tmp_path / "out.json")
    assert [one["name"] for one in goldens] == [golden.id for golden in SAMPLE]
    assert [one["input"] for one in goldens] == [golden.query for golden in SAMPLE]
    assert [one["expected_output"] for one in goldens] == [golden.answer for golden in SAMPLE]
    assert [one["context"] for one in goldens] == evidence()
    assert [one["source_file"] for one in goldens] == ["tea.md", "coffee.md", "milk.txt", None, "tea.md"]
    told = [one["additional_metadata"] for one in goldens]
    assert [one["split"] for one in told] == [golden.split for golden in SAMPLE]
    assert [one["kind"] for one in told] == [golden.kind for golden in SAMPLE]
    assert (told[1]["grades"], told[0]["hardness"], told[3]["missing"]) == ([2, 1], "easy", "cocoa")


def test_llamaindex(given: ExportSet, tmp_path: Path) -> None:
    export(given, "llamaindex", str(tmp_path / "out"))
    read = read_back("llamaindex", tmp_path / "out")
    assert [one["query"] for one in read["examples"]] == [golden.query for golden in SAMPLE]
    assert [one["reference_answer"] for one in read["examples"]] == [golden.answer or "" for golden in SAMPLE]
    assert [one["reference_contexts"] for one in read["examples"]] == evidence()
    assert read["examples"][0]["query_by"] == {"model_name": "m", "type": "ai"}
    pairs = read["pairs"]
    assert pairs["queries"] == {golden.id: golden.query for golden in SAMPLE if golden.evidence}
    assert pairs["corpus"] == TEXTS
    assert pairs["relevant_docs"] == {golden.id: list(given.qrels[golden.id]) for golden in SAMPLE if golden.evidence}


@pytest.mark.parametrize("chunking", [None, SENTENCES], ids=["documents", "chunks"])
def test_autorag(tmp_path: Path, chunking: ChunkingSettings | None) -> None:
    given = ExportSet.read(write_sample(tmp_path), chunking)
    export(given, "autorag", str(tmp_path / "out"))
    read = read_back("autorag", tmp_path / "out")
    assert [row["qid"] for row in read["qa"]] == [golden.id for golden in SAMPLE]
    assert [row["query"] for row in read["qa"]] == [golden.query for golden in SAMPLE]
    assert [row["generation_gt"] for row in read["qa"]] == [
        [golden.answer] if golden.answer else [] for golden in SAMPLE
    ]
    needed = [list(map(list, dict.fromkeys(map(tuple, given.needed(golden))))) or [[]] for golden in SAMPLE]
    assert [row["retrieval_gt"] for row in read["qa"]] == needed
    texts = {one.id: one.text.replace("🥛", ":glass_of_milk:") for one in given.passages}  # as AutoRAG spells it
    assert {row["doc_id"]: row["contents"] for row in read["corpus"]} == texts
    # One passage of each group is all that is needed; an unanswerable query has no recall.
    assert read["recall"] == [1.0, 1.0, 1.0, None, 1.0]


def test_ragchecker(tmp_path: Path) -> None:
    dataset = write_sample(tmp_path)
    results = write_sample_results(tmp_path / "results", dataset)
    export(ExportSet.read(dataset, results=results), "ragchecker", str(tmp_path / "out"))
    read = read_back("ragchecker", tmp_path / "out" / "01-ours.json")["results"]
    assert [(one["query_id"], one["query"], one["gt_answer"], one["response"]) for one in read] == [
        (SAMPLE[0].id, SAMPLE[0].query, "80 °C", "80."),
        (SAMPLE[1].id, SAMPLE[1].query, "Coffee.", "Coffee is."),
    ]
    assert [one["retrieved_context"] for one in read] == [
        [
            {"doc_id": f"{TEA.id}:0-35", "text": TEA.text[:35]},
            {"doc_id": f"{COFFEE.id}:0-35", "text": COFFEE.text[:35]},
        ],
        [],
    ]


def test_argilla(given: ExportSet, tmp_path: Path) -> None:
    export(given, "argilla", str(tmp_path / "out"))
    read = read_back("argilla", tmp_path / "out", tmp_path / "back.json")
    assert read["name"] == "drinks-v1"
    assert read["questions"] == ["verdict", "reasons", "marks", "query", "answer", "note"]
    assert sorted(one["id"] for one in read["records"]) == sorted(golden.id for golden in SAMPLE)
    # What its SDK writes of responses comes back: all suggestions taken over.
    done = import_reviews(tmp_path / "drinks", tmp_path / "back.json", load_guideline("golden"))
    assert (done.added, done.problems) == (len(SAMPLE), ())
    assert [(line.verdict, line.edit) for line in read_reviews(tmp_path / "drinks").lines] == [("good", None)] * 5


def test_label_studio(given: ExportSet, tmp_path: Path) -> None:
    export(given, "label-studio", str(tmp_path / "out"))
    read = read_back("label_studio", tmp_path / "out")
    assert read["faults"] == []
    assert all(read["tasks"])
    guideline = load_guideline("golden")
    assert read["choices"]["verdict"] == ["good", "bad"]
    assert read["choices"]["reasons"] == list(guideline.reasons)
    assert read["choices"]["marks"] == ["evidence", "equivalent"]
