from pathlib import Path

from ragset.evaluation.metrics.registry import in_order, meaning
from ragset.evaluation.results.model import System
from ragset.evaluation.results.report.board import make_board
from tests.small_results import standing_of, tea_results


def test_the_primary_metric_stands_first_and_ranks_are_no_column(tmp_path: Path) -> None:
    metrics = ("token_f1", "ndcg@5", "recall@5", "recall@2048tokens", "recall@512tokens", "gold_rank", "odd")
    results = tea_results(tmp_path, standings=tuple(standing_of("fine", 0.5, metric) for metric in metrics))
    board = make_board(results)
    assert board.metrics == ("recall@5", "ndcg@5", "recall@512tokens", "recall@2048tokens", "token_f1", "odd")


def test_the_best_and_those_tied_with_it_lead_a_column(tmp_path: Path) -> None:
    systems = tuple(System(name=name, chunking=name) for name in "abc")
    standings = (standing_of("a", 0.4), standing_of("b", 0.9), standing_of("c", 0.8, tied=True))
    results = tea_results(tmp_path, systems=systems, standings=standings)
    board = make_board(results)
    assert [(one.configuration, board.leads(one)) for one in standings] == [("a", False), ("b", True), ("c", True)]


def test_names_stand_where_parts_do_not_tell_configurations_apart(tmp_path: Path) -> None:
    results = tea_results(tmp_path)
    assert not make_board(results).named
    results = tea_results(tmp_path, systems=(System(name="coarse"), System(name="fine")))
    assert make_board(results).named


def test_metrics_are_defined_with_their_cut_off() -> None:
    assert meaning("hit_rate@5") == "share of goldens with a relevant chunk among the first 5"
    assert "1,024 tokens" in meaning("recall@1024tokens")
    assert meaning("recall@5") != meaning("recall@1024tokens")
    assert meaning("odd") == ""
    assert in_order(["mrr", "recall@10", "recall@5"], "mrr") == ("mrr", "recall@5", "recall@10")
