from pathlib import Path

import pytest

from ragset.results import System
from ragset.results.report.board import make_board
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
