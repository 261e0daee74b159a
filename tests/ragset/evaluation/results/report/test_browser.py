from pathlib import Path
from typing import Any

from ragset.evaluation.results.model import Results
from ragset.evaluation.results.report.board import make_board
from ragset.evaluation.results.report.browser import MOST_HITS, browser_data, gold_places, left_out
from ragset.models import Document
from ragset.retrieval.fusion import Hit
from tests.small_dataset import TEA, corpus_of, golden_of
from tests.small_results import tea_results


def data_of(results: Results, most: int = MOST_HITS[0]) -> tuple[dict[str, Any], dict[str, Any]]:
    return browser_data(results, make_board(results), most, gold_places(results))


def test_hits_point_at_passages_and_say_which_are_relevant(tmp_path: Path) -> None:
    results = tea_results(tmp_path)
    goldens, runs = data_of(results)
    assert [one["label"] for one in runs["configurations"]] == ["recursive-96", "token-800"]
    # characters 0 to 35 and 36 to 61 of one document: the evidence of the one golden and of the other
    assert [(p["start"], p["end"], p["text"]) for p in goldens["passages"]] == [
        (0, 35, TEA.text[:35]),
        (36, 61, TEA.text[36:]),
    ]
    assert runs["hits"][0] == [[(0, 0.9, 1), (1, 0.8, 0)], [(1, 0.8, 1), (0, 0.9, 0)]]
    assert runs["hits"][1] == [[(1, 0.8, 0), (0, 0.9, 1)], None]


def test_evidence_that_stands_elsewhere_word_for_word_is_gold_too(tmp_path: Path) -> None:
    again = Document.of("Know this: Green tea turns\nbitter above 80 °C. So it is.", source="again.md", title="Again")
    golden = golden_of(evidence=((0, 35),))
    hit = Hit(f"{again.id}:11-46", 0.5)
    results = tea_results(
        tmp_path, corpus=corpus_of(tmp_path, TEA, again), goldens=(golden,), runs={"fine": {golden.id: [hit]}}
    )
    goldens, runs = data_of(results)
    assert [relevant for _, _, relevant in runs["hits"][0][0]] == [1]
    documents = [document["title"] for document in goldens["documents"]]
    places = {(documents[doc], start, end) for doc, start, end in goldens["goldens"][0]["gold"]}
    assert places == {("Tea", 0, 35), ("Again", 11, 46)}


def test_values_that_are_not_known_are_null(tmp_path: Path) -> None:
    results = tea_results(tmp_path)
    values = data_of(results)[1]["values"]
    assert values["recall@5"] == [[1.0, 1.0], [1.0, 0.0]]
    assert values["gold_rank"] == [[1.0, 1.0], [3.0, None]]


def test_an_answer_may_be_given_withheld_or_missing(tmp_path: Path) -> None:
    hot, long = tea_results(tmp_path).goldens
    results = tea_results(tmp_path, answers={"fine": {hot.id: "At 80 °C.", long.id: None}, "coarse": {hot.id: "No."}})
    assert data_of(results)[1]["answers"] == [{0: "At 80 °C.", 1: None}, {0: "No."}]


def test_an_id_that_is_no_place_has_no_text(tmp_path: Path) -> None:
    ids = ("their-chunk-7", f"{TEA.id}:9-9", "unknown:0-5")
    given = tea_results(tmp_path)
    runs = {"fine": {given.goldens[0].id: [Hit(id_, 0.5) for id_ in ids]}}
    goldens, shown = data_of(tea_results(tmp_path, runs=runs))
    assert shown["hits"][0][0] == [(2, 0.5, 0), (3, 0.5, 0), (4, 0.5, 0)]
    assert [passage.get("text") for passage in goldens["passages"][2:]] == [None, None, None]
    assert [document["title"] for document in goldens["documents"][1:]] == list(ids)


def test_a_smaller_page_leaves_out_what_it_says(tmp_path: Path) -> None:
    runs = data_of(tea_results(tmp_path), 1)[1]
    assert [len(hits) for hits in runs["hits"][0]] == [1, 1]
    assert sorted(runs["values"]) == ["gold_rank", "recall@5"]
    assert left_out(1) == "passages beyond the first 1, the other metrics of single goldens"
    assert left_out(0) == "all passages, the other metrics of single goldens"
    assert left_out(MOST_HITS[0]) == ""
