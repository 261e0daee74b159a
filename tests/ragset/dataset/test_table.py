import csv
import re
from io import StringIO
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragset.dataset.table import goldens_csv, shielded, unshielded
from ragset.documents.corpus import Corpus
from ragset.models import Golden, Span
from tests.small_dataset import TEA, corpus_of, golden_of

NASTY = st.one_of(st.text(), st.text(alphabet="=+-@'\"; ,\t\r\nax\uff1d\uff20"))


def rows(goldens: list[Golden], corpus: Corpus) -> list[dict[str, str]]:
    text = goldens_csv(goldens, corpus)
    return list(csv.DictReader(StringIO(text.removeprefix("\ufeff"), newline="")))


@given(NASTY)
def test_no_line_or_part_of_a_shielded_cell_begins_a_formula(cell: str) -> None:
    for part in re.split(r"[;\t\r\n]", shielded(cell)):
        assert not re.match(r'[ "]*[=+\-@\uff1d\uff0b\uff0d\uff20]', part)


@given(NASTY)
def test_a_shielded_cell_is_read_back_as_it_was(cell: str) -> None:
    assert unshielded(shielded(cell)) == cell


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        ("=1+1", "'=1+1"),
        ("a - b = c", "a - b = c"),
        ("x;=HYPERLINK(1)", "x;'=HYPERLINK(1)"),
        ('";"', '";"'),
        ("'=1", "''=1"),
        ("\uff1d1", "'\uff1d1"),
        ("7 - 3", "7 - 3"),
        ("'tis", "'tis"),
        ("- one\n- two", "'- one\n'- two"),
        (' "@x"', '\' "@x"'),
    ],
)
def test_a_mark_stands_where_a_formula_could_begin(cell: str, expected: str) -> None:
    assert shielded(cell) == expected


@given(st.lists(st.tuples(NASTY, NASTY), max_size=4))
def test_queries_and_answers_survive_the_table(
    tmp_path_factory: pytest.TempPathFactory, texts: list[tuple[str, str]]
) -> None:
    corpus = corpus_of(tmp_path_factory.mktemp("csv"))
    goldens = [golden_of(query, answer) for query, answer in texts]
    cells = [(row["query"], row["answer"]) for row in rows(goldens, corpus)]
    assert cells == [(shielded(query), shielded(answer)) for query, answer in texts]


def test_a_row_holds_the_evidence_as_text(tmp_path: Path) -> None:
    [row] = rows([golden_of(evidence=((0, 9), (36, 61)))], corpus_of(tmp_path))
    assert row["evidence"] == "Green tea\n…\nSteep it for two minutes."
    assert row["spans"] == f"{TEA.id}:0-9 {TEA.id}:36-61"
    assert (row["titles"], row["sources"], row["style"], row["relevance"]) == ("Tea", "tea.md", "open", "4")


def test_an_answer_that_the_corpus_does_not_hold_is_an_empty_cell(tmp_path: Path) -> None:
    golden = golden_of().model_copy(update={"answer": None, "evidence": ()})
    [row] = rows([golden], corpus_of(tmp_path))
    assert (row["answer"], row["evidence"], row["sources"]) == ("", "", "")


def test_the_table_opens_in_excel_and_in_pandas(tmp_path: Path) -> None:
    text = goldens_csv([golden_of("¿Qué té?")], corpus_of(tmp_path))
    assert text.encode().startswith(b"\xef\xbb\xbf")
    assert pd.read_csv(StringIO(text.removeprefix("\ufeff")))["query"].tolist() == ["¿Qué té?"]


def test_labels_and_equivalents_have_cells(tmp_path: Path) -> None:
    labels = {
        "hardness": {"level": "easy", "points": -1.0, "reasons": []},
        "closed_book": {"known": False, "answer": None, "correctness": None},
        "round_trip": {"rank": 3, "k": 10, "by": "bm25"},
        "overlap": {"longest": 2, "share": 0.4, "jaccard": 0.1, "covered": 0.6667},
        "persona": "=clerk",
    }
    golden = golden_of().model_copy(
        update={"metadata": labels, "equivalents": (Span(doc_id=TEA.id, start=36, end=61),), "split": "train"}
    )
    lost = golden.model_copy(update={"metadata": {"round_trip": {"rank": None, "k": 10, "by": "bm25"}}})
    row, other = rows([golden, lost], corpus_of(tmp_path))
    assert (row["equivalents"], row["equivalent_spans"]) == ("Steep it for two minutes.", f"{TEA.id}:36-61")
    assert [row[name] for name in ("split", "hardness", "closed_book", "round_trip", "overlap", "persona")] == [
        "train",
        "easy",
        "not known",
        "3",
        "0.6667",
        "'=clerk",
    ]
    assert [other[name] for name in ("hardness", "closed_book", "round_trip", "overlap")] == ["", "", "not found", ""]


def test_an_unanswerable_golden_says_what_is_missing(tmp_path: Path) -> None:
    facts = {"unanswerable": {"missing": "The year.", "near": f"{TEA.id}:0-35"}}
    golden = golden_of().model_copy(update={"answer": None, "evidence": (), "kind": "unanswerable", "metadata": facts})
    [row] = rows([golden], corpus_of(tmp_path))
    assert (row["kind"], row["missing"], row["equivalents"]) == ("unanswerable", "The year.", "")
