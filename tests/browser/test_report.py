"""Reports as a person reads them: both pages opened from disk, clicked through, typed into."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from ragset.dataset.report import render_report
from ragset.evaluation.effect.measure import measure_effect
from ragset.evaluation.effect.report import render_effect
from ragset.evaluation.results.report import render_results
from ragset.models import Document
from tests.effect_samples import documents_of, evaluation_set_of, golden_at, run_with
from tests.small_dataset import TEA, chunk_of, corpus_of, golden_of, manifest_of, map_of, reject_of
from tests.small_results import HOSTILE, tea_results

Open = Callable[[str], Page]
BELLS = 203
"""Goldens: a page of the list holds 200."""


def bell(number: int) -> str:
    return f"Bell {number:03} rang {number + 2} times at noon."


TOWER = Document.of(" ".join(bell(number) for number in range(BELLS)), source="tower.md", title="The tower")


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("dataset")
    places = [TOWER.text.index(bell(number)) for number in range(BELLS)]
    goldens = [
        golden_of(
            HOSTILE if number == 2 else f"How often did bell {number:03} ring?",
            f"{number + 2} times",
            document=TOWER,
            # The evidence ends before the full stop; the chunk takes the next bell in.
            evidence=((start, start + len(bell(number)) - 1),),
            chunk=chunk_of(TOWER, start, min(start + 2 * len(bell(number)), len(TOWER.text))),
        )
        for number, start in enumerate(places)
    ]
    rejects = [
        *(reject_of(detail=f"Opens with It, number {number}.") for number in range(3)),
        reject_of("not_grounded", stage="critique", detail="The year is nowhere in the passage."),
        reject_of("not_relevant", stage="critique", detail="Nobody asks about rust."),
    ]
    corpus = corpus_of(folder, TOWER, TEA)
    page = render_report(goldens, rejects, manifest_of(corpus, BELLS), map_of(goldens), corpus)
    path = folder / "report.html"
    path.write_text(page, encoding="utf-8")
    return path.as_uri()


@pytest.fixture
def results(tmp_path: Path) -> str:
    path = tmp_path / "report.html"
    path.write_text(render_results(tea_results(tmp_path)), encoding="utf-8")
    return path.as_uri()


def chosen(page: Page) -> Locator:
    return page.get_by_role("article", name="The golden chosen")


def listed(page: Page) -> Locator:
    return page.get_by_role("list", name="Queries").get_by_role("listitem")


def test_goldens_are_paged_through_by_button_key_and_list(open_alone: Open, dataset: str) -> None:
    page = open_alone(dataset)
    expect(page.get_by_role("heading", level=1)).to_have_text("203 goldens from teas")
    golden = chosen(page)
    expect(golden).to_contain_text("1 of 203")
    golden.get_by_role("button", name="Next golden").click()
    expect(golden).to_contain_text("2 of 203")
    expect(golden.get_by_role("heading")).to_have_text("How often did bell 001 ring?")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(golden.get_by_role("heading")).to_have_text("How often did bell 003 ring?")
    golden.get_by_role("button", name="Previous golden").click()
    # A query that would be markup is text, and runs nothing.
    expect(golden.get_by_role("heading")).to_have_text(HOSTILE)
    page.get_by_role("button", name="Show 3 more").click()
    expect(listed(page)).to_have_count(203)
    listed(page).last.get_by_role("button").click()
    expect(golden).to_contain_text("203 of 203")
    expect(golden.get_by_role("button", name="Next golden")).to_be_disabled()


def test_a_search_leaves_what_fits_and_says_how_many(open_alone: Open, dataset: str) -> None:
    page = open_alone(dataset)
    search = page.get_by_role("searchbox", name="Search goldens")
    found = page.get_by_role("region", name="Goldens", exact=True).get_by_role("status")
    search.fill("IMG onerror")
    expect(found).to_have_text("1 of 203 goldens")
    expect(listed(page)).to_have_count(1)
    expect(chosen(page).get_by_role("heading")).to_have_text(HOSTILE)
    search.fill("no such word")
    expect(chosen(page)).to_have_text("No golden fits the filters.")
    search.fill("")
    expect(found).to_have_text("203 goldens")


def test_the_evidence_of_a_golden_is_marked_in_its_passage(open_alone: Open, dataset: str) -> None:
    page = open_alone(dataset)
    listed(page).filter(has_text="bell 005").get_by_role("button").click()
    golden = chosen(page)
    expect(golden.get_by_text("7 times", exact=True)).to_be_visible()
    passage = golden.get_by_role("group", name="Passage with its evidence marked")
    expect(passage.locator("mark")).to_have_text("Bell 005 rang 7 times at noon")
    expect(passage).to_contain_text("Bell 006")
    expect(golden).to_contain_text("tower.md")
    # The address names the golden: opened anew it is there again.
    again = open_alone(dataset)
    again.evaluate("address => { location.hash = address }", page.evaluate("location.hash"))
    expect(chosen(again).get_by_role("heading")).to_have_text("How often did bell 005 ring?")


def test_rejects_are_filtered_by_stage_and_reason(open_alone: Open, dataset: str) -> None:
    page = open_alone(dataset)
    rejects = page.get_by_role("region", name="Rejects by reason")
    found = rejects.get_by_role("status")
    expect(found).to_have_text("5 for 3 reasons")
    rejects.get_by_role("combobox", name="Stage").select_option("critique")
    expect(found).to_have_text("2 for 2 reasons")
    expect(rejects.get_by_text("not self contained")).to_have_count(0)
    rejects.get_by_text("not grounded").click()
    expect(rejects.get_by_text("The year is nowhere in the passage.")).to_be_visible()
    rejects.get_by_role("combobox", name="Stage").select_option("")
    rejects.get_by_role("searchbox", name="Search rejects").fill("self contained")
    expect(found).to_have_text("3 for 1 reason")
    rejects.get_by_text("not self contained").click()
    expect(rejects.get_by_text("Opens with It, number 2.")).to_be_visible()
    rejects.get_by_role("searchbox", name="Search rejects").fill("rust")
    expect(found).to_have_text("1 for 1 reason")
    expect(rejects.get_by_text("not relevant")).to_be_visible()


def test_the_leaderboard_is_sorted_by_the_head_that_is_chosen(open_alone: Open, results: str) -> None:
    page = open_alone(results)
    board = page.get_by_role("region", name="Leaderboard")
    first = board.get_by_role("row").nth(1)
    head = board.get_by_role("columnheader", name="recall@5")
    expect(first).to_contain_text("1.000")
    head.get_by_role("button").click()
    expect(head).to_have_attribute("aria-sort", "descending")
    expect(first).to_contain_text("1.000")
    head.get_by_role("button").click()
    expect(head).to_have_attribute("aria-sort", "ascending")
    expect(first).to_contain_text("0.500")


def test_a_query_shows_what_each_configuration_retrieved(open_alone: Open, results: str) -> None:
    page = open_alone(results)
    queries = page.get_by_role("region", name="Query by query")
    queries.get_by_role("combobox", name="Which goldens").select_option("where configurations disagree")
    expect(queries.get_by_role("status")).to_have_text("1 of 2 goldens")
    golden = chosen(page)
    expect(golden.get_by_role("heading", name="How long is it steeped?")).to_be_visible()
    # The best one has the evidence first.
    found = golden.get_by_role("group", name="Passage at rank 1")
    expect(found.locator("mark")).to_have_text("Steep it for two minutes.")
    golden.get_by_role("row").filter(has_text="loss").get_by_role("button").click()
    expect(golden).to_contain_text("This configuration gave nothing for this query: it scores 0.")
    queries.get_by_role("combobox", name="Which goldens").select_option("all goldens")
    golden.get_by_role("button", name="Previous golden").click()
    expect(golden.get_by_role("heading", name="How hot may green tea be?")).to_be_visible()


def test_the_page_of_an_effect_opens_passages_without_a_script(open_alone: Open, tmp_path: Path) -> None:
    documents = documents_of(7)
    measured_on = evaluation_set_of(tmp_path, [golden_at(one, 3) for one in documents], documents)
    effect = measure_effect(measured_on, run_with(measured_on, 2), run_with(measured_on, 1), changed="adapter")
    path = tmp_path / "report.html"
    path.write_text(render_effect(effect, HOSTILE, {}), encoding="utf-8")
    page = open_alone(path.as_uri())
    expect(page.get_by_role("note")).to_contain_text("The adapter helps.")
    first = page.locator("#queries li").first
    expect(first.get_by_text("First before")).to_be_hidden()
    first.get_by_text("Passages").click()
    expect(first.get_by_text("Clock 0 has wheel  3 of brass.").first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 1400
