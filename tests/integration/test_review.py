"""The review page in a browser, against the command that serves it."""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, expect

from ragset.dataset.review.file import read_reviews
from ragset.dataset.review.order import change_plan
from ragset.dataset.review.records import Review, standing
from ragset.models import Document
from tests.integration.service import OTHERS, ROOT, first_of_free_ports
from tests.small_dataset import chunk_of, corpus_of, golden_of, write_small
from tests.small_results import HOSTILE

pytestmark = [pytest.mark.slow, pytest.mark.service]

# Characters of one, two and four UTF-16 units: an accent on a letter of its own, a flag, a family of three joined people.
BELLS = Document.of(
    "🔔 The x\u0301-bell rings at noon. 👨‍👩‍👧 A 🇨🇭 watch is wound at night. The 𝔅-clock strikes twelve. <b>No bell</b> is silent.",
    source="bells.md",
    title=HOSTILE,
)
QUERIES = 6


class Served:
    """A dataset, and the command that serves its review."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "set"
        self._home = folder / "home"
        self._port = first_of_free_ports(1)
        self._process: subprocess.Popen[str] | None = None
        start = BELLS.text.index("The x")
        end = BELLS.text.index(" 👨")
        goldens = [
            golden_of(
                HOSTILE if number == 3 else f"When does bell {number} ring?",
                "At noon.",
                document=BELLS,
                evidence=((start, end),),
                chunk=chunk_of(BELLS, start, end),
            )
            for number in range(QUERIES)
        ]
        write_small(self.folder, corpus_of(folder, BELLS), goldens)
        self.link = ""

    def start(self) -> None:
        """As a user types it; returns when the link is printed."""
        inherited = {name: value for name, value in os.environ.items() if not name.startswith(OTHERS)}
        env = {**inherited, "RAGSET_HOME": str(self._home), "PYTHONUNBUFFERED": "1"}
        command = [sys.executable, "-m", "flows", "review", str(self.folder), "--port", str(self._port)]
        self._process = subprocess.Popen(command, cwd=ROOT, env=env, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        self.link = next(line.strip() for line in self._process.stdout if "http://" in line)

    def end(self, number: int = signal.SIGTERM) -> int:
        """The exit code."""
        assert self._process is not None
        self._process.send_signal(number)
        code = self._process.wait(60)
        assert self._process.stdout is not None
        self._process.stdout.close()
        return code

    @property
    def judgements(self) -> tuple[Review, ...]:
        """Those that count."""
        return tuple(one for one in standing(read_reviews(self.folder).lines, "golden") if one.judged)


@pytest.fixture
def served(tmp_path: Path) -> Generator[Served]:
    served = Served(tmp_path)
    served.start()
    yield served
    assert served.end() == 0


Reviewer = Callable[[str], Page]


@pytest.fixture
def reviewer(browser: Browser, served: Served) -> Generator[Reviewer]:
    """A person at a browser of their own, who has read the guideline."""
    faults: list[str] = []
    contexts: list[Any] = []

    def check_message(message: ConsoleMessage) -> None:
        # The browser itself writes that a request failed.
        if message.type in {"error", "warning"} and "ERR_" not in message.text:
            faults.append(message.text)

    def came(name: str) -> Page:
        contexts.append(browser.new_context(viewport={"width": 1280, "height": 860}))
        page = contexts[-1].new_page()
        page.on("console", check_message)
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.goto(served.link)
        page.get_by_label("Your name").fill(name)
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", name="Would you keep")).to_be_visible()
        page.keyboard.press("Enter")
        expect(page.get_by_role("button", name="Good", exact=False)).to_be_visible()
        return page

    yield came
    for context in contexts:
        context.close()
    assert faults == []


def query_of(page: Page) -> str:
    return page.locator("h1").inner_text()


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def go_on(page: Page, *keys: str) -> str:
    """Press the keys, and return the query of the item that comes then."""
    before = query_of(page)
    press(page, *keys)
    expect(page.locator("h1")).not_to_have_text(before)
    return query_of(page)


def saved(page: Page) -> None:
    expect(page.locator("#saved")).to_have_text("All saved")


def select(page: Page, text: str) -> None:
    """As a mouse does it: the selection of the browser covers this text."""
    page.evaluate(
        """text => {
            const walker = document.createTreeWalker(document.querySelector(".passage"), NodeFilter.SHOW_TEXT);
            for (let node = walker.nextNode(); node; node = walker.nextNode()) {
                const at = node.data.indexOf(text);
                if (at >= 0) getSelection().setBaseAndExtent(node, at, node, at + text.length);
            }
        }""",
        text,
    )


def test_everything_is_done_by_keys(served: Served, reviewer: Reviewer) -> None:
    page = reviewer("Anna")
    second = go_on(page, "g")
    expect(page.locator("#last")).to_contain_text("groundedness 5 of 5")
    press(page, "b", "2", "4", "2", "5")
    expect(page.get_by_role("group", name="Reasons").get_by_role("button", pressed=True)).to_have_count(2)
    third = go_on(page, "Enter")
    press(page, "b", "9")  # other: the note has the focus, and is needed
    press(page, "Enter")
    assert query_of(page) == third
    page.keyboard.type("gbsu says nothing")
    go_on(page, "Enter")
    press(page, "e", "End")
    page.keyboard.type(" Twice?")
    press(page, "Escape")
    go_on(page, "g")
    skipped = query_of(page)
    go_on(page, "s")
    saved(page)
    good, bad, other, edited = served.judgements
    assert (good.verdict, good.reasons, good.edit) == ("good", (), None)
    assert (bad.verdict, bad.reasons) == ("bad", ("evidence_insufficient", "not_worth_asking"))
    assert (other.reasons, other.note) == (("other",), "gbsu says nothing")
    assert edited.edit is not None
    assert edited.edit.query is not None
    assert edited.edit.query.endswith(" Twice?")
    # Back to the second: its judgement is shown with the critic's opinion, is undone, and is made anew.
    go_on(page, "ArrowLeft")
    assert go_on(page, "ArrowLeft") == third
    assert go_on(page, "ArrowLeft") == second
    expect(page.locator(".question .critic")).to_contain_text("clarity 5 of 5")
    expect(page.get_by_role("button", name="Bad")).to_have_attribute("aria-pressed", "true")
    press(page, "u")
    expect(page.locator(".question .critic")).to_have_count(0)
    go_on(page, "g")
    saved(page)
    assert [one.verdict for one in served.judgements] == ["good", "bad", "good", "good"]
    press(page, "g")  # the sixth
    expect(page.get_by_role("heading", name="Nothing more for now")).to_be_visible()
    page.get_by_role("button", name="Show 1 skipped item again").press("Enter")
    expect(page.get_by_role("heading", name=skipped)).to_be_visible()
    press(page, "g")
    expect(page.get_by_role("heading", name="All done")).to_be_visible()
    saved(page)
    assert len(served.judgements) == QUERIES


def test_spans_are_exact_over_emoji_joined_and_combining_characters(served: Served, reviewer: Reviewer) -> None:
    page = reviewer("Anna")
    marks = page.locator(".passage mark")
    expect(marks).to_have_text("The x\u0301-bell rings at noon.")
    # By keys: from the evidence one sentence on, without its full stop; its start a character on and back.
    press(page, "m", "ArrowDown")
    expect(page.locator("#marking")).to_contain_text("characters marked")
    press(page, "ArrowLeft", "Control+Shift+ArrowRight", "Control+Shift+ArrowLeft", "Enter")
    # By the mouse, with a blank at the end, which is not taken.
    select(page, "𝔅-clock strikes ")
    press(page, "a")
    expect(page.locator(".marked.equivalents")).to_contain_text("𝔅-clock strikes")
    press(page, "g")
    saved(page)
    (review,) = served.judgements
    assert review.edit is not None
    texts = {
        field: [BELLS.text[span.start : span.end] for span in spans]
        for field, spans in (("evidence", review.edit.evidence), ("equivalents", review.edit.equivalents))
        if spans
    }
    assert texts == {
        "evidence": ["The x\u0301-bell rings at noon.", "👨‍👩‍👧 A 🇨🇭 watch is wound at night"],
        "equivalents": ["𝔅-clock strikes"],
    }
    # Removed again: of the evidence what the selection touches.
    press(page, "ArrowLeft", "m", "x", "g")
    saved(page)
    (review,) = served.judgements
    assert review.edit is not None
    assert review.edit.evidence is not None
    assert [BELLS.text[span.start : span.end] for span in review.edit.evidence] == [
        "👨‍👩‍👧 A 🇨🇭 watch is wound at night"
    ]
    # Without evidence it cannot be good.
    press(page, "ArrowLeft", "m", "x")
    expect(page.get_by_role("button", name="Good")).to_be_disabled()


def test_what_is_judged_while_the_server_is_gone_is_kept_through_a_reload(served: Served, reviewer: Reviewer) -> None:
    page = reviewer("Anna")
    with page.expect_response("**/api/next"):  # the item after the next one
        press(page, "g")
    saved(page)
    assert served.end(signal.SIGKILL) == -signal.SIGKILL
    judged = [query_of(page)]
    judged.append(go_on(page, "b", "1", "Enter"))  # it was fetched ahead
    expect(page.locator("#saved")).to_have_text("1 judgement kept in this browser, not yet saved")
    press(page, "g")
    expect(page.locator("#saved")).to_have_text("2 judgements kept in this browser, not yet saved")
    page.close()  # the laptop is closed, and opened again when the server is back
    served.start()
    page = page.context.new_page()
    page.goto(re.sub("#.*", "", served.link))
    saved(page)
    assert [one.verdict for one in served.judgements] == ["good", "bad", "good"]
    expect(page.locator("#counts")).to_contain_text("3 by you")
    # A draft is there again too.
    draft = query_of(page)
    assert draft not in judged
    press(page, "b", "3")
    page.get_by_label("Note").fill("half a thought")
    page.reload()
    expect(page.locator("h1")).to_have_text(draft)
    press(page, "b")
    expect(page.get_by_role("button", name="Incomplete answer")).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_label("Note")).to_have_value("half a thought")
    lines = (served.folder / "reviews.jsonl").read_text().splitlines()
    assert len({json.loads(line)["id"] for line in lines}) == len(lines) == 3


def test_two_reviewers_at_once_share_the_work_and_meet_where_they_should(served: Served, reviewer: Reviewer) -> None:
    served.end()
    change_plan(served.folder, sample=3, shared=0.34)  # one of the sample wants two people
    served.start()
    pages = {name: reviewer(name) for name in ("Anna", "Ben")}
    done: set[str] = set()
    for _ in range(20):
        for name, page in pages.items():
            if name in done:
                continue
            expect(page.locator("h1, #rest h2").locator("visible=true")).to_be_visible()
            if page.locator("#rest").is_visible():
                done.add(name)
            else:
                press(page, "g")
                saved(page)
    judged: dict[str, set[str]] = {}
    for one in served.judgements:
        judged.setdefault(one.item, set()).add(one.reviewer)
    assert sorted(map(len, judged.values())) == [1, 1, 1, 1, 1, 2]
    assert len(served.judgements) == QUERIES + 1


def test_what_a_document_says_never_becomes_markup(reviewer: Reviewer) -> None:
    page = reviewer("<b>Anna</b>")
    for _ in range(QUERIES):
        expect(page.locator(".passage")).to_contain_text("<b>No bell</b> is silent.")
        expect(page.locator(".window .label")).to_have_text(HOSTILE)
        if query_of(page) == HOSTILE:
            break
        with page.expect_response("**/api/next"):
            press(page, "s")
    expect(page.locator("h1")).to_have_text(HOSTILE)
    press(page, "g")
    expect(page.locator("#last q")).to_contain_text(HOSTILE[:20])
    assert page.locator("b b, main script, main img").count() == 0


def test_nothing_is_cut_off_at_either_width(reviewer: Reviewer) -> None:
    page = reviewer("Anna")
    press(page, "b", "1", "n")
    expect(page.get_by_text("No near passages")).to_be_visible()
    press(page, "m")
    expect(page.locator("#marking")).to_be_visible()
    for width, height in ((1280, 860), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        for name in ("Good", "Bad", "Edit", "Skip", "Undo", "Save as bad", "Also answered here"):
            expect(page.get_by_role("button", name=name).first).to_be_in_viewport()
