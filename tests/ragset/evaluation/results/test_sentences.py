from dataclasses import replace
from pathlib import Path

from ragset.evaluation.results.folder import read_results
from ragset.evaluation.results.sentences import leaderboard
from ragset.evaluation.results.writing import write_results
from tests.small_results import HOSTILE, standing_of, tea_results


def test_the_leaderboard_is_the_primary_metrics_best_first() -> None:
    standings = [
        standing_of("a", 0.5),
        standing_of("b", None),
        standing_of("c", 0.75),
        standing_of("c", 0.9, metric="mrr"),
    ]
    assert leaderboard(standings, "recall@5") == [
        ("c", "0.750", "0.650–0.850", "best"),
        ("a", "0.500", "0.400–0.600", ""),
        ("b", "not judged", "", ""),
    ]


def test_configurations_that_cannot_be_told_from_the_best_are_marked() -> None:
    tied = [standing_of("a", 0.5, tied=True), standing_of("c", 0.55, tied=True), standing_of("d", 0.1)]
    assert [row[3] for row in leaderboard(tied, "recall@5")] == ["not told from the best"] * 2 + [""]


def test_results_show_their_leaderboard_and_run_nothing(tmp_path: Path) -> None:
    given = tea_results(tmp_path, name=HOSTILE)
    write_results(tmp_path / "out", replace(given, primary="recall@5"), "")
    found = read_results(tmp_path / "out")
    assert repr(found).startswith(f"<StoredResults {tmp_path / 'out'}: {len(given.systems)} configurations on ")
    assert repr(found).endswith("by recall@5>")
    shown = found._repr_html_()
    assert all(system.name in shown for system in given.systems)
    assert "<script" not in shown
    assert "&lt;script&gt;" in shown
