from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from lxml import html

from ragset.evaluation.results import DatasetAgreement, Results
from ragset.evaluation.results.report import render_results
from ragset.evaluation.results.report.agreement import how_alike, pairs
from ragset.evaluation.results.report.board import make_board
from tests.small_results import HOSTILE, agreeing, alike_of, frame_of, in_datasets, sample_results, tea_results


def two_sets(folder: Path, *found: DatasetAgreement, names: tuple[str, str] = ("short", "long")) -> Results:
    """On the first dataset `fine` has 1 and `coarse` 1, on the second 1 and 0."""
    goldens = in_datasets(tea_results(folder).goldens, *names)
    return tea_results(folder, goldens=goldens, datasets=names, agreements=found or (alike_of(*names),))


def section_of(results: Results) -> Any:
    return html.document_fromstring(render_results(results)).xpath("//section[@id='agreement']")[0]


def said(folder: Path, **changes: Any) -> str:
    section = section_of(two_sets(folder, alike_of(**changes)))
    return " ".join(section.xpath("string(.//p[@class='said'])").split())


def test_a_configuration_stands_at_its_means_on_both_datasets(tmp_path: Path) -> None:
    results = two_sets(tmp_path)
    [pair] = pairs(results, make_board(results))
    assert (pair.one.name, pair.one.n, pair.other.name, pair.other.n) == ("short", 1, "long", 1)
    assert [(dot.entry.name, dot.one, dot.other) for dot in pair.dots] == [("fine", 1, 1), ("coarse", 1, 0)]
    assert [tick.text for tick in pair.axis.ticks] == ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]
    plot = section_of(results).xpath(".//svg")[0]
    # 350 pixels from 0 to 1 on both axes; what is high is few pixels from the top
    places = [(dot.get("cx"), dot.get("cy")) for dot in plot.xpath(".//circle")]
    assert sorted(places) == [("350.0", "0.0"), ("350.0", "350.0")]
    assert plot.xpath(".//*[@class='grid']/@x1") == ["0.0", "70.0", "140.0", "210.0", "280.0", "350.0"]
    assert plot.xpath(".//*[@class='grid']/@y1") == ["350.0", "280.0", "210.0", "140.0", "70.0", "0.0"]


def test_the_scale_of_both_axes_is_of_all_values(tmp_path: Path) -> None:
    hot, long = tea_results(tmp_path).goldens
    rows = [
        ("fine", hot.id, "recall@5", 0.5),
        ("fine", long.id, "recall@5", 0.7),
        ("coarse", hot.id, "recall@5", 0.6),
        ("coarse", long.id, "recall@5", 0.9),
    ]
    results = replace(two_sets(tmp_path), scores=frame_of(rows))
    [pair] = pairs(results, make_board(results))
    assert [tick.text for tick in pair.axis.ticks] == ["0.5", "0.6", "0.7", "0.8", "0.9"]
    # of 0.5 to 0.9: 87.5 pixels for each 0.1
    dots = section_of(results).xpath(".//svg//circle")
    assert sorted((dot.get("cx"), dot.get("cy")) for dot in dots) == [("0.0", "175.0"), ("87.5", "0.0")]


def test_what_was_not_judged_on_both_has_no_point_and_does_not_count(tmp_path: Path) -> None:
    hot, long = tea_results(tmp_path).goldens
    unknown = float("nan")
    rows = [("fine", hot.id, "recall@5", 0.5), ("fine", long.id, "recall@5", unknown)]
    results = replace(two_sets(tmp_path), scores=frame_of(rows))
    [pair] = pairs(results, make_board(results))
    assert pair.dots == ()
    assert (pair.one.n, pair.other.n) == (1, 0)
    assert not section_of(results).xpath(".//svg")


@pytest.mark.parametrize(
    ("low", "high", "alike"),
    [
        (0.501, 0.9, "alike"),
        (0.5, 0.9, "partly"),
        (0.001, 0.9, "partly"),
        (0.0, 0.9, "untold"),
        (-0.3, 0.9, "untold"),
        (-0.3, 0.0, "untold"),
        (-0.9, -0.3, "opposite"),
        (None, None, "unsure"),
        (float("nan"), 0.9, "unsure"),
    ],
)
def test_rankings_are_as_alike_as_the_interval_of_tau_says(low: float | None, high: float | None, alike: str) -> None:
    assert how_alike(alike_of(tau_low=low, tau_high=high)) == alike


