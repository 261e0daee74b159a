import json
from pathlib import Path
from typing import Any

import pytest

from ragset.dataset.importers import FORMATS, read_goldens
from ragset.documents.corpus import Corpus
from ragset.errors import InputError
from ragset.models import Document

TEA = Document.of("Green tea turns bitter above 80 °C. Steep it for two minutes.", source="tea.md")


def lines(folder: Path, *rows: dict[str, Any]) -> Path:
    path = folder / "goldens.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    return path


def table(folder: Path, text: str) -> Path:
    path = folder / "goldens.csv"
    path.write_text(text, encoding="utf-8", newline="")
    return path


@pytest.mark.parametrize(
    "row",
    [
        {"question": "How hot?", "answer": "80 °C", "context": TEA.text},
        {"query": "How hot?", "answer": "80 °C", "contexts": [TEA.text]},
        # Ragas 0.2 and later; what the system said and found is no gold
        {
            "user_input": "How hot?",
            "reference": "80 °C",
            "reference_contexts": [TEA.text],
            "response": "90",
            "retrieved_contexts": ["Milk."],
        },
        # Ragas before
        {"question": "How hot?", "ground_truth": "80 °C", "contexts": [TEA.text], "answer": "90"},
        {"question": "How hot?", "ground_truths": ["80 °C"], "contexts": [TEA.text]},
        # DeepEval
        {
            "input": "How hot?",
            "expected_output": "80 °C",
            "context": [TEA.text],
            "actual_output": "90",
            "retrieval_context": ["Milk."],
        },
        # Hugging Face's rows of SQuAD
        {"question": "How hot?", "context": TEA.text, "answers": {"text": ["80 °C"], "answer_start": [29]}},
        {"Question": "How hot?", "Expected answer": "80 °C", "Reference-Contexts": TEA.text},
    ],
)
def test_columns_go_by_many_names(tmp_path: Path, row: dict[str, Any]) -> None:
    imported = read_goldens(lines(tmp_path, row))
    assert [(golden.query, golden.answer) for golden in imported.goldens] == [("How hot?", "80 °C")]
    assert [document.text for document in imported.documents] == [TEA.text]


def test_without_documents_each_context_is_one_of_its_own(tmp_path: Path) -> None:
    imported = read_goldens(
        lines(tmp_path, {"question": "A?", "contexts": ["One. ", "Two."]}, {"question": "B?", "contexts": ["One."]})
    )
    assert sorted(document.text for document in imported.documents) == ["One.", "Two."]
    first, second = imported.goldens
    assert (first.kind, second.kind) == ("multi-chunk", "single-chunk")
    assert second.evidence[0] in first.evidence
    assert first.metadata == {"source": "goldens.jsonl:1"}


def test_contexts_are_looked_for_in_the_documents_given(tmp_path: Path) -> None:
    corpus = Corpus.write(tmp_path / "corpus.jsonl", [TEA])
    path = lines(
        tmp_path,
        {"id": "a", "question": "How hot?", "context": "Green tea turns\nbitter above 80 °C."},
        {"id": 7, "question": "How old?", "context": "Tea was first drunk in China, they say."},
    )
    imported = read_goldens(path, documents=corpus)
    # "Green tea turns bitter above 80 °C." has 35 characters
    assert [golden.evidence[0].id for golden in imported.goldens] == [f"{TEA.id}:0-35"]
    assert [golden.metadata["source"] for golden in imported.goldens] == ["a"]
    assert imported.documents == (TEA,)
    assert [(p.where, p.reason, p.text) for p in imported.problems] == [
        (
            "goldens.jsonl: line 2",
            "the context does not stand in the documents",
            "Tea was first drunk in China, they say.",
        )
    ]


def test_documents_may_come_from_a_generator(tmp_path: Path) -> None:
    path = lines(tmp_path, {"question": "How long?", "context": "Steep it for two minutes."})
    assert len(read_goldens(path, documents=(document for document in [TEA])).goldens) == 1


def test_a_question_with_a_lost_context_is_left_out(tmp_path: Path) -> None:
    path = lines(tmp_path, {"question": "How?", "contexts": ["Steep it for two minutes.", "Milk comes from cows."]})
    imported = read_goldens(path, documents=[TEA])
    assert imported.goldens == ()
    assert [problem.text for problem in imported.problems] == ["Milk comes from cows."]


