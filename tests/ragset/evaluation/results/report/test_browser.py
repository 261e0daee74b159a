from pathlib import Path

from ragset.evaluation.results.report.board import make_board
from ragset.evaluation.results.report.browser import SHARES, Passages, Share, browser_data
from ragset.models import Document, Span
from ragset.retrieval.fusion import Hit
from tests.small_dataset import TEA, corpus_of, golden_of
from tests.small_results import tea_results

ALL = SHARES[0]


def test_hits_point_at_passages_and_say_which_are_relevant(tmp_path: Path) -> None:
    results = tea_results(tmp_path)
    goldens, runs = browser_data(results, make_board(results), ALL)
    assert [one["label"] for one in runs["configurations"]] == ["recursive-96", "token-800"]
    # characters 0 to 35 and 36 to 61 of one document: the evidence of the one golden and of the other
    assert [(p["start"], p["end"]) for p in goldens["passages"]] == [(0, 35), (36, 61)]
    assert runs["hits"][0] == [[(0, 0.9, 1), (1, 0.8, 0)], [(1, 0.8, 1), (0, 0.9, 0)]]
    assert runs["hits"][1] == [[(1, 0.8, 0), (0, 0.9, 1)], None]


def test_a_text_is_held_once_however_it_is_cut(tmp_path: Path) -> None:
    passages = Passages(corpus_of(tmp_path))
    for id_ in ("0-20", "10-35", "36-61", "0-20"):
        passages.number(f"{TEA.id}:{id_}")
    listed, pieces = passages.listed()
    assert pieces == [{"start": 0, "text": TEA.text[:35]}, {"start": 36, "text": TEA.text[36:]}]
    assert [passage["piece"] for passage in listed] == [0, 0, 1]


def test_an_id_that_is_no_place_has_no_text(tmp_path: Path) -> None:
    passages = Passages(corpus_of(tmp_path))
    ids = ("their-chunk-7", f"{TEA.id}:9-9", "unknown:0-5")
    assert [passages.number(id_) for id_ in ids] == [0, 1, 2]
    listed, pieces = passages.listed()
    assert [passage["piece"] for passage in listed] == [-1, -1, -1]
    assert pieces == []
    assert [document["title"] for document in passages.documents] == list(ids)


def test_evidence_that_stands_elsewhere_word_for_word_is_gold_too(tmp_path: Path) -> None:
    again = Document.of("Know this: Green tea turns\nbitter above 80 °C. So it is.", source="again.md", title="Again")
    golden = golden_of(evidence=((0, 35),))
    hit = Hit(f"{again.id}:11-46", 0.5)
    results = tea_results(
        tmp_path, corpus=corpus_of(tmp_path, TEA, again), goldens=(golden,), runs={"fine": {golden.id: [hit]}}
    )
    goldens, runs = browser_data(results, make_board(results), ALL)
    assert [relevant for _, _, relevant in runs["hits"][0][0]] == [1]
    documents = [document["title"] for document in goldens["documents"]]
    places = {(documents[doc], start, end) for doc, start, end in goldens["goldens"][0]["gold"]}
    assert places == {("Tea", 0, 35), ("Again", 11, 46)}


def test_values_that_are_not_known_are_null(tmp_path: Path) -> None:
    results = tea_results(tmp_path)
    values = browser_data(results, make_board(results), ALL).runs["values"]
    assert values["recall@5"] == [[1.0, 1.0], [1.0, 0.0]]
    assert values["gold_rank"] == [[1.0, 1.0], [3.0, None]]


def test_an_answer_may_be_given_withheld_or_missing(tmp_path: Path) -> None:
    hot, long = tea_results(tmp_path).goldens
    results = tea_results(tmp_path, answers={"fine": {hot.id: "At 80 °C.", long.id: None}, "coarse": {hot.id: "No."}})
    assert browser_data(results, make_board(results), ALL).runs["answers"] == [{0: "At 80 °C.", 1: None}, {0: "No."}]


def test_a_smaller_share_leaves_out_what_it_says(tmp_path: Path) -> None:
    results = tea_results(tmp_path, answers={"fine": {tea_results(tmp_path).goldens[0].id: "80"}})
    runs = browser_data(results, make_board(results), Share(1, metrics=False, answers=False)).runs
    assert [len(hits) for hits in runs["hits"][0]] == [1, 1]
    assert sorted(runs["values"]) == ["gold_rank", "recall@5"]
    assert runs["answers"] == [{}, {}]
    assert Share(1, metrics=False, answers=False).left_out == (
        "passages beyond the first 1, the other metrics of single goldens, the answers"
    )
    assert ALL.left_out == ""
    assert Span(doc_id=TEA.id, start=0, end=35).id in {hit.id for hit in results.runs["fine"][results.goldens[0].id]}
