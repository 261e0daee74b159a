from pathlib import Path

from ragset.evaluation.results.report.board import make_board
from ragset.evaluation.results.report.ranks import rank_bars
from tests.small_dataset import golden_of
from tests.small_results import frame_of, tea_results


def test_ranks_are_shared_out_among_the_bins(tmp_path: Path) -> None:
    goldens = tuple(golden_of(f"Query {number}?") for number in range(9))
    none = golden_of("Unanswerable?").model_copy(update={"evidence": (), "answer": None})
    ranks = [1, 2, 3, 4, 5, 6, 10, 11, float("nan")]
    rows = [("fine", golden.id, "gold_rank", float(rank)) for golden, rank in zip(goldens, ranks, strict=True)]
    rows.append(("fine", none.id, "gold_rank", float("nan")))
    results = tea_results(tmp_path, goldens=(*goldens, none), scores=frame_of(rows))
    [bar] = rank_bars(results, make_board(results))
    assert bar.n == 9
    assert [(part.name, part.goldens) for part in bar.parts] == [
        ("rank 1", 1),
        ("2–3", 2),
        ("4–5", 2),
        ("6–10", 2),
        ("beyond 10", 1),
        ("missed", 1),
    ]
    # 1 of 9, then 3 of 9
    assert [part.start for part in bar.parts][:3] == [0, 11.11, 33.33]


def test_a_bin_that_is_empty_is_left_out(tmp_path: Path) -> None:
    results = tea_results(tmp_path)
    fine, coarse = rank_bars(results, make_board(results))
    assert [(part.name, part.width) for part in fine.parts] == [("rank 1", 100)]
    assert [(part.name, part.width) for part in coarse.parts] == [("2–3", 50), ("missed", 50)]
    assert coarse.told == "2–3: 50 %, missed: 50 %"
