from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from ragset.dataset.exporters import ExportSet, export
from ragset.dataset.importers import read_goldens, recognise
from ragset.errors import InputError
from tests.export_sample import SAMPLE, write_sample
from tests.ragset.dataset.exporters.sets import COFFEE
from tests.small_dataset import TEA


def folder_of(folder: Path, *gold: Any, passages: dict[str, str] | None = None) -> Path:
    """A query for each of `gold`, over passages a, b, c and d."""
    passages = passages or {id_: f"Passage {id_}." for id_ in "abcd"}
    qa = [
        {"qid": f"q{n}", "query": f"Query {n}?", "retrieval_gt": g, "generation_gt": ["Yes."]}
        for n, g in enumerate(gold)
    ]
    pd.DataFrame(qa).to_parquet(folder / "qa.parquet")
    corpus = [{"doc_id": id_, "contents": text, "metadata": {"title": id_.upper()}} for id_, text in passages.items()]
    pd.DataFrame(corpus).to_parquet(folder / "corpus.parquet")
    return folder


def test_the_first_of_each_group_is_evidence_and_what_is_in_all_groups_answers_alone(tmp_path: Path) -> None:
    found = read_goldens(folder_of(tmp_path, [["a", "b"]], [["a", "d"], ["b", "d"]], [["a", "c"], ["b"]]))
    assert recognise(tmp_path) == "autorag"
    names = {document.id: document.title for document in found.documents}
    told = [
        ({names[span.doc_id] for span in one.evidence}, {names[span.doc_id] for span in one.equivalents})
        for one in found.goldens
    ]
    assert told == [({"A"}, {"B"}), ({"A", "B"}, {"D"}), ({"A", "B"}, set())]
    # c stands for a, and only for a
    assert [(one.where, one.text) for one in found.problems] == [("qa.parquet: row 3", "c")]


@pytest.mark.parametrize("gold", ["a", ["a"], [["a"]]])
def test_one_passage_may_be_named_in_three_ways(tmp_path: Path, gold: Any) -> None:
    [golden] = read_goldens(folder_of(tmp_path, gold)).goldens
    assert (golden.answer, golden.kind, golden.metadata["source"]) == ("Yes.", "single-chunk", "q0")


def test_passages_are_looked_for_in_documents(tmp_path: Path) -> None:
    passages = {"tea": TEA.text[36:], "coffee": COFFEE.text[:35], "milk": "Milk comes from cows, as they say."}
    folder = folder_of(tmp_path, [["tea"], ["coffee"]], [["milk"]], [["none"]], passages=passages)
    found = read_goldens(folder, documents=[TEA, COFFEE])
    assert [sorted(span.id for span in one.evidence) for one in found.goldens] == [
        sorted([f"{TEA.id}:36-61", f"{COFFEE.id}:0-35"])
    ]
    assert [one.reason for one in found.problems] == [
        "the context does not stand in the documents",
        "corpus.parquet has no passage of this id with a text",
    ]


def test_what_was_exported_comes_back(tmp_path: Path) -> None:
    given = ExportSet.read(write_sample(tmp_path))
    export(given, "autorag", str(tmp_path / "out"))
    found = read_goldens(tmp_path / "out")
    # Over whole documents the last golden is the same question with the same evidence as the first.
    assert [(one.where, one.reason.partition(":")[0]) for one in found.problems] == [
        ("qa.parquet: row 5", f"repeats {SAMPLE[0].id}")
    ]
    assert {one.id for one in found.documents} == {one.id for one in given.corpus}
    kept = {one.metadata["source"]: one for one in found.goldens}
    assert [kept[one.id].answer for one in SAMPLE[:4]] == [one.answer for one in SAMPLE[:4]]
    assert [kept[one.id].split for one in SAMPLE[:4]] == [one.split for one in SAMPLE[:4]]
    # Whole documents are the passages: the first golden has TEA as evidence, and COFFEE answers it, too.
    assert [span.doc_id for span in kept[SAMPLE[0].id].evidence] == [TEA.id]
    assert [span.doc_id for span in kept[SAMPLE[0].id].equivalents] == [COFFEE.id]
    assert kept[SAMPLE[3].id].kind == "unanswerable"


def test_damaged_files_are_named(tmp_path: Path) -> None:
    folder_of(tmp_path, [["a"]])
    (tmp_path / "corpus.parquet").write_bytes(b"no parquet")
    with pytest.raises(InputError, match=r"corpus\.parquet: cannot be read as Parquet"):
        read_goldens(tmp_path)
