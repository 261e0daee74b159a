from itertools import pairwise, product
from pathlib import Path

import pytest
from lxml import html

from ragset.evaluation.results import System
from ragset.evaluation.results.report import render_results
from ragset.evaluation.results.report.board import make_board
from ragset.evaluation.results.report.charts import bar_axis, forests, heat, lines, rank_bars
from tests.small_dataset import golden_of
from tests.small_results import compared_of, frame_of, sample_results, standing_of, tea_results

GRID = tuple(
    System(name=f"{chunking} {retrieval}", chunking=chunking, retrieval=retrieval)
    for chunking, retrieval in product(("large", "small"), ("bm25", "dense"))
)


def test_a_bar_ends_at_the_mean_and_its_whisker_is_the_interval(tmp_path: Path) -> None:
    standings = (standing_of("fine", 0.8), standing_of("coarse", None))
    results = tea_results(tmp_path, standings=standings)
    axis = bar_axis(make_board(results))
    # the axis goes from 0 to 1, round numbers around 0 and 0.9
    assert [axis.place(value) for value in (0.8, 0.7, 0.9, None)] == [80, 70, 90, None]
    first, second = html.document_fromstring(render_results(results)).xpath(
        "//section[@id='accuracy']//*[@class='track']"
    )
    assert first.xpath(".//rect/@width") == ["80.0%"]
    assert first.xpath(".//*[@class='whisker']/line/@x1") == ["70.0%", "70.0%", "90.0%"]
    assert not second.xpath(".//rect | .//*[@class='whisker']")


def test_differences_stand_to_one_scale_first_with_the_best(tmp_path: Path) -> None:
    systems = tuple(System(name=name, chunking=name) for name in "abc")
    comparisons = (
        compared_of("a", "c", 0.3, p=0.01),
        compared_of("b", "c", 0.2, p=0.2),
        compared_of("b", "a", -0.1, p=0.2),
        compared_of("c", "a", -0.3, p=0.01),
    )
    standings = (standing_of("a", 0.9), standing_of("b", 0.8), standing_of("c", 0.6))
    results = tea_results(tmp_path, systems=systems, comparisons=comparisons, standings=standings, baseline="c")
    best, baseline = forests(results, make_board(results))
    assert (best.against, best.roles) == ("a", ("best",))
    assert (baseline.against, baseline.roles) == ("c", ("baseline",))
    # from -0.4 to 0.4 in steps of 0.2
    assert best.axis == baseline.axis
    assert best.axis.at(0) == 50
    at = [(row.configuration, best.axis.at(row.difference), row.told) for row in best.rows]
    assert at == [("b", 37.5, ""), ("c", 12.5, "worse")]
    assert [(row.configuration, row.told) for row in baseline.rows] == [("a", "better"), ("b", "")]


def test_a_comparison_of_what_shares_no_golden_tells_nothing(tmp_path: Path) -> None:
    unknown = float("nan")
    comparisons = (compared_of("coarse", "fine", unknown, p=unknown),)
    results = tea_results(tmp_path, comparisons=comparisons)
    [forest] = forests(results, make_board(results))
    [row] = forest.rows
    assert (forest.axis.place(row.difference), row.told) == (None, "")


def test_budgets_stand_on_a_logarithmic_scale(tmp_path: Path) -> None:
    shares = {512: 0.0, 1024: 0.5, 2048: 1.0}
    standings = tuple(standing_of("fine", share, f"recall@{budget}tokens") for budget, share in shares.items())
    chart = lines(make_board(tea_results(tmp_path, standings=standings)))
    assert chart is not None
    assert chart.budgets == ((0, "512"), (50, "1,024"), (100, "2,048"))
    [line] = chart.rows
    assert line.points == ((0, 300), (50, 150), (100, 0))
    assert len(line.segments) == 2


def test_one_budget_is_no_chart(tmp_path: Path) -> None:
    standings = (standing_of("fine", 0.5, "recall@512tokens"),)
    assert lines(make_board(tea_results(tmp_path, standings=standings))) is None


@pytest.mark.parametrize("count", [4, 12, 40])
def test_numbers_at_the_ends_of_lines_never_overlap(tmp_path: Path, count: int) -> None:
    sizes = [(f"token-{size}", size) for size in range(100, 100 + 50 * (count // 4), 50)]
    ways = ("dense", "bm25", "hybrid", "hybrid-w0.7")
    board = make_board(sample_results(tmp_path, goldens=4, chunkings=sizes, retrievals=ways))
    chart = lines(board)
    assert chart is not None
    places = sorted(line.label for line in chart.rows)
    assert len(places) == count
    assert all(after - before >= 13.9 for before, after in pairwise(places))
    assert places[0] >= 0
    assert places[-1] <= chart.height


def test_the_heat_map_has_the_best_of_each_chunking_and_retrieval(tmp_path: Path) -> None:
    again = GRID[0].model_copy(update={"name": "reranked", "reranker": "llm:m"})
    means = {"large bm25": 0.2, "large dense": 0.4, "small bm25": 0.6, "small dense": None, "reranked": 0.3}
    standings = tuple(standing_of(name, mean) for name, mean in means.items())
    found = heat(make_board(tea_results(tmp_path, systems=(*GRID, again), standings=standings)))
    assert found is not None
    assert found.columns == ("bm25", "dense")
    # of 0.3 to 0.6
    assert found.rows == (("large", ((0.3, 0, 2), (0.4, 33, 1))), ("small", ((0.6, 100, 1), None)))


def test_one_retrieval_is_no_map(tmp_path: Path) -> None:
    assert heat(make_board(tea_results(tmp_path))) is None


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
