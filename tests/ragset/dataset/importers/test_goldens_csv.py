import csv
import shutil
from pathlib import Path

import pytest

from ragset.dataset.importers import read_goldens, recognise
from ragset.errors import InputError
from ragset.generation.labelling.queries import read_queries
from ragset.models import Golden
from tests.small_dataset import TEA, corpus_of, golden_of, write_small

TWO_SPANS = golden_of("How hot and how long?", "=80 °C, two minutes", evidence=((0, 35), (36, 61)))


@pytest.fixture
def table(tmp_path: Path) -> Path:
    write_small(tmp_path / "out", corpus_of(tmp_path), [golden_of(), TWO_SPANS])
    return tmp_path / "out" / "goldens.csv"


def edited(table: Path, *rows: dict[str, str]) -> Path:
    """The table with cells of its rows replaced, as a spreadsheet saves it: semicolons and line ends of Windows."""
    with table.open(encoding="utf-8-sig", newline="") as file:
        kept = [row | new for row, new in zip(csv.DictReader(file), rows, strict=False)]
    with table.open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.DictWriter(file, list(kept[0]), delimiter=";")
        writer.writeheader()
        writer.writerows({name: cell.replace("\n", "\r\n") for name, cell in row.items()} for row in kept)
    return table


def test_in_its_folder_it_is_the_dataset_with_labels_and_documents(table: Path) -> None:
    assert recognise(table) == "goldens.csv"
    assert read_goldens(table) == ((golden_of(), TWO_SPANS), (TEA,), ())


def test_rows_that_are_gone_are_left_out_and_edited_words_count(table: Path) -> None:
    edited(table, {"query": "How hot may green tea get?", "answer": "80 degrees"})
    [golden] = read_goldens(table).goldens
    assert golden == golden_of().model_copy(update={"query": "How hot may green tea get?", "answer": "80 degrees"})


def test_of_a_copy_elsewhere_the_evidence_is_found_in_the_documents(table: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copy(table, tmp_path / "mine.csv"))
    goldens = read_goldens(copy, documents=[TEA]).goldens
    assert [(one.query, one.answer, one.evidence) for one in goldens] == [
        (one.query, one.answer, one.evidence) for one in (golden_of(), TWO_SPANS)
    ]


def test_a_copy_without_documents_says_what_to_name(table: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copy(table, tmp_path / "mine.csv"))
    with pytest.raises(InputError, match=r"mine\.csv: is a goldens\.csv .* its documents are missing; name the folder"):
        read_goldens(copy)


def test_evidence_that_stands_nowhere_is_reported_with_its_line(table: Path) -> None:
    edited(table, {"evidence": "Nobody ever wrote this about any kind of tea.", "spans": ""})
    imported = read_goldens(table)
    assert imported.goldens == ()
    [problem] = imported.problems
    assert (problem.where, problem.reason) == ("goldens.csv: line 2", "the context does not stand in the documents")


def test_an_unanswerable_row_has_no_answer_and_no_evidence(table: Path) -> None:
    edited(table, {"kind": "unanswerable", "answer": "", "evidence": "", "spans": ""})
    [golden] = read_goldens(table).goldens
    assert (golden.kind, golden.answer, golden.evidence) == ("unanswerable", None, ())


def test_it_is_a_file_of_queries_too(table: Path) -> None:
    goldens: tuple[Golden, ...] = (golden_of(), TWO_SPANS)
    queries = read_queries(table).queries
    assert [(one.query, one.ids) for one in queries] == [(one.query, (one.id,)) for one in goldens]