@pytest.mark.parametrize(
    "cell",
    ['["One.", "It\'s two."]', "['One.', \"It's two.\"]", "['One.' \"It's two.\"]", "['One.'\n \"It's two.\"]"],
)
def test_a_cell_may_hold_a_list_as_json_or_as_python_and_numpy_print_it(tmp_path: Path, cell: str) -> None:
    quoted = cell.replace('"', '""')
    imported = read_goldens(table(tmp_path, f'question,contexts\nA?,"{quoted}"\n'))
    assert sorted(document.text for document in imported.documents) == ["It's two.", "One."]


@pytest.mark.parametrize("cell", ["[1] Tea is hot.", "[sic] Tea", "['open", "[1, 2]"])
def test_a_cell_that_only_looks_like_a_list_is_a_text(tmp_path: Path, cell: str) -> None:
    imported = read_goldens(table(tmp_path, f'question,context\nA?,"{cell}"\n'))
    assert [document.text for document in imported.documents] == [cell]


def test_a_row_without_a_context_is_reported(tmp_path: Path) -> None:
    path = lines(tmp_path, {"question": "A?", "contexts": []}, {"question": "B?", "contexts": float("nan")})
    assert [(p.where, p.reason, p.text) for p in read_goldens(path).problems] == [
        ("goldens.jsonl: line 1", "there is no context", "A?"),
        ("goldens.jsonl: line 2", "there is no context", "B?"),
    ]


def test_a_question_that_is_empty_is_reported(tmp_path: Path) -> None:
    imported = read_goldens(lines(tmp_path, {"question": " ", "context": "One."}))
    assert [problem.reason for problem in imported.problems] == ["the question is empty"]


def test_columns_that_are_missing_are_named_with_what_they_may_be_called(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"goldens\.csv: no field holds the contexts: call one reference_con"):
        read_goldens(table(tmp_path, "question,answer\nA?,B\n"))
    with pytest.raises(InputError, match="no field holds the question: call one question, query, user_input"):
        read_goldens(table(tmp_path, "frage,context\nA?,B\n"))


def test_a_missing_field_is_named_beside_the_fields_there_and_the_formats_that_can_be_read(tmp_path: Path) -> None:
    path = tmp_path / "plain.json"
    path.write_text('[{"q": "What is tea?", "gold": "A drink."}]')
    with pytest.raises(InputError) as refused:
        read_goldens(path)
    said = str(refused.value)
    assert "no field holds the question" in said
    assert "no field holds the contexts" in said
    assert "(fields there: q, gold)" in said
    assert all(f"{name}: " in said for name in FORMATS)


def test_a_cell_of_another_type_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"goldens\.jsonl: line 2 has no text in question"):
        read_goldens(lines(tmp_path, {"question": "A?", "context": "One."}, {"question": 3, "context": "One."}))
    with pytest.raises(InputError, match="line 1, context is neither a text nor a list of texts; mend it"):
        read_goldens(lines(tmp_path, {"question": "A?", "context": [{"text": "One."}]}))


def test_a_json_list_is_a_table_as_well(tmp_path: Path) -> None:
    path = tmp_path / "goldens.json"
    path.write_text(json.dumps([{"input": "A?", "expected_output": "B", "context": ["One."]}]))
    imported = read_goldens(path)
    assert [golden.metadata["source"] for golden in imported.goldens] == ["goldens.json:1"]


def test_the_halves_of_a_broken_character_can_be_read(tmp_path: Path) -> None:
    path = tmp_path / "goldens.jsonl"
    path.write_text('{"question": "A \\ud83d?", "answer": "\\udc00", "context": "One \\ud83d."}\n')
    [golden] = read_goldens(path).goldens
    assert golden.query == "A \ufffd?"


def test_of_several_answers_the_first_is_the_golden_s_and_all_are_kept(tmp_path: Path) -> None:
    path = lines(tmp_path, {"id": "a", "question": "How hot?", "answers": ["80 °C", "176 °F"], "context": "One."})
    [golden] = read_goldens(path).goldens
    assert golden.answer == "80 °C"
    assert golden.metadata == {"answers": ["80 °C", "176 °F"], "source": "a"}


def test_an_answer_that_the_table_does_not_give_is_empty_and_not_none(tmp_path: Path) -> None:
    [golden] = read_goldens(lines(tmp_path, {"question": "How hot?", "context": "One."})).goldens
    assert (golden.answer, golden.kind) == ("", "single-chunk")
