"""The page in a browser, where there is one: its script runs under its own policy, and its controls do what they say."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from ragset.models import Document
from ragset.report import render_report
from tests.small_dataset import TEA, corpus_of, golden_of, manifest_of, map_of, reject_of

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


def after(folder: Path, *doings: str) -> str:
    """The page after what a user does, without the policy that forbids any script but its own."""
    free = re.sub(r"<meta http-equiv[^>]*>", "", page_of(folder))
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
