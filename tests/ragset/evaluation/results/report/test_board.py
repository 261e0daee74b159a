from pathlib import Path

import pytest

from ragset.evaluation.results.facts import ExternalFacts, UnalignedPassage, UnansweredQuery
from ragset.evaluation.results.model import System
from ragset.evaluation.results.report import render_results
from ragset.evaluation.results.report.board import make_board
from tests.small_results import compared_of, standing_of, tea_results

FINE = System(name="fine", chunking="recursive-96", embedding="e5", retrieval="dense", reranker="none")
COARSE = System(name="coarse", chunking="token-800", embedding="e5", retrieval="dense", reranker="none")
LEXICAL = System(name="lexical", chunking="token-800", retrieval="bm25", reranker="none")
RERANKED = COARSE.model_copy(update={"name": "reranked", "reranker": "llm:m"})


def test_configurations_stand_by_the_primary_metric_and_the_unjudged_last(tmp_path: Path) -> None:
    standings = (standing_of("coarse", None), standing_of("fine", 0.2), standing_of("lexical", 0.7))
    board = make_board(tea_results(tmp_path, systems=(COARSE, FINE, LEXICAL), standings=standings))
    assert [(entry.place, entry.name) for entry in board.entries] == [(1, "lexical"), (2, "fine"), (3, "coarse")]


def test_of_equal_means_the_one_that_others_are_compared_with_stands_first(tmp_path: Path) -> None:
    standings = (standing_of("fine", 0.7), standing_of("coarse", 0.7))
    given = tea_results(tmp_path, standings=standings, comparisons=(compared_of("coarse", "fine", 0.0),))
    assert [entry.name for entry in make_board(given).entries] == ["fine", "coarse"]


def test_a_label_has_the_parts_that_vary(tmp_path: Path) -> None:
    board = make_board(tea_results(tmp_path, systems=(FINE, COARSE, LEXICAL, RERANKED)))
    assert board.labels == {
        "fine": "recursive-96 · dense",
        "coarse": "token-800 · dense",
        "lexical": "token-800 · bm25",
        "reranked": "token-800 · dense · llm:m",
    }
    assert board.varying == ("chunking", "retrieval", "reranker")
    assert board.fixed == (("embedding", "e5"),)


@pytest.mark.parametrize("other", [System(name="theirs"), FINE.model_copy(update={"name": "theirs"})])
def test_what_parts_do_not_tell_apart_goes_by_its_name(tmp_path: Path, other: System) -> None:
    board = make_board(tea_results(tmp_path, systems=(FINE, COARSE, other)))
    assert board.labels["theirs"] == "theirs"


def test_what_the_grid_has_in_common_is_not_said_of_other_systems(tmp_path: Path) -> None:
    results = tea_results(tmp_path, systems=(FINE, COARSE, System(name="theirs")))
    assert [system.name for system in make_board(results).outside] == ["theirs"]
    assert "All configurations of the grid have embedding <b>e5</b>" in render_results(results)
    assert "All have embedding <b>e5</b>" in render_results(tea_results(tmp_path, systems=(FINE, COARSE)))


def test_what_another_system_did_not_answer_and_what_was_not_found_stands_in_the_report(tmp_path: Path) -> None:
    facts = ExternalFacts(
        queries=10,
        answered=7,
        failed=(UnansweredQuery(golden="g-1", query="How hot?", reason="status 500"),),
        passages=70,
        unaligned=3,
        unaligned_queries=2,
        examples=(UnalignedPassage(golden="g-2", text="Copyright <2024>", score=0.25, reason="not there"),),
    )
    page = render_results(tea_results(tmp_path, systems=(FINE, System(name="theirs", external=facts))))
    # 10 - 7 - 1 that failed
    assert "covers 7 of 10 goldens: the other 2 count 0 at worst and 1 at best." in page
    assert "failed on 1 of 10 queries" in page
    assert "3 of its 70 passages, in 2 of 10 queries, could not be found in the documents" in page
    assert "Copyright &lt;2024&gt;" in page
    assert "25 % of it found; not there" in page
