import json
from pathlib import Path
from typing import Any

import pytest

from ragset.dataset.exporters import ExportSet, export
from ragset.dataset.importers import read_goldens, recognise
from ragset.errors import InputError
from tests.export_sample import SAMPLE, write_sample
from tests.ragset.dataset.exporters.sets import COFFEE
from tests.small_dataset import TEA


def lines(folder: Path, *rows: dict[str, Any]) -> Path:
    path = folder / "testset.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    return path


def test_what_was_exported_comes_back_over_the_same_documents(tmp_path: Path) -> None:
    given = ExportSet.read(write_sample(tmp_path))
    export(given, "ragas", str(tmp_path / "out.jsonl"))
    assert recognise(tmp_path / "out.jsonl") == "ragas"
    found = read_goldens(tmp_path / "out.jsonl", documents=given.corpus)
    assert found.problems == ()
    # Ragas has no place for grades and equivalents; the third query has a line end, which reading makes a blank.
    kept = {one.metadata["source"]: one for one in found.goldens}
    assert kept.keys() == {golden.id for golden in SAMPLE}
    for golden in SAMPLE:
        one = kept[golden.id]
        assert (one.query.split(), one.answer) == (golden.query.split(), golden.answer)
        assert (one.evidence, one.split, one.kind == "unanswerable") == (
            golden.evidence,
            golden.split,
            golden.kind == "unanswerable",
        )
    assert (kept[SAMPLE[0].id].metadata["persona"], kept[SAMPLE[0].id].metadata["style"]) == ("Brewer", "open")


def test_columns_beside_those_of_ragas_are_no_questions_and_no_answers(tmp_path: Path) -> None:
    row = {"user_input": "Hot?", "query": "rewritten", "question": None, "reference": "80", "answer": "of a system"}
    path = lines(tmp_path, {**row, "reference_contexts": [COFFEE.text[:35]]})
    [golden] = read_goldens(path, documents=[TEA, COFFEE]).goldens
    assert (golden.query, golden.answer) == ("Hot?", "80")


def test_a_test_set_of_ragas_has_its_marks_of_hops_taken_away(tmp_path: Path) -> None:
    path = lines(
        tmp_path,
        {
            "user_input": "Which is hotter?",
            "reference": "Coffee.",
            "reference_contexts": [f"<1-hop>\n\n{TEA.text}", f"<2-hop>\n\n{COFFEE.text[:35]}"],
            "synthesizer_name": "multi_hop_specific_query_synthesizer",
        },
    )
    [golden] = read_goldens(path, documents=[TEA, COFFEE]).goldens
    assert {span.id for span in golden.evidence} == {f"{TEA.id}:0-61", f"{COFFEE.id}:0-35"}
    assert golden.kind == "multi-chunk"
    assert golden.metadata["shape"] == "multi_hop_specific_query_synthesizer"


def test_an_id_that_names_another_place_is_not_believed(tmp_path: Path) -> None:
    row = {"user_input": "Hot?", "reference": "80", "reference_contexts": [COFFEE.text[:35]]}
    path = lines(tmp_path, row | {"reference_context_ids": [f"{TEA.id}:0-35"]})
    [golden] = read_goldens(path, documents=[TEA, COFFEE]).goldens
    assert [span.id for span in golden.evidence] == [f"{COFFEE.id}:0-35"]


def test_a_sample_without_contexts_is_reported_unless_it_says_that_there_are_none(tmp_path: Path) -> None:
    path = lines(
        tmp_path,
        {"user_input": "A?", "reference": "A.", "reference_contexts": None},
        {"user_input": "B?", "reference": "B.", "reference_contexts": []},
        {"user_input": "C?", "reference": None, "reference_contexts": []},
    )
    found = read_goldens(path)
    assert [(one.query, one.kind, one.answer) for one in found.goldens] == [("C?", "unanswerable", None)]
    assert [one.text for one in found.problems] == ["A?", "B?"]


def test_a_conversation_is_refused(tmp_path: Path) -> None:
    path = lines(tmp_path, {"user_input": [{"content": "Hi", "type": "human"}], "reference_contexts": ["A"]})
    with pytest.raises(InputError, match="line 1 has no text in user_input; conversations of several turns cannot be"):
        read_goldens(path)
