"""The page in a browser, where there is one: its script runs under its own policy, and its controls do what they say."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from ragset.dataset.report import render_report
from ragset.models import Document
from tests.small_dataset import TEA, chunk_of, corpus_of, golden_of, manifest_of, map_of, multi_of, reject_of

COFFEE = Document.of(
    "Coffee is roasted at 200 °C and more. It cracks when it is ready.", source="coffee.md", title="Coffee"
)

pytestmark = pytest.mark.slow


def page_of(folder: Path) -> str:
    corpus = corpus_of(folder, TEA, COFFEE)
    goldens = [
        golden_of("How hot may green tea be?"),
        golden_of("How long is it steeped?", style="exam"),
        golden_of("When is coffee ready?", "When it cracks.", document=COFFEE),
    ]
    rejects = [reject_of(), reject_of("metadata", detail="A list."), reject_of("links", stage="rules")]
    return render_report(goldens, rejects, manifest_of(corpus, 3), map_of(goldens), corpus)


def multi_page_of(folder: Path) -> str:
    """Goldens of two documents, of one, and of one chunk."""
    corpus = corpus_of(folder, TEA, COFFEE)
    hot, steeped, roasted = chunk_of(TEA, 0, 35), chunk_of(TEA, 36), chunk_of(COFFEE, 0, 37)
    left = [(chunk_of(COFFEE, 38), "relevant", "Nothing about heat.")]
    goldens = [
        multi_of("Which is hotter?", (hot, [(0, 9), (16, 34)]), (roasted, [(0, 27)]), left_out=left),
        multi_of("What keeps tea from bitterness?", (steeped, [(36, 61)]), (hot, [(0, 35)]), shape="aggregation"),
        multi_of("How hot may green tea be?", (hot, [(0, 35)])),
    ]
    manifest = manifest_of(corpus, 3).model_copy(update={"kind": "multi-chunk"})
    return render_report(goldens, [], manifest, map_of(goldens), corpus)


@pytest.fixture
def after(shown: Callable[..., str], tmp_path: Path) -> Callable[..., str]:
    """Gives the page after what a user does, without the policy that forbids any script but its own."""
    helpers = """
        const on = (id) => document.getElementById(id);
        const put = (id, value) => { on(id).value = value; for (const kind of ["input", "change"]) on(id).dispatchEvent(new Event(kind)); };
        const press = (key) => document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
        const click = (selector) => document.querySelector(selector).dispatchEvent(new MouseEvent("click", { bubbles: true }));
    """

    def dom_of(*doings: str, page: str = "") -> str:
        free = re.sub(r"<meta http-equiv[^>]*>", "", page or page_of(tmp_path))
        return shown(free.replace("</body>", f"<script>{helpers}{';'.join(doings)}</script></body>"))

    return dom_of


def open_query(dom: str) -> str:
    found = re.search(r"<h3[^>]*>([^<]*)</h3>", dom)
    return found[1] if found else ""


def test_the_page_opens_without_a_complaint(shown: Callable[..., str], tmp_path: Path) -> None:
    dom = shown(page_of(tmp_path))
    assert open_query(dom) == "How hot may green tea be?"
    assert dom.count("<circle") == 3  # two chunks, and the ring of the golden that is open


def test_a_script_that_is_not_the_pages_own_does_not_run(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    path.write_text(page_of(tmp_path).replace("</body>", "<script>document.title = 'owned'</script></body>"))
    page = browser.new_page()
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.goto(path.as_uri())
    assert page.title() != "owned"
    page.close()
    assert "Content Security Policy" in "".join(complaints)


def test_the_arrow_keys_page_through_the_goldens(after: Callable[..., str]) -> None:
    dom = after("press('ArrowRight')", "press('ArrowRight')", "press('ArrowRight')", "press('ArrowLeft')")
    assert open_query(dom) == "How long is it steeped?"


def test_every_word_that_is_sought_must_be_there(after: Callable[..., str]) -> None:
    dom = after("put('search', 'coffee CRACKS')")
    assert open_query(dom) == "When is coffee ready?"
    assert "1 of 3 goldens" in dom


def test_filters_hold_together(after: Callable[..., str]) -> None:
    assert open_query(after("put('style', 'exam')")) == "How long is it steeped?"
    assert "No golden fits the filters." in after("put('style', 'exam')", "put('search', 'coffee')")


def test_a_golden_on_the_map_opens_when_it_is_chosen_and_filters_that_hide_it_are_lifted(
    after: Callable[..., str],
) -> None:
    dom = after("put('style', 'exam')", "click('circle.golden:nth-of-type(2)')")
    assert open_query(dom) in {"How hot may green tea be?", "When is coffee ready?"}
    assert ">3 goldens<" in dom


def test_rejects_are_sought_and_open_with_their_examples(after: Callable[..., str]) -> None:
    dom = after("put('reject-search', 'a list')", "document.querySelector('#groups details').open = true")
    assert "1 for 1 reason<" in dom
    assert ">A list.</p>" in dom
    assert "2 for 2 reasons<" in after("put('reject-stage', 'judge')")


def text_of(fragment: str) -> str:
    return " ".join(re.sub(r"<[^>]*>", "", fragment).split())


def columns_of(dom: str) -> list[tuple[str, list[str], str]]:
    """Label, marks and source of each chunk that stands beside others."""
    columns = re.findall(
        r'<div class="column"><p class="label">(.*?)</p>(<div.*?</div>)<p class="source">(.*?)</p></div>',
        dom,
        re.DOTALL,
    )
    return [(text_of(label), re.findall(r"<mark>(.*?)</mark>", box), text_of(source)) for label, box, source in columns]


def hidden(dom: str, control: str) -> bool:
    [tag] = re.findall(rf'<select id="{control}"[^>]*>', dom)
    return "hidden" in tag


def test_chunks_stand_side_by_side_with_their_documents_and_quotes(shown: Callable[..., str], tmp_path: Path) -> None:
    dom = shown(multi_page_of(tmp_path))
    assert columns_of(dom) == [
        ("Chunk 1 · Tea", ["Green tea", "bitter above 80 °C"], "tea.md · characters 0–35 · 2 quotes"),
        ("Chunk 2 · Coffee", ["Coffee is roasted at 200 °C"], "coffee.md · characters 0–37 · 1 quote"),
    ]
    assert ">2 chunks of 2 documents</p>" in dom
    assert 'class="around"' not in dom
    assert dom.count('class="ring"') == 2
    assert re.search(r'<path class="joined" d="M[^L]+L[^L]+Z"', dom)


def test_a_second_chunk_of_a_document_tells_how_far_on_it_is_and_names_it_no_more(
    after: Callable[..., str], tmp_path: Path
) -> None:
    dom = after("press('ArrowRight')", page=multi_page_of(tmp_path))
    assert [(label, source) for label, _, source in columns_of(dom)] == [
        ("Chunk 1 · Tea", "tea.md · characters 0–35 · 1 quote"),
        ("Chunk 2 · same document, right after it", "characters 36–61 · 1 quote"),
    ]
    assert ">2 chunks of one document</p>" in dom


def test_one_chunk_among_goldens_of_several_is_shown_as_ever(after: Callable[..., str], tmp_path: Path) -> None:
    dom = after("press('ArrowRight')", "press('ArrowRight')", page=multi_page_of(tmp_path))
    assert columns_of(dom) == []
    assert '<p class="label">Passage · <bdi class="" dir="auto">Tea</bdi></p>' in dom
    assert '<span class="around"> Steep it for two minutes.</span>' in dom
    assert dom.count('class="ring"') == 1


def test_what_was_left_out_of_the_context_is_told(shown: Callable[..., str], tmp_path: Path) -> None:
    dom = shown(multi_page_of(tmp_path))
    [left] = re.findall(r'<details class="left">(.*?)</details>', dom)
    assert text_of(left) == (
        "1 chunk of the context left outCoffee · characters 38–65 · relevant chunksNothing about heat."
    )


def test_goldens_are_filtered_by_kind_and_by_spread(after: Callable[..., str], tmp_path: Path) -> None:
    page = multi_page_of(tmp_path)
    assert open_query(after("put('kind', 'single-chunk')", page=page)) == "How hot may green tea be?"
    across = after("put('spread', 'across')", page=page)
    assert "1 of 3 goldens" in across
    assert open_query(across) == "Which is hotter?"
    assert ">cross-document only</option>" in across


def test_filters_that_distinguish_nothing_are_hidden(shown: Callable[..., str], tmp_path: Path) -> None:
    several = shown(multi_page_of(tmp_path))
    # the style of a golden of several chunks is its shape
    assert [hidden(several, control) for control in ("kind", "spread", "shape")] == [False, False, True]
    single = shown(page_of(tmp_path))
    assert [hidden(single, control) for control in ("kind", "spread", "shape")] == [True, True, True]


# The dot under the ring of a golden of one chunk.
REMEMBER = """
    const place = (circle) => `${circle.getAttribute("cx")} ${circle.getAttribute("cy")}`;
    const dot = [...document.querySelectorAll("circle.golden")].find((one) => place(one) === place(document.querySelector("circle.ring")));
"""
CHOOSE = "dot.dispatchEvent(new MouseEvent('click', { bubbles: true }))"


def test_a_chunk_of_several_goldens_opens_one_after_the_other(after: Callable[..., str], tmp_path: Path) -> None:
    # the chunk on the heat of tea is in all three goldens, and the third is of it alone
    third = ("press('ArrowRight')", "press('ArrowRight')", REMEMBER)
    page = multi_page_of(tmp_path)
    assert open_query(after(*third, CHOOSE, page=page)) == "Which is hotter?"
    assert open_query(after(*third, CHOOSE, CHOOSE, page=page)) == "What keeps tea from bitterness?"
