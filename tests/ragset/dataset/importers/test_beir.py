import json
from pathlib import Path
from random import Random

import pytest
from ir_measures import AP, RR, P, R, iter_calc, nDCG

from ragset.dataset.importers import ImportedSet, read_goldens
from ragset.dataset.relevance.qrels import gold_of, grades_of
from ragset.documents.corpus import Corpus
from ragset.errors import InputError
from ragset.evaluation.scoring import score_retrieval
from ragset.models import Golden
from ragset.retrieval.fusion import Hit

CORPUS = (
    {"_id": "d1", "title": "Tea", "text": "Tea is hot. ", "metadata": {"year": 1850}},
    {"_id": "d2", "title": "Coffee", "text": "Coffee is black."},
    {"_id": "d3", "title": "Only a title", "text": ""},
    {"_id": "d4", "title": "", "text": " "},
    {"_id": "d5", "title": "", "text": "Tea is hot."},
)
QUERIES = ({"_id": "q1", "text": "What is hot?"}, {"_id": "q2", "text": "What is black?"})
HEADER = "query-id\tcorpus-id\tscore\n"


def read(folder: Path, judgements: str, name: str = "test") -> ImportedSet:
    (folder / "qrels").mkdir(exist_ok=True)
    for file, rows in (("corpus", CORPUS), ("queries", QUERIES)):
        (folder / f"{file}.jsonl").write_text("\n".join(map(json.dumps, rows)) + "\n")
    (folder / "qrels" / f"{name}.tsv").write_text(HEADER + judgements)
    return read_goldens(folder)


def test_what_is_judged_relevant_is_evidence_as_a_whole(tmp_path: Path) -> None:
    imported = read(tmp_path, "q1\td1\t2\nq1\td2\t0\n")
    [golden] = imported.goldens
    documents = {document.title: document for document in imported.documents}
    # "Tea is hot." has 11 characters
    assert [span.id for span in golden.evidence] == [f"{documents['Tea'].id}:0-11"]
    assert (golden.query, golden.answer, golden.kind, golden.split) == ("What is hot?", "", "single-chunk", "test")
    assert (golden.grades, golden.metadata) == ((2,), {"source": "q1"})
    assert imported.problems == ()


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
    imported = read(tmp_path, "q1\td9\t1\nq1\td4\t1\nq1\td1\t1\nq7\td1\t1\nq2\td1\t0\n")
    assert [golden.metadata["source"] for golden in imported.goldens] == ["q1"]
    assert [(problem.where, problem.reason) for problem in imported.problems] == [
        ("qrels/test.tsv: line 2", "document d9 of corpus.jsonl is not there"),
        ("qrels/test.tsv: line 3", "document d4 of corpus.jsonl is empty"),
        ("qrels/test.tsv: line 5", "queries.jsonl has no query q7"),
        ("qrels/test.tsv: line 6", "no document is judged relevant to query q2"),
    ]


def test_the_test_split_is_read_alone_and_others_where_there_is_none(tmp_path: Path) -> None:
    assert [golden.split for golden in read(tmp_path, "q1\td1\t1\n", "dev").goldens] == ["dev"]
    assert [golden.split for golden in read(tmp_path, "q2\td2\t1\n").goldens] == ["test"]


def test_a_judgement_that_is_none_is_named_with_its_line(tmp_path: Path) -> None:
    with pytest.raises(
        InputError, match=r"test\.tsv: line 3 is not query-id, corpus-id and a whole number parted by tabs"
    ):
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
    with pytest.raises(InputError, match=r"queries\.jsonl: line 2: text: Field required; mend the file"):
        read_goldens(tmp_path)


def test_grades_follow_their_documents_and_the_highest_of_one_text_counts(tmp_path: Path) -> None:
    imported = read(tmp_path, "q1\td2\t1\nq1\td1\t3\nq1\td5\t2\nq2\td1\t1\nq2\td2\t1\n")
    texts = {document.id: document.text for document in imported.documents}
    graded, plain = imported.goldens
    found = {texts[span.doc_id]: grade for span, grade in zip(graded.evidence, graded.grades, strict=True)}
    assert found == {"Tea is hot.": 3, "Coffee is black.": 1}
    # grades of 1 throughout say nothing
    assert plain.grades == ()


def test_a_grade_that_is_no_whole_number_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"line 2 is not query-id, corpus-id and a whole number"):
        read(tmp_path, "q1\td1\t0.5\n")


def test_scores_of_graded_judgements_are_those_that_ir_measures_publishes(tmp_path: Path) -> None:
    """Judgements of documents, as BEIR has them, where each document is one chunk."""
    random = Random(4)
    corpus = [{"_id": f"d{number}", "title": "", "text": f"Document {number} of many."} for number in range(60)]
    queries = [{"_id": f"q{number}", "text": f"What is in document {number}?"} for number in range(25)]
    judged = {
        query["_id"]: {one["_id"]: random.choice((0, 1, 1, 2, 3)) for one in random.sample(corpus, 12)}
        for query in queries
    }
    (tmp_path / "qrels").mkdir()
    for name, rows in (("corpus", corpus), ("queries", queries)):
        (tmp_path / f"{name}.jsonl").write_text("\n".join(map(json.dumps, rows)))
    lines = [f"{query}\t{document}\t{grade}\n" for query, of in judged.items() for document, grade in of.items()]
    (tmp_path / "qrels" / "test.tsv").write_text(HEADER + "".join(lines))
    imported = read_goldens(tmp_path)
    # as a dataset of ours is written and read
    goldens = [Golden.model_validate_json(golden.model_dump_json()) for golden in imported.goldens]
    ids = {document.sources[0].removeprefix("corpus.jsonl:"): document for document in imported.documents}
    chunk = {name: f"{document.id}:0-{len(document.text)}" for name, document in ids.items()}
    ranked = {golden.id: random.sample(list(chunk), 30) for golden in goldens}
    run = {
        golden: [Hit(chunk[name], -float(rank)) for rank, name in enumerate(order)] for golden, order in ranked.items()
    }
    gold = gold_of(goldens, Corpus.write(tmp_path / "ours.jsonl", imported.documents))
    rows = score_retrieval(
        run, gold, list(chunk.values()), cutoffs=(3, 10), budgets=(), tokens=lambda _: 1, grades=grades_of(goldens)
    )
    ours = {(row.golden, row.metric): row.value for row in rows}
    source = {golden.id: golden.metadata["source"] for golden in goldens}
    theirs = {
        source[golden]: {name: -float(rank) for rank, name in enumerate(order)} for golden, order in ranked.items()
    }
    names = {nDCG @ 3: "ndcg@3", nDCG @ 10: "ndcg@10", R @ 10: "recall@10", P @ 3: "precision@3", RR: "mrr", AP: "map"}
    published = {(one.query_id, names[one.measure]): one.value for one in iter_calc(list(names), judged, theirs)}
    for golden in goldens:
        for metric in names.values():
            assert ours[golden.id, metric] == pytest.approx(published[source[golden.id], metric])
    # with all grades 1 the nDCG would be another
    flat = {query: {name: min(grade, 1) for name, grade in of.items()} for query, of in judged.items()}
    ungraded = [one.value for one in iter_calc([nDCG @ 10], flat, theirs)]
    assert sum(ungraded) != pytest.approx(sum(ours[golden.id, "ndcg@10"] for golden in goldens), abs=0.01)
