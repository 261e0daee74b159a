import json
from pathlib import Path

import pytest

from ragset.errors import InputError
from ragset.foreign import Foreign, read_goldens

CORPUS = (
    {"_id": "d1", "title": "Tea", "text": "Tea is hot. ", "metadata": {"year": 1850}},
    {"_id": "d2", "title": "Coffee", "text": "Coffee is black."},
    {"_id": "d3", "title": "Only a title", "text": ""},
    {"_id": "d4", "title": "", "text": " "},
    {"_id": "d5", "title": "", "text": "Tea is hot."},
)
QUERIES = ({"_id": "q1", "text": "What is hot?"}, {"_id": "q2", "text": "What is black?"})
HEADER = "query-id\tcorpus-id\tscore\n"


def read(folder: Path, judgements: str, name: str = "test") -> Foreign:
    (folder / "qrels").mkdir(exist_ok=True)
    for file, rows in (("corpus", CORPUS), ("queries", QUERIES)):
        (folder / f"{file}.jsonl").write_text("\n".join(map(json.dumps, rows)) + "\n")
    (folder / "qrels" / f"{name}.tsv").write_text(HEADER + judgements)
    return read_goldens(folder)


def test_what_is_judged_relevant_is_evidence_as_a_whole(tmp_path: Path) -> None:
    foreign = read(tmp_path, "q1\td1\t2\nq1\td2\t0\n")
    [golden] = foreign.goldens
    documents = {document.title: document for document in foreign.documents}
    # "Tea is hot." has 11 characters
    assert [span.id for span in golden.evidence] == [f"{documents['Tea'].id}:0-11"]
    assert (golden.query, golden.answer, golden.kind, golden.split) == ("What is hot?", "", "single-chunk", "test")
    assert golden.metadata == {"grades": {f"{documents['Tea'].id}:0-11": 2.0}, "source": "q1"}
    assert foreign.problems == ()


def test_every_line_of_the_corpus_is_a_document_and_the_same_text_is_one(tmp_path: Path) -> None:
    documents = {document.text: document for document in read(tmp_path, "q1\td1\t1\n").documents}
    assert sorted(documents) == ["Coffee is black.", "Only a title", "Tea is hot."]
    tea = documents["Tea is hot."]
    assert (tea.title, tea.sources) == ("Tea", ("corpus.jsonl:d1", "corpus.jsonl:d5"))
    assert tea.metadata == {"year": 1850}


def test_documents_of_the_same_text_are_one_piece_of_evidence(tmp_path: Path) -> None:
    [golden] = read(tmp_path, "q1\td1\t1\nq1\td5\t1\n").goldens
    assert len(golden.evidence) == 1


def test_several_documents_are_several_pieces_of_evidence(tmp_path: Path) -> None:
    [golden] = read(tmp_path, "q1\td1\t1\nq1\td2\t1\n").goldens
    assert (len(golden.evidence), golden.kind) == (2, "multi-chunk")


def test_what_the_judgements_name_and_nobody_has_is_reported(tmp_path: Path) -> None:
    foreign = read(tmp_path, "q1\td9\t1\nq1\td4\t1\nq1\td1\t1\nq7\td1\t1\nq2\td1\t0\n")
    assert [golden.metadata["source"] for golden in foreign.goldens] == ["q1"]
    assert [(problem.where, problem.reason) for problem in foreign.problems] == [
        ("qrels/test.tsv: line 2", "document d9 of corpus.jsonl is not there"),
        ("qrels/test.tsv: line 3", "document d4 of corpus.jsonl is empty"),
        ("qrels/test.tsv: line 5", "queries.jsonl has no query q7"),
        ("qrels/test.tsv: line 6", "no document is judged relevant to query q2"),
    ]


def test_the_test_split_is_read_alone_and_others_where_there_is_none(tmp_path: Path) -> None:
    assert [golden.split for golden in read(tmp_path, "q1\td1\t1\n", "dev").goldens] == ["dev"]
    assert [golden.split for golden in read(tmp_path, "q2\td2\t1\n").goldens] == ["test"]


def test_a_judgement_that_is_none_is_named_with_its_line(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"test\.tsv: line 3 is not query-id, corpus-id and score parted by tabs"):
        read(tmp_path, "q1\td1\t1\nq1 d1 1\n")
    with pytest.raises(InputError, match=r"test\.tsv: line 2 is not"):
        read(tmp_path, "q1\td1\thigh\n")


def test_judgements_may_come_without_names_of_columns(tmp_path: Path) -> None:
    read(tmp_path, "q1\td1\t1\n")
    (tmp_path / "qrels" / "test.tsv").write_text("q1\td1\t1\r\nq2\td2\t1\r\n")
    assert len(read_goldens(tmp_path).goldens) == 2


def test_what_is_missing_from_the_folder_is_named(tmp_path: Path) -> None:
    read(tmp_path, "q1\td1\t1\n")
    (tmp_path / "qrels" / "test.tsv").unlink()
    with pytest.raises(InputError, match=r"there are no judgements; put them into qrels/test\.tsv"):
        read_goldens(tmp_path)
    (tmp_path / "queries.jsonl").unlink()
    with pytest.raises(InputError, match=r"there is no queries\.jsonl in it"):
        read_goldens(tmp_path)


def test_an_id_that_is_there_twice_is_refused(tmp_path: Path) -> None:
    read(tmp_path, "q1\td1\t1\n")
    with (tmp_path / "corpus.jsonl").open("a") as file:
        file.write('{"_id": "d1", "text": "Milk."}\n')
    with pytest.raises(InputError, match=r"corpus\.jsonl: line 6 has the _id d1 of an earlier line"):
        read_goldens(tmp_path)


def test_a_line_without_a_text_is_named(tmp_path: Path) -> None:
    read(tmp_path, "q1\td1\t1\n")
    (tmp_path / "queries.jsonl").write_text('{"_id": "q1", "text": "a"}\n{"_id": "q2"}\n')
    with pytest.raises(InputError, match=r"queries\.jsonl: line 2 has no text; mend the line"):
        read_goldens(tmp_path)