def test_agreement_in_words(tmp_path: Path) -> None:
    section = section_of(two_sets(tmp_path))
    words = " ".join(section.xpath("string(.//*[@class='told'])").split())
    assert words.startswith(
        "The two test sets rank the 2 configurations alike. Kendall’s τb 0.800 (0.600 to 0.900), "
        "Spearman’s ρ 0.850 (0.650 to 0.950) in recall@5, on 1 golden of short and 1 golden of long."
    )
    assert [[cell.text_content() for cell in row] for row in section.xpath(".//tbody/tr")] == [
        ["1", "recursive-96", "1.000", "1.000"],
        ["2", "token-800", "1.000", "0.000"],
    ]


def test_less_agreement_in_words(tmp_path: Path) -> None:
    assert said(tmp_path, tau_low=0.2) == "The two test sets rank the 2 configurations partly alike."
    assert said(tmp_path, tau_low=-0.2) == (
        "The two test sets are not seen to rank the 2 configurations alike: "
        "the data do not tell their agreement from none."
    )
    assert said(tmp_path, tau_low=-0.9, tau_high=-0.2) == (
        "The two test sets do not rank the 2 configurations alike: rather the other way round."
    )


def test_what_is_not_defined_is_said_to_be_so(tmp_path: Path) -> None:
    nothing = dict.fromkeys(("tau_b", "tau_low", "tau_high", "spearman", "rho_low", "rho_high"))
    section = section_of(two_sets(tmp_path, alike_of(**nothing)))
    assert "Kendall’s τb –, Spearman’s ρ – in recall@5" in " ".join(section.text_content().split())
    assert said(tmp_path, **nothing) == (
        "No agreement can be had of the 2 configurations: one of the two test sets scores them all alike."
    )
    assert said(tmp_path, **nothing, configurations=1) == (
        "Nothing to rank: only one configuration was scored on both test sets."
    )
    assert said(tmp_path, **nothing, configurations=0) == (
        "Nothing to rank: no configuration was scored on both test sets."
    )


def test_a_correlation_without_an_interval_stands_alone(tmp_path: Path) -> None:
    nothing = dict.fromkeys(("tau_low", "tau_high", "rho_low", "rho_high"))
    section = section_of(two_sets(tmp_path, alike_of(**nothing, tau_b=-0.5)))
    assert "Kendall’s τb −0.500, Spearman’s ρ 0.850 in" in " ".join(section.text_content().split())
    assert said(tmp_path, **nothing) == (
        "How surely the two test sets rank the 2 configurations alike is not known, as there is no interval."
    )


def test_a_point_has_its_place_as_number_and_its_means_as_title(tmp_path: Path) -> None:
    section = section_of(two_sets(tmp_path))
    [diagonal] = section.xpath(".//*[@class='diagonal']")
    assert dict(diagonal.attrib) == {"class": "diagonal", "y1": "350", "x2": "350"}
    [first] = section.xpath(".//svg//*[@data-line='1']")
    assert first.xpath("string(title)") == "1. recursive-96: 1.000 on short, 1.000 on long"
    assert first.xpath("string(text)") == "1"
    assert [(dot.get("cx"), dot.get("cy")) for dot in first.xpath("circle")] == [("350.0", "0.0")]


def test_one_dataset_has_no_section_and_no_link_to_it(tmp_path: Path) -> None:
    alone = render_results(tea_results(tmp_path))
    assert 'id="agreement"' not in alone
    assert "#agreement" not in "".join(html.document_fromstring(alone).xpath("//nav//@href"))
    assert "#agreement" in html.document_fromstring(render_results(two_sets(tmp_path))).xpath("//nav//@href")


def test_each_two_of_three_datasets_have_a_plot(tmp_path: Path) -> None:
    found = (alike_of("short", "long"), alike_of("short", "third"), alike_of("long", "third"))
    section = section_of(two_sets(tmp_path, *found))
    assert [title.text_content() for title in section.xpath(".//h3")] == [
        "short and long",
        "short and third",
        "long and third",
    ]


def test_hostile_names_of_datasets_stay_text(tmp_path: Path) -> None:
    page = html.document_fromstring(render_results(two_sets(tmp_path, names=(HOSTILE, "long"))))
    assert not page.xpath("//img")
    assert len(page.xpath("//script")) == 3
    assert page.xpath("string(//section[@id='agreement']//h3)") == f"{HOSTILE} and long"
    # an axis has room for 40 characters
    assert page.xpath("//*[@class='axis']")[0].text == f"{HOSTILE[:39]}…"


def test_a_benchmark_on_two_datasets_has_a_point_for_each_configuration(tmp_path: Path) -> None:
    results = agreeing(sample_results(tmp_path, goldens=16))
    section = section_of(results)
    assert section.xpath("string(.//h3)") == "clocks-single and clocks-multi"
    assert len(section.xpath(".//svg//circle")) == len(section.xpath(".//tbody/tr")) == 12
    assert "on 12 goldens of clocks-single and 4 goldens of clocks-multi" in " ".join(section.text_content().split())
