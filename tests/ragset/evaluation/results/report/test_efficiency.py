"""Latency and cost in the report: which configurations are on the Pareto front, and where they stand in the charts."""

from dataclasses import replace
from pathlib import Path

from ragset.evaluation.efficiency import TOTAL, Efficiency, Percentiles
from ragset.evaluation.results.model import Results
from ragset.evaluation.results.report import render_results
from ragset.evaluation.results.report.board import make_board
from ragset.evaluation.results.report.efficiency import efficiency_section, pareto_front
from tests.small_results import tea_results


def took(seconds: float, cost: float | None) -> Efficiency:
    times = Percentiles(p50=seconds, p95=seconds, p99=seconds, queries=2)
    return Efficiency(seconds={"retrieval": times, TOTAL: times}, tokens=100.0, cost=cost)


def with_efforts(folder: Path, *efforts: Efficiency | None) -> Results:
    results = tea_results(folder)
    pairs = zip(results.systems, efforts, strict=True)
    return replace(results, systems=tuple(one.model_copy(update={"efficiency": of}) for one, of in pairs))


def test_the_front_holds_what_no_other_beats() -> None:
    # (takes, quality): (1, .5) is cheapest, (2, .7) better, (2, .6) beaten by it, (3, .7) dearer for the same, (4, .9) best
    points = [(1, 0.5), (2, 0.7), (2, 0.6), (3, 0.7), (4, 0.9)]
    assert pareto_front(points) == [True, True, False, False, True]


def test_equals_are_both_on_the_front() -> None:
    assert pareto_front([(1, 0.5), (1, 0.5)]) == [True, True]


def test_costs_far_apart_stand_on_a_logarithmic_scale(tmp_path: Path) -> None:
    section = efficiency_section(make_board(with_efforts(tmp_path, took(0.1, 0.00001), took(0.2, 0.001))))
    assert section is not None
    cost, latency = section["trade_offs"]
    # $0.01 and $1 per 1,000: the ends of two powers of ten
    assert sorted(point.x for point in cost.points) == [0.0, 100.0]
    assert [tick.text for tick in cost.x.ticks] == ["0.01", "0.02", "0.05", "0.1", "0.2", "0.5", "1"]
    # 0.1 and 0.2 s are near each other: from 0
    assert latency.x.ticks[0].text.startswith("0")
    assert sorted(point.x for point in latency.points) == [50.0, 100.0]


def test_what_is_not_known_is_named_and_one_point_makes_no_chart(tmp_path: Path) -> None:
    results = with_efforts(tmp_path, took(0.1, None), None)
    section = efficiency_section(make_board(results))
    assert section is not None
    assert section["trade_offs"] == []
    assert [row.cost for row in section["rows"]] == [None, None]
    assert "Latency and cost" in render_results(results)
    assert "Latency and cost" not in render_results(tea_results(tmp_path))


def test_the_page_has_both_charts(tmp_path: Path) -> None:
    page = render_results(with_efforts(tmp_path, took(0.1, 0.00001), took(0.2, 0.001)))
    assert "Quality against cost" in page
    assert "Quality against latency" in page
