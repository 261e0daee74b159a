"""Answers and passages of a benchmark, graded in a browser, and what the report says afterwards."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from ragset.dataset.review.file import read_reviews
from ragset.dataset.review.order import change_plan
from tests.integration.test_review import Served, press, saved
from tests.small_results import HOSTILE
from tests.small_review import GOLDENS, judged_results

pytestmark = [pytest.mark.slow, pytest.mark.service]


def test_grades_are_given_blind_and_the_report_tells_what_people_would_find(tmp_path: Path, browser: Browser) -> None:
    systems = {"system-one": [f"80 °C {HOSTILE}"], "system-two": ["Cold."]}
    judged_results(tmp_path, systems, {name: [1.0] for name in systems}, GOLDENS[:1], report=True)
    served = Served(tmp_path)
    served.folder = tmp_path / "bench"
    change_plan(served.folder, shared=0.0)
    served.start()
    faults: list[str] = []
    page = browser.new_context(viewport={"width": 1280, "height": 860}).new_page()
    page.on("pageerror", lambda error: faults.append(str(error)))
    try:
        page.goto(served.link)
        page.get_by_label("Your name").fill("Ada")
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", name="How right is this answer?")).to_be_visible()
        press(page, "Enter")
        answer = page.locator(".question .answer").first
        seen = [answer.inner_text()]
        expect(page.locator(".question .reference")).to_have_text("80 °C")
        assert "system-" not in page.content()
        press(page, "0", "g", "5")  # 0 is no grade of answers, and g no key of theirs
        expect(answer).not_to_have_text(seen[0])
        expect(page.locator("#last")).to_contain_text("You gave 5")
        seen.append(answer.inner_text())
        assert sorted(seen) == [f"80 °C {HOSTILE}", "Cold."]
        press(page, "1")
        expect(page.get_by_role("heading", name="Does the marked text answer the question?")).to_be_visible()
        press(page, "Enter")
        marked = page.locator(".passage mark")
        before = marked.inner_text()
        press(page, "3")
        expect(marked).not_to_have_text(before)
        press(page, "u")
        expect(marked).to_have_text(before)
        press(page, "2")
        expect(marked).not_to_have_text(before)
        press(page, "0")
        expect(page.get_by_role("heading", name="All done")).to_be_visible()
        saved(page)
        assert [one.grade for one in read_reviews(served.folder).lines] == [5, 1, 3, None, 2, 0]
    finally:
        code = served.end()
    assert code == 0
    page.goto((served.folder / "report.html").as_uri())
    expect(page.get_by_role("heading", name="correctness as people would find it")).to_be_visible()
    expect(page.get_by_role("heading", name="precision@2 as people would find it")).to_be_visible()
    assert faults == []
