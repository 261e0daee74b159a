"""The page in a browser, where there is one: its script runs under its own policy, and its controls do what they say."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from ragset.dataset.report import render_report
from ragset.models import Document
from tests.small_dataset import TEA, chunk_of, corpus_of, golden_of, manifest_of, map_of, multi_of, reject_of

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
COFFEE = Document.of(
    "Coffee is roasted at 200 °C and more. It cracks when it is ready.", source="coffee.md", title="Coffee"
)

pytestmark = [pytest.mark.slow, pytest.mark.skipif(BROWSER is None, reason="there is no browser")]


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


def opened(folder: Path, html: str) -> tuple[str, str]:
    """The page as it stands after its script, and what the browser complained of."""
    page = folder / "report.html"
    page.write_text(html, encoding="utf-8")
    command = [
        str(BROWSER),
        *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"),
        *("--disable-background-networking", "--disable-component-update", f"--user-data-dir={folder / 'profile'}"),
        *("--enable-logging=stderr", "--virtual-time-budget=2000", "--dump-dom", page.as_uri()),
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    return done.stdout, "\n".join(line for line in done.stderr.splitlines() if "CONSOLE" in line)


def after(folder: Path, *doings: str, page: str = "") -> str:
    """The page after what a user does, without the policy that forbids any script but its own."""
    free = re.sub(r"<meta http-equiv[^>]*>", "", page or page_of(folder))
    helpers = """
        const on = (id) => document.getElementById(id);
        const put = (id, value) => { on(id).value = value; for (const kind of ["input", "change"]) on(id).dispatchEvent(new Event(kind)); };
        const press = (key) => document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
        const click = (selector) => document.querySelector(selector).dispatchEvent(new MouseEvent("click", { bubbles: true }));
    """
    dom, complaints = opened(folder, free.replace("</body>", f"<script>{helpers}{';'.join(doings)}</script></body>"))
    assert complaints == ""
    return dom


def open_query(dom: str) -> str:
    found = re.search(r"<h3[^>]*>([^<]*)</h3>", dom)
    return found[1] if found else ""


def test_the_page_opens_without_a_complaint(tmp_path: Path) -> None:
    dom, complaints = opened(tmp_path, page_of(tmp_path))
    assert complaints == ""
    assert open_query(dom) == "How hot may green tea be?"
    assert dom.count("<circle") == 3  # two chunks, and the ring of the golden that is open


def test_a_script_that_is_not_the_pages_own_does_not_run(tmp_path: Path) -> None:
    dom, complaints = opened(
        tmp_path, page_of(tmp_path).replace("</body>", "<script>document.title = 'owned'</script></body>")
    )
    assert "<title>owned" not in dom
    assert "Content Security Policy" in complaints


def test_the_arrow_keys_page_through_the_goldens(tmp_path: Path) -> None:
    dom = after(tmp_path, "press('ArrowRight')", "press('ArrowRight')", "press('ArrowRight')", "press('ArrowLeft')")
    assert open_query(dom) == "How long is it steeped?"


def test_every_word_that_is_sought_must_be_there(tmp_path: Path) -> None:
    dom = after(tmp_path, "put('search', 'coffee CRACKS')")
    assert open_query(dom) == "When is coffee ready?"
    assert "1 of 3 goldens" in dom


def test_filters_hold_together(tmp_path: Path) -> None:
    assert open_query(after(tmp_path, "put('style', 'exam')")) == "How long is it steeped?"
    assert "No golden fits the filters." in after(tmp_path, "put('style', 'exam')", "put('search', 'coffee')")


def test_a_golden_on_the_map_opens_when_it_is_chosen_and_filters_that_hide_it_are_lifted(tmp_path: Path) -> None:
    dom = after(tmp_path, "put('style', 'exam')", "click('circle.golden:nth-of-type(2)')")
    assert open_query(dom) in {"How hot may green tea be?", "When is coffee ready?"}
    assert ">3 goldens<" in dom


def test_rejects_are_sought_and_open_with_their_examples(tmp_path: Path) -> None:
    dom = after(tmp_path, "put('reject-search', 'a list')", "document.querySelector('#groups details').open = true")
    assert "1 for 1 reason<" in dom
    assert ">A list.</p>" in dom
    assert "2 for 2 reasons<" in after(tmp_path, "put('reject-stage', 'judge')")


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


def test_chunks_stand_side_by_side_with_their_documents_and_quotes(tmp_path: Path) -> None:
    dom, complaints = opened(tmp_path, multi_page_of(tmp_path))
    assert complaints == ""
    assert columns_of(dom) == [
        ("Chunk 1 · Tea", ["Green tea", "bitter above 80 °C"], "tea.md · characters 0–35 · 2 quotes"),
        ("Chunk 2 · Coffee", ["Coffee is roasted at 200 °C"], "coffee.md · characters 0–37 · 1 quote"),
    ]
    assert ">2 chunks of 2 documents</p>" in dom
    assert 'class="around"' not in dom
    assert dom.count('class="ring"') == 2
    assert re.search(r'<path class="joined" d="M[^L]+L[^L]+Z"', dom)


def test_a_second_chunk_of_a_document_tells_how_far_on_it_is_and_names_it_no_more(tmp_path: Path) -> None:
    dom = after(tmp_path, "press('ArrowRight')", page=multi_page_of(tmp_path))
    assert [(label, source) for label, _, source in columns_of(dom)] == [
        ("Chunk 1 · Tea", "tea.md · characters 0–35 · 1 quote"),
        ("Chunk 2 · same document, right after it", "characters 36–61 · 1 quote"),
    ]
    assert ">2 chunks of one document</p>" in dom


def test_one_chunk_among_goldens_of_several_is_shown_as_ever(tmp_path: Path) -> None:
    dom = after(tmp_path, "press('ArrowRight')", "press('ArrowRight')", page=multi_page_of(tmp_path))
    assert columns_of(dom) == []
    assert '<p class="label">Passage · <bdi class="" dir="auto">Tea</bdi></p>' in dom
    assert '<span class="around"> Steep it for two minutes.</span>' in dom
    assert dom.count('class="ring"') == 1


def test_what_was_left_out_of_the_context_is_told(tmp_path: Path) -> None:
    dom, _ = opened(tmp_path, multi_page_of(tmp_path))
    [left] = re.findall(r'<details class="left">(.*?)</details>', dom)
    assert text_of(left) == (
        "1 chunk of the context left outCoffee · characters 38–65 · relevant chunksNothing about heat."
    )


def test_goldens_are_filtered_by_kind_and_by_spread(tmp_path: Path) -> None:
    page = multi_page_of(tmp_path)
    assert open_query(after(tmp_path, "put('kind', 'single-chunk')", page=page)) == "How hot may green tea be?"
    across = after(tmp_path, "put('spread', 'across')", page=page)
    assert "1 of 3 goldens" in across
    assert open_query(across) == "Which is hotter?"
    assert ">cross-document only</option>" in across


def test_filters_that_distinguish_nothing_are_hidden(tmp_path: Path) -> None:
    several, _ = opened(tmp_path, multi_page_of(tmp_path))
    # the style of a golden of several chunks is its shape
    assert [hidden(several, control) for control in ("kind", "spread", "shape")] == [False, False, True]
    single, _ = opened(tmp_path, page_of(tmp_path))
    assert [hidden(single, control) for control in ("kind", "spread", "shape")] == [True, True, True]


# The dot under the ring of a golden of one chunk.
REMEMBER = """
    const place = (circle) => `${circle.getAttribute("cx")} ${circle.getAttribute("cy")}`;
    const dot = [...document.querySelectorAll("circle.golden")].find((one) => place(one) === place(document.querySelector("circle.ring")));
"""
CHOOSE = "dot.dispatchEvent(new MouseEvent('click', { bubbles: true }))"


def test_a_chunk_of_several_goldens_opens_one_after_the_other(tmp_path: Path) -> None:
    # the chunk on the heat of tea is in all three goldens, and the third is of it alone
    third = ("press('ArrowRight')", "press('ArrowRight')", REMEMBER)
    page = multi_page_of(tmp_path)
    assert open_query(after(tmp_path, *third, CHOOSE, page=page)) == "Which is hotter?"
    assert open_query(after(tmp_path, *third, CHOOSE, CHOOSE, page=page)) == "What keeps tea from bitterness?"
