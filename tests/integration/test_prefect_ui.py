"""Prefect's own pages as a person uses them: a form is filled in, a run watched, its artifacts opened.

RAGSET_SCREENSHOTS names a folder to write form.png and run.png into.
"""

import os
import re
from collections.abc import Callable, Generator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.integration.service import Service

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("service")]

LOOPBACK = "http://127.0.0.1:"
TO_LOAD = 20_000
"""Milliseconds, for a page on a busy machine."""
TO_RUN = 120_000


@pytest.fixture
def ui(browser: Browser, service: Service) -> Generator[Page]:
    """The start page. Whatever it asks of other machines than this one is stopped."""
    context = browser.new_context(viewport={"width": 1400, "height": 900})
    context.set_default_timeout(TO_LOAD)
    context.route(lambda url: not url.startswith((LOOPBACK, "blob:")), lambda route: route.abort())
    page = context.new_page()
    page.goto(service.ui)
    yield page
    context.close()


def take_picture(page: Page, name: str) -> None:
    if folder := os.environ.get("RAGSET_SCREENSHOTS"):
        page.screenshot(path=Path(folder) / name, animations="disabled")


def open_form(page: Page, deployment: str) -> None:
    page.get_by_role("link", name="Deployments", exact=True).first.click()
    page.get_by_role("row", name=deployment).get_by_role("link", name=deployment).first.click()
    page.get_by_role("button", name="Run", exact=True).click()
    page.get_by_role("menuitem", name="Custom run").click()
    expect(page.get_by_role("heading", name="Parameters")).to_be_visible(timeout=TO_LOAD)


def open_artifact(page: Page, run: str, key: str) -> None:
    """The newest one under a key, from the page of a run."""
    page.goto(run)
    page.get_by_role("tab", name="Artifacts").click()
    page.get_by_role("link", name=key).click()
    page.get_by_role("main").get_by_role("link", name=re.compile(r"^[0-9a-f]{8}$")).first.click()


def test_a_run_is_asked_for_in_the_form_watched_and_read(
    ui: Page, service: Service, open_alone: Callable[[str], Page]
) -> None:
    open_form(ui, "single-chunk")
    goldens = ui.get_by_role("tabpanel", name="A number").first.get_by_role("spinbutton")
    expect(goldens).to_have_value("40")
    strategy = ui.get_by_role("button", name="Select Strategy")
    expect(strategy).to_have_text("recursive")

    # A bad value is refused by the form itself, and says why.
    size = ui.get_by_label("Size (Optional)", exact=True)
    size.fill("5")
    ui.get_by_role("button", name="Submit").click()
    assert size.evaluate("field => field.validationMessage") == "Value must be greater than or equal to 8."
    expect(ui.get_by_role("heading", name="Parameters")).to_be_visible()

    size.fill("96")
    goldens.fill("5")
    ui.get_by_label("Output folder (Optional)").fill(str(service.out / "sentences"))
    strategy.click()
    choices = ui.get_by_role("option")
    expect(choices).to_have_text(["recursive", "sentence", "semantic", "markdown", "token", "words"])
    take_picture(ui, "form.png")
    choices.filter(has_text="sentence").click()
    expect(strategy).to_have_text("sentence")
    ui.get_by_role("button", name="Submit").click()
    ui.get_by_role("button", name="View run").click()

    main = ui.get_by_role("main")
    expect(main.get_by_text("Completed", exact=True).first).to_be_visible(timeout=TO_RUN)
    expect(main.get_by_text("5 of corpus as sentence-96-0-tokens").first).to_be_visible(timeout=TO_LOAD)
    expect(main.get_by_text("15 documents read, 0 could not be")).to_be_visible(timeout=TO_LOAD)
    run = ui.url
    take_run_picture(ui, run)

    open_artifact(ui, run, "corpus-funnel")
    funnel = ui.get_by_role("table")
    expect(funnel.get_by_role("row").last).to_contain_text("keep", timeout=TO_LOAD)
    expect(funnel.get_by_role("row", name=re.compile("^judge"))).to_contain_text("not_self_contained")

    open_artifact(ui, run, "corpus-report")
    link = ui.get_by_role("link", name="report.html")
    expect(link).to_be_visible(timeout=TO_LOAD)
    address = link.get_attribute("href")
    assert address is not None
    assert address.startswith(service.reports)
    report = open_alone(address)
    golden = report.get_by_role("article", name="The golden chosen")
    expect(golden).to_contain_text("1 of 5")
    golden.get_by_role("button", name="Next golden").click()
    expect(golden).to_contain_text("2 of 5")
    expect(golden.locator("mark").first).to_be_visible()


def take_run_picture(page: Page, run: str) -> None:
    """The artifacts of a run; opened anew, as it was when nobody watched, and without the note of its start."""
    if "RAGSET_SCREENSHOTS" not in os.environ:
        return
    page.goto(run)
    page.get_by_role("tab", name="Artifacts").click()
    expect(page.get_by_role("link", name="corpus-report")).to_be_visible(timeout=TO_LOAD)
    page.mouse.move(0, 0)
    page.wait_for_timeout(2000)
    take_picture(page, "run.png")
