from pathlib import Path
from typing import Any

from lxml import html

from ragset.evaluation.results.facts import DatasetAgreement
from ragset.evaluation.results.model import Results
from ragset.evaluation.results.report import render_results
from tests.small_results import HOSTILE, alike_of, in_datasets, tea_results


def two_sets(folder: Path, *found: DatasetAgreement, names: tuple[str, str] = ("short", "long")) -> Results:
    """On the first dataset `fine` has 1 and `coarse` 1, on the second 1 and 0."""
    goldens = in_datasets(tea_results(folder).goldens, *names)
    return tea_results(folder, goldens=goldens, datasets=names, agreements=found or (alike_of(*names),))


def section_of(results: Results) -> Any:
    return html.document_fromstring(render_results(results)).xpath("//section[@id='agreement']")[0]


def said(folder: Path, **changes: Any) -> str:
    section = section_of(two_sets(folder, alike_of(**changes)))
    return " ".join(section.xpath("string(.//p[@class='said'])").split())


def test_agreement_in_words(tmp_path: Path) -> None:
    words = " ".join(section_of(two_sets(tmp_path)).text_content().split())
    assert (
        "The two test sets rank the 2 configurations alike. Kendall’s τb 0.800 (0.600 to 0.900), "
        "Spearman’s ρ 0.850 (0.650 to 0.950) in recall@5."
    ) in words


def test_less_agreement_in_words(tmp_path: Path) -> None:
    assert said(tmp_path, tau_low=0.501) == "The two test sets rank the 2 configurations alike."
    assert said(tmp_path, tau_low=0.5) == said(tmp_path, tau_low=0.001)
    assert said(tmp_path, tau_low=0.2) == "The two test sets rank the 2 configurations partly alike."
    assert said(tmp_path, tau_low=-0.2) == (
        "The two test sets are not seen to rank the 2 configurations alike: "
        "the data do not tell their agreement from none."
    )
    assert said(tmp_path, tau_low=0.0) == said(tmp_path, tau_low=-0.3, tau_high=0.0) == said(tmp_path, tau_low=-0.2)
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


def test_one_dataset_has_no_section_and_no_link_to_it(tmp_path: Path) -> None:
    alone = render_results(tea_results(tmp_path))
    assert 'id="agreement"' not in alone
    assert "#agreement" not in "".join(html.document_fromstring(alone).xpath("//nav//@href"))
    assert "#agreement" in html.document_fromstring(render_results(two_sets(tmp_path))).xpath("//nav//@href")


def test_each_two_of_three_datasets_are_compared(tmp_path: Path) -> None:
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
