"""The page as a whole, and in a browser where there is one."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from lxml import html

from ragset.evaluation.results.model import System
from ragset.evaluation.results.report import browser, render_results
from tests.small_results import HOSTILE, compared_of, sample_results, standing_of, tea_results


def words_of(node: Any) -> str:
    return " ".join(node.text_content().split())


def data_of(page: str, part: str) -> Any:
    return json.loads(html.document_fromstring(page).xpath(f"//script[@id='{part}']")[0].text)


def test_the_leaderboard_has_a_row_for_each_configuration_and_says_once_what_does_not_vary(tmp_path: Path) -> None:
    standings = (standing_of("fine", 0.9), standing_of("coarse", 0.5, missing=1))
    page = html.document_fromstring(render_results(tea_results(tmp_path, standings=standings)))
    [section] = page.xpath("//section[@id='leaderboard']")
    assert [words_of(head) for head in section.xpath(".//thead//th")] == ["#", "Chunking", "recall@5", "Chunks"]
    assert [[words_of(cell) for cell in row] for row in section.xpath(".//tbody/tr")] == [
        ["1", "recursive-96", "0.9000.800–1.000", "2"],
        ["2", "token-800", "0.5000.400–0.600 1 not judged", "1"],
    ]
    assert "All have embedding offline-512, retrieval dense." in words_of(section)


def test_ties_are_marked_in_the_leaderboard(tmp_path: Path) -> None:
    standings = (standing_of("fine", 0.9), standing_of("coarse", 0.5, tied=True))
    page = html.document_fromstring(render_results(tea_results(tmp_path, standings=standings)))
    assert len(page.xpath("//tr[@class='tie']")) == 2
    assert not re.search(r"\bbest of\b", words_of(page.xpath("//header")[0]))


def test_the_differences_are_told_with_their_corrected_p(tmp_path: Path) -> None:
    results = tea_results(
        tmp_path, comparisons=(compared_of("coarse", "fine", -0.5, p=0.0004).model_copy(update={"smallest": 0.31}),)
    )
    [row] = html.document_fromstring(render_results(results)).xpath(
        "//*[contains(@class, 'forest')]//*[@class='row worse']"
    )
    assert words_of(row) == "2token-800 −0.500 (−0.600 to −0.400)could show 0.310p < 0.001"


def test_hostile_text_stays_data(tmp_path: Path) -> None:
    results = sample_results(tmp_path, goldens=8)
    systems = (results.systems[0].model_copy(update={"chunking": HOSTILE}), *results.systems[1:])
    odd: dict[str, Any] = {"systems": systems, "name": HOSTILE, "datasets": (HOSTILE,), "versions": {HOSTILE: HOSTILE}}
    page = render_results(type(results)(**{**vars(results), **odd}))
    tree = html.document_fromstring(page)
    assert len(tree.xpath("//script")) == 3
    assert not tree.xpath("//img | //iframe | //object | //embed | //link | //base | //form")
    assert not [name for node in tree.iter() if isinstance(node.tag, str) for name in node.attrib if name[:2] == "on"]
    assert data_of(page, "data")["goldens"][0]["query"] == HOSTILE
    assert HOSTILE in {one["label"].partition(" · ")[0] for one in data_of(page, "runs")["configurations"]}


def test_nothing_is_fetched(tmp_path: Path) -> None:
    page = render_results(sample_results(tmp_path, goldens=8, hostile="See https://example.org/x.js"))
    tree = html.document_fromstring(page)
    links = [
        value
        for node in tree.iter()
        if isinstance(node.tag, str)
        for name, value in node.attrib.items()
        if name in {"src", "href", "action", "srcset", "data", "xlink:href"}
    ]
    assert links
    assert all(link.startswith("#") for link in links)
    style = "".join(node.text for node in tree.xpath("//style"))
    assert not re.search(r"url\((?!#)|@import", style)
    script = tree.xpath("//script[not(@id)]")[0].text
    assert not re.search(
        r"\b(?:fetch|XMLHttpRequest|WebSocket|import|innerHTML|eval|insertAdjacentHTML|https?)\b", script
    )
    [policy] = tree.xpath("//meta[@http-equiv='Content-Security-Policy']/@content")
    assert policy.startswith("default-src 'none'")


def test_the_same_results_give_the_same_page(tmp_path: Path) -> None:
    assert render_results(sample_results(tmp_path, goldens=6)) == render_results(sample_results(tmp_path, goldens=6))


def test_results_without_goldens_have_a_page(tmp_path: Path) -> None:
    empty: dict[str, Any] = {"goldens": (), "runs": {}, "standings": (), "scores": tea_results(tmp_path).scores.head(0)}
    page = html.document_fromstring(render_results(tea_results(tmp_path, **empty)))
    assert "Nothing could be judged." in words_of(page.xpath("//*[@class='verdict']")[0])


def test_somebody_elses_system_goes_by_its_name(tmp_path: Path) -> None:
    systems = (System(name="theirs"), *tea_results(tmp_path).systems)
    standings = (standing_of("theirs", 0.9), standing_of("fine", 0.5), standing_of("coarse", 0.4))
    page = html.document_fromstring(render_results(tea_results(tmp_path, systems=systems, standings=standings)))
    assert words_of(page.xpath("//*[@class='said']")[0]) == "theirs is the best of 3 configurations."
    assert page.xpath("string(//section[@id='leaderboard']//tbody/tr[1]/th)") == "theirs"


def test_a_page_that_would_be_too_large_says_what_it_leaves_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    results = sample_results(tmp_path, goldens=8)
    assert "Left out" not in render_results(results)
    monkeypatch.setattr("ragset.evaluation.results.report.LARGEST", 60_000)
    page = render_results(results)
    assert "Left out, as the page would be too large: passages beyond the first" in page
    assert data_of(page, "runs")["most"] < browser.MOST_HITS[0]


@pytest.fixture
def opened(shown: Callable[..., str]) -> Callable[..., Any]:
    """Gives the page as it stands after its script and after what a user does; the latter without its policy."""

    def tree_of(page: str, *doings: str) -> Any:
        if doings:
            setup = """
                const on = (id) => document.getElementById(id);
                const put = (id, value) => { on(id).value = value; for (const kind of ["input", "change"]) on(id).dispatchEvent(new Event(kind)); };
                const click = (selector) => document.querySelector(selector).dispatchEvent(new MouseEvent("click", { bubbles: true }));
            """
            page = re.sub(r"<meta http-equiv[^>]*>", "", page)
            page = page.replace("</body>", f"<script>{setup}{';'.join(doings)}</script></body>")
        return html.document_fromstring(shown(page))

    return tree_of


@pytest.mark.slow
def test_a_browser_shows_the_first_golden_and_runs_nothing_of_what_it_says(
    opened: Callable[..., Any], tmp_path: Path
) -> None:
    tree = opened(render_results(sample_results(tmp_path, goldens=8)))
    assert len(tree.xpath("//script")) == 3
    assert not tree.xpath("//img")
    assert tree.xpath("string(//article//h3)") == HOSTILE
    assert len(tree.xpath("//ol[@id='list']/li")) == 8
    assert len(tree.xpath("//*[contains(@class, 'wins')]//tbody/tr")) == 12


@pytest.mark.slow
def test_a_browser_shows_what_a_configuration_retrieved_with_gold_marked(
    opened: Callable[..., Any], tmp_path: Path
) -> None:
    hot, _ = tea_results(tmp_path).goldens
    page = render_results(tea_results(tmp_path, answers={"fine": {hot.id: "Not above 80 °C."}}))
    tree = opened(page)
    first, second = tree.xpath("//ol[@class='hits']/li")
    assert words_of(
        first
    ) == "1Teascore 0.9relevant Green tea turns bitter above 80 °C. tea.md · characters 0–35".replace(
        "relevant Green", "relevantGreen"
    ).replace("°C. tea", "°C.tea")
    assert [mark.text_content() for mark in first.xpath(".//mark")] == ["Green tea turns bitter above 80 °C."]
    assert not second.xpath(".//mark")
    assert [words_of(node) for node in tree.xpath("//*[@class='answers two']//*[@class='answer']")] == [
        "80 °C",
        "Not above 80 °C.",
    ]


@pytest.mark.slow
def test_a_browser_filters_by_disagreement_and_shows_a_run_without_the_query(
    opened: Callable[..., Any], tmp_path: Path
) -> None:
    page = render_results(tea_results(tmp_path))
    tree = opened(page, "put('which', 'disagree')", "document.querySelectorAll('.wins button')[1].click()")
    assert tree.xpath("string(//article//h3)") == "How long is it steeped?"
    assert tree.xpath("string(//*[@id='found'])") == "1 of 2 goldens"
    assert "gave nothing for this query" in words_of(tree.xpath("//article")[0])
    [first, second] = [words_of(row) for row in tree.xpath("//*[contains(@class, 'wins')]//tbody/tr")]
    assert "loss −1.000" in second
    assert "missed" in second
    assert "loss" not in first


@pytest.mark.slow
def test_a_browser_sorts_a_table_by_the_head_that_is_chosen(opened: Callable[..., Any], tmp_path: Path) -> None:
    page = render_results(tea_results(tmp_path))
    rows = "//section[@id='leaderboard']//tbody/tr/td[1]"
    by_chunks = [words_of(cell) for cell in opened(page, "click('.board th:nth-child(4) button')").xpath(rows)]
    assert by_chunks == ["1", "2"]
    twice = ["click('.board th:nth-child(4) button')"] * 2
    assert [words_of(cell) for cell in opened(page, *twice).xpath(rows)] == ["2", "1"]
