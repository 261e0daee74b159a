import json
from pathlib import Path
from typing import Any

import pytest

from ragset.dataset.importers import ImportedSet, read_goldens
from ragset.errors import InputError

CORPORA = Path(__file__).parents[5] / "shared" / "corpora"
FIRST = "Tea is hot. It grows in Assam and in China."
SECOND = "Coffee grows in Yemen. Dr. Smith drinks it."


def question(text: str, *answers: tuple[str, int | None], id_: str = "q1", **more: Any) -> dict[str, Any]:
    return {
        "id": id_,
        "question": text,
        "answers": [{"text": answer} if at is None else {"text": answer, "answer_start": at} for answer, at in answers],
        **more,
    }


def read(folder: Path, *second: dict[str, Any], contexts: tuple[str, str] = (FIRST, SECOND)) -> ImportedSet:
    path = folder / "dev.json"
    paragraphs = [{"context": contexts[0], "qas": []}, {"context": contexts[1], "qas": list(second)}]
    path.write_text(json.dumps({"data": [{"title": "Hot_drinks", "paragraphs": paragraphs}]}))
    return read_goldens(path)


def test_an_article_is_a_document_of_its_paragraphs(tmp_path: Path) -> None:
    [document] = read(tmp_path, question("Where?", ("Yemen", 16))).documents
    assert document.text == f"{FIRST}\n\n{SECOND}"
    assert document.title == "Hot drinks"
    assert document.sources == ("dev.json: Hot drinks",)


def test_the_evidence_is_the_sentence_that_holds_the_answer(tmp_path: Path) -> None:
    read_ = read(tmp_path, question("Where does coffee grow?", ("Yemen", 16)))
    [golden] = read_.goldens
    [document] = read_.documents
    # The first paragraph has 43 characters and 2 line ends follow; "Coffee grows in Yemen." has 22
    assert [span.id for span in golden.evidence] == [f"{document.id}:45-67"]
    assert (golden.query, golden.answer, golden.kind) == ("Where does coffee grow?", "Yemen", "single-chunk")
    # 45 + 16 = 61
    assert golden.metadata == {"answer_span": f"{document.id}:61-66", "answers": ["Yemen"], "source": "q1"}


def test_an_answer_that_reaches_over_sentences_has_all_of_them_as_evidence(tmp_path: Path) -> None:
    read_ = read(tmp_path, question("What?", ("Yemen. Dr. Smith", 16)))
    [span] = read_.goldens[0].evidence
    assert read_.documents[0].text[span.start : span.end] == SECOND


def test_all_accepted_answers_are_kept_once(tmp_path: Path) -> None:
    [golden] = read(tmp_path, question("Where?", ("Yemen", 16), ("in Yemen", 13), ("Yemen", 16))).goldens
    assert golden.answer == "Yemen"
    assert golden.metadata["answers"] == ["Yemen", "in Yemen"]


def test_an_offset_that_is_wrong_is_mended_from_the_paragraph(tmp_path: Path) -> None:
    [golden] = read(tmp_path, question("Where?", ("Yemen", 14))).goldens
    assert golden.metadata["answer_span"].endswith(":61-66")


def test_an_answer_of_another_paragraph_is_reported(tmp_path: Path) -> None:
    read_ = read(tmp_path, question("Where?", ("Assam", 0)))
    assert read_.goldens == ()
    [problem] = read_.problems
    assert (problem.where, problem.text) == ("dev.json: q1", "Assam")
    assert problem.reason == "no answer stands in its paragraph word for word"


def test_an_answer_without_an_offset_must_stand_there_once(tmp_path: Path) -> None:
    assert len(read(tmp_path, question("Where?", ("Yemen", None))).goldens) == 1
    # "e" stands in coffee twice, and more
    assert len(read(tmp_path, question("Where?", ("e", None))).problems) == 1


def test_an_impossible_question_is_a_golden_without_an_answer(tmp_path: Path) -> None:
    [golden] = read(tmp_path, question("Where does cocoa grow?", is_impossible=True)).goldens
    assert (golden.answer, golden.kind, golden.evidence) == (None, "unanswerable", ())


def test_a_question_without_answers_that_nobody_calls_impossible_is_reported(tmp_path: Path) -> None:
    read_ = read(tmp_path, question("Where does cocoa grow?"))
    assert read_.goldens == ()
    assert "is not marked is_impossible" in read_.problems[0].reason


def test_the_same_question_with_the_same_evidence_is_one_golden(tmp_path: Path) -> None:
    read_ = read(tmp_path, question("Where?", ("Yemen", 16)), question("Where?", ("grows in Yemen", 7), id_="q2"))
    assert [golden.metadata["source"] for golden in read_.goldens] == ["q1"]
    assert [(p.where, p.reason, p.text) for p in read_.problems] == [
        ("dev.json: q2", "repeats q1: the same question with the same evidence", "Where?")
    ]


def test_places_follow_what_cleaning_changes(tmp_path: Path) -> None:
    contexts = ("  Tea\u200b is  \n\n\n\nhot. ", "Cafe\u0301 grows in Yemen. \r\nYes.")
    read_ = read(tmp_path, question("Where?", ("Yemen", 15)), contexts=contexts)
    [document], [golden] = read_.documents, read_.goldens
    # "Tea is\n\nhot.\n\n" has 14 characters, "Café grows in Yemen." 20
    assert document.text == "Tea is\n\nhot.\n\nCafé grows in Yemen.\nYes."
    assert [span.id for span in golden.evidence] == [f"{document.id}:14-34"]
    assert golden.metadata["answer_span"] == f"{document.id}:28-33"


def test_what_is_missing_is_named(tmp_path: Path) -> None:
    path = tmp_path / "dev.json"
    path.write_text(json.dumps({"data": [{"paragraphs": [{"qas": []}]}]}))
    with pytest.raises(
        InputError, match=r"dev\.json: data\[0\]\.paragraphs\[0\]\.context: Field required; mend the file"
    ):
        read_goldens(path)


@pytest.mark.skipif(not (CORPORA / "xquad").is_dir(), reason="the corpus is not there")
@pytest.mark.parametrize(("language", "repeats"), [("en", 4), ("es", 5)])
def test_every_answer_of_xquad_is_aligned(language: str, repeats: int) -> None:
    imported = read_goldens(CORPORA / "xquad" / f"xquad.{language}.json")
    assert len(imported.documents) == 48
    assert len(imported.goldens) == 1190 - repeats
    assert [problem.reason.split()[0] for problem in imported.problems] == ["repeats"] * repeats
    texts = {document.id: document.text for document in imported.documents}
    for golden in imported.goldens:
        doc_id, _, place = golden.metadata["answer_span"].partition(":")
        start, end = map(int, place.split("-"))
        assert texts[doc_id][start:end] == golden.answer
        [span] = golden.evidence
        assert span.start <= start < end <= span.end
