"""Debian's Chromium, driven by Playwright; what the pages write to the console and fetch is watched."""

import os
import shutil
from collections.abc import Callable, Generator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, Request, expect, sync_playwright

CHROMIUM = shutil.which("chromium")
FOREIGN = "--host-resolver-rules=MAP *.example 127.0.0.1"
"""Sites of other names, for tests of what their pages can do."""
NO_WEBGL = "--disable-3d-apis"
"""Prefect's page of a run draws its graph again and again while the run goes on, for more than one processor where there is no GPU."""


@pytest.fixture(scope="module")
def browser() -> Generator[Browser]:
    """For the length of a module: an event loop runs meanwhile, which asynchronous tests would stumble over."""
    if CHROMIUM is None:
        pytest.skip("there is no Chromium on the path: apt-get install chromium")
    # Chromium's own sandbox does not start as root.
    expect.set_options(timeout=60_000)  # of a busy machine
    arguments = [FOREIGN, NO_WEBGL, *(["--no-sandbox"] if os.geteuid() == 0 else [])]
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=CHROMIUM, args=arguments)
        yield started
        started.close()


@pytest.fixture
def open_alone(browser: Browser) -> Generator[Callable[[str], Page]]:
    """Opens an address; the test fails if its page asks for anything else, or writes an error or a warning."""
    context = browser.new_context(viewport={"width": 1400, "height": 900})
    context.set_default_timeout(60_000)
    faults: list[str] = []

    def opened(address: str) -> Page:
        def check_request(request: Request) -> None:
            if request.url.partition("#")[0] != address.partition("#")[0]:
                faults.append(f"asked for {request.url[:200]}")

        def check_message(message: ConsoleMessage) -> None:
            if message.type in {"error", "warning"}:
                faults.append(f"wrote {message.text}")

        page = context.new_page()
        page.on("request", check_request)
        page.on("console", check_message)
        page.on("pageerror", lambda error: faults.append(f"stopped at {error}"))
        page.goto(address)
        return page

    yield opened
    context.close()
    assert faults == []


@pytest.fixture
def shown(open_alone: Callable[[str], Page], tmp_path: Path) -> Callable[..., str]:
    """Gives a page as it stands after its script, opened at that fragment."""

    def dom_of(html: str, fragment: str = "") -> str:
        path = tmp_path / "report.html"
        path.write_text(html, encoding="utf-8")
        return open_alone(path.as_uri() + fragment).content()

    return dom_of
