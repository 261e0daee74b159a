import json
from pathlib import Path

import pytest

from ragset.dataset.exporters import ExportSet, export
from ragset.dataset.importers import read_goldens
from ragset.errors import InputError
from ragset.models import Document
from tests.ragset.dataset.exporters.sets import BOTH, HOT, SENTENCES, export_set
from tests.small_dataset import TEA

CLASSIC = """<top>
<num> Number: 401
<title> Topic: foreign minorities, Germany
<desc> Description:
What language differences impede integration?
</top>
<top>
<num> Number: 402
<title> behavioral genetics
</top>
"""
XML = '<topics><topic number="401"><title>foreign &amp; minorities</title></topic></topics>'
COVID = '<topics><topic number="401"><query>foreign minorities</query><question>Who?</question></topic></topics>'


def folder_of(folder: Path, judgements: str, topics: str = "401\tWho is it?\n402\tWhere?\n") -> Path:
    (folder / "qrels.txt").write_text(judgements)
    (folder / "topics.txt").write_text(topics)
    rows = [{"docno": "D1", "text": "One. Two."}, {"docno": "D2", "contents": "Three.", "title": "T"}]
    (folder / "collection.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return folder


def test_what_is_judged_above_0_is_evidence_with_its_grade(tmp_path: Path) -> None:
    imported = read_goldens(folder_of(tmp_path, "401 0 D1 2\n401 0 D2 0\n402 0 D2 1\n402 0 D1 -1\n"))
    first, second = imported.goldens
    # "One. Two." has 9 characters
    assert [(span.start, span.end) for span in first.evidence] == [(0, 9)]
    assert (first.query, first.grades, first.split, first.metadata["source"]) == ("Who is it?", (2,), "test", "401")
    assert (second.query, second.grades) == ("Where?", ())
    assert imported.problems == ()
    assert {document.title for document in imported.documents} == {"", "T"}


@pytest.mark.parametrize(
    ("topics", "query"),
    [
        (CLASSIC, "foreign minorities, Germany"),
        (XML, "foreign & minorities"),
        (COVID, "foreign minorities"),
    ],
)
def test_topics_are_read_as_trec_has_them(tmp_path: Path, topics: str, query: str) -> None:
    [golden] = read_goldens(folder_of(tmp_path, "401 0 D1 1\n", topics)).goldens
    assert golden.query == query


def test_the_name_of_a_file_says_its_split(tmp_path: Path) -> None:
    folder_of(tmp_path, "401 0 D1 1\n")
    (tmp_path / "qrels.dev.txt").write_text("402 0 D2 1\n")
    assert [golden.split for golden in read_goldens(tmp_path).goldens] == ["validation", "test"]
    assert [golden.split for golden in read_goldens(tmp_path / "qrels.txt").goldens] == ["test"]


def test_documents_that_are_given_are_known_by_their_names(tmp_path: Path) -> None:
    folder_of(tmp_path, "401 0 a/tea.md 1\n402 0 tea 1\n402 0 milk 1\n")
    tea = Document.of(TEA.text, source="a/tea.md")
    twins = [Document.of(text, source=f"{text}/milk.md") for text in ("white", "blue")]
    imported = read_goldens(tmp_path, documents=[tea, *twins])
    assert [[span.doc_id for span in golden.evidence] for golden in imported.goldens] == [[tea.id], [tea.id]]
    assert [problem.reason for problem in imported.problems] == ["milk is none of the documents given"]


def test_what_was_exported_is_read_back_with_the_spans_of_its_chunks(tmp_path: Path) -> None:
    given = export_set(tmp_path, HOT, BOTH, chunking=SENTENCES)
    export(given, "trec", str(tmp_path / "out"))
    hot, both = read_goldens(tmp_path / "out", documents=[*given.corpus]).goldens
    assert {span.id for span in hot.evidence} == set(given.qrels[HOT.id])
    # TEA's chunks at 0-35 (grade 2) and 36-61 (1) do not touch; COFFEE's 36-84 says the first again, 0-35 is an equivalent
    found = {span.id: grade for span, grade in zip(both.evidence, both.grades, strict=True)}
    assert (found, both.split) == (dict(given.qrels[BOTH.id]), "train")


def test_over_its_own_collection_the_same_queries_are_judged(tmp_path: Path) -> None:
    given = export_set(tmp_path, HOT, BOTH)
    export(ExportSet.read(tmp_path / "demo"), "trec", str(tmp_path / "out"))
    read = {golden.metadata["source"]: golden for golden in read_goldens(tmp_path / "out").goldens}
    for golden in (HOT, BOTH):
        assert {span.doc_id for span in read[golden.id].evidence} == set(given.qrels[golden.id])


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("qrels.txt", "401 D1 1\n", r"qrels\.txt: line 1 is not `query 0 document grade`"),
        ("topics.txt", "401 Who\n", r"topics\.txt: query 1 is not an id and a text"),
        ("topics.txt", "<top></top>", "no topic with a number"),
        (
            "collection.jsonl",
            '{"id": "D1", "text": "a"}\n' * 2,
            r"collection\.jsonl: line 2 has the id D1 of an earlier one",
        ),
    ],
)
def test_a_faulty_line_is_named(tmp_path: Path, name: str, text: str, message: str) -> None:
    folder_of(tmp_path, "401 0 D1 1\n")
    (tmp_path / name).write_text(text)
    with pytest.raises(InputError, match=message):
        read_goldens(tmp_path)


@pytest.mark.parametrize(
    ("gone", "message"), [("topics.txt", "no file of topics"), ("collection.jsonl", "no collection")]
)
def test_what_is_missing_is_named(tmp_path: Path, gone: str, message: str) -> None:
    (folder_of(tmp_path, "401 0 D1 1\n") / gone).unlink()
    with pytest.raises(InputError, match=message):
        read_goldens(tmp_path)
