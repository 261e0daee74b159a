"""Make the screenshots of docs/reviewing.md: the example corpus, a set of it, and two people who judge it in Chromium.

    python -m examples.review_screenshots [FOLDER]

Writes into docs/images, or into FOLDER. Needs Chromium and the packages of the tests.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, expect, sync_playwright

from flows import ROOT
from ragset.dataset.review.order import change_plan
from tests.chromium import CHROMIUM
from tests.integration.service import first_of_free_ports

HEIGHT = 860


def main() -> None:
    """Make the set, judge it, and take the pictures on the way."""
    images = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs" / "images"
    with tempfile.TemporaryDirectory() as name:
        folder, env = Path(name) / "demo", {**os.environ, "RAGSET_HOME": f"{name}/home", "PYTHONUNBUFFERED": "1"}
        _run(env, "single-chunk", "examples/corpus", "--n", "20", "--out", str(folder))
        change_plan(folder, sample=10, shared=0.2)
        with _served(folder, env) as link, sync_playwright() as playwright:
            sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=sandbox)
            _judge(browser, link, images)
        _run(env, "apply-review", str(folder))
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=CHROMIUM, args=["--allow-file-access-from-files", *sandbox]
            )
            page = browser.new_page(viewport={"width": 1280, "height": HEIGHT})
            page.goto((folder / "report.html").as_uri())
            box = page.get_by_role("heading", name="What people say").locator("xpath=ancestor::section").bounding_box()
            assert box
            clip = {"x": 0, "y": box["y"], "width": 1280, "height": box["height"]}
            page.screenshot(path=images / "review-report.png", full_page=True, clip=clip)


def _run(env: dict[str, str], *command: str) -> None:
    subprocess.run([sys.executable, "-m", "flows", *command], cwd=ROOT, env=env, check=True)  # noqa: S603


@contextmanager
def _served(folder: Path, env: dict[str, str]) -> Generator[str]:
    command = [sys.executable, "-m", "flows", "review", str(folder), "--port", str(first_of_free_ports(1))]
    with subprocess.Popen(command, cwd=ROOT, env=env, stdout=subprocess.PIPE, text=True) as server:  # noqa: S603
        assert server.stdout is not None
        try:
            yield next(line.strip() for line in server.stdout if "http://" in line)
        finally:
            server.terminate()


def _came(browser: Browser, link: str, name: str, *, width: int = 1280, dark: bool = False) -> Page:
    context = browser.new_context(viewport={"width": width, "height": HEIGHT}, color_scheme="dark" if dark else "light")
    page = context.new_page()
    page.goto(link)
    page.get_by_label("Your name").fill(name)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Would you keep")).to_be_visible()
    return page


def _judge(browser: Browser, link: str, images: Path) -> None:
    """Ada judges ten, most of them good; Ben looks in by telephone and at night."""

    def taken(page: Page, name: str) -> None:
        page.screenshot(path=images / f"review-{name}.png", animations="disabled")

    def press(page: Page, *keys: str) -> None:
        for key in keys:
            page.keyboard.press(key)

    def judged(page: Page, *keys: str) -> None:
        before = page.locator("h1").inner_text()
        press(page, *keys)
        expect(page.locator("h1")).not_to_have_text(before)
        expect(page.locator("#saved")).to_have_text("All saved")

    ada = _came(browser, link, "Ada")
    taken(ada, "guideline")
    press(ada, "Enter")
    expect(ada.get_by_role("button", name="Good")).to_be_visible()
    taken(ada, "item")
    judged(ada, "g")
    judged(ada, "g")
    press(ada, "b", "5")
    expect(ada.get_by_role("button", name="Save as bad")).to_be_enabled()
    taken(ada, "reasons")
    judged(ada, "Enter")
    press(ada, "m", "ArrowDown")
    expect(ada.locator("#marking")).to_contain_text("characters marked")
    taken(ada, "marking")
    press(ada, "Enter")
    for _ in range(7):
        judged(ada, "g")
    ben = _came(browser, link, "Ben", width=390, dark=True)
    press(ben, "Enter")
    expect(ben.get_by_role("button", name="Good")).to_be_visible()
    taken(ben, "phone")
    judged(ben, "g")
    judged(ben, "b", "8", "Enter")


if __name__ == "__main__":
    main()
