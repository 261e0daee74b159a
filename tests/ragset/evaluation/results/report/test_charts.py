from pathlib import Path

from lxml import html

from ragset.evaluation.results.model import System
from ragset.evaluation.results.report import render_results
from ragset.evaluation.results.report.board import make_board
from ragset.evaluation.results.report.charts import bar_axis, forests, lines
from tests.small_results import compared_of, standing_of, tea_results


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
    assert chart.budgets == {512: 0, 1024: 50, 2048: 100}
    [(_, points)] = chart.rows
    assert points == [(0, 0.0), (50, 0.5), (100, 1.0)]
    plot = html.document_fromstring(render_results(tea_results(tmp_path, standings=standings)))
    drawn = plot.xpath("//section[@id='budget']//*[@class='plot']//*[@data-line]/line")
    assert [(line.get("x1"), line.get("y1"), line.get("x2"), line.get("y2")) for line in drawn[:2]] == [
        ("0.0%", "300.0", "50.0%", "150.0"),
        ("50.0%", "150.0", "100.0%", "0.0"),
    ]


def test_one_budget_is_no_chart(tmp_path: Path) -> None:
    standings = (standing_of("fine", 0.5, "recall@512tokens"),)
    assert lines(make_board(tea_results(tmp_path, standings=standings))) is None
