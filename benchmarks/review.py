"""How fast the review page is on a large dataset, in Chromium.

    python -m benchmarks.review [--goldens 10000] [--paragraphs 20000] [--reviews 2000]

The documents are those of `benchmarks.export`; so many judgements are in `reviews.jsonl` already. Seconds on the clock; of the first item,
which other programs slow down, the fastest of five.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import expect, sync_playwright

from benchmarks.export import make_dataset
from benchmarks.shared import ROOT, fastest, options
from ragset.dataset.review.file import ReviewFile
from ragset.dataset.review.records import Review
from tests.chromium import CHROMIUM
from tests.integration.service import first_of_free_ports

JUDGED = 20
_JUDGE = """async times => {
    const start = performance.now();
    for (let judged = 0; judged < times; judged += 1) {
        const question = document.getElementById("question");
        const shown = new Promise(then => new MutationObserver((_, seen) => { seen.disconnect(); then(); }).observe(question, {childList: true}));
        document.dispatchEvent(new KeyboardEvent("keydown", {key: "g", bubbles: true}));
        await shown;
        await new Promise(then => requestAnimationFrame(() => setTimeout(then)));
    }
    return (performance.now() - start) / times;
}"""
"""The mean of milliseconds from the key to the next item on the screen, over so many items, without a pause between them."""


def main() -> None:
    asked = options(__doc__, goldens=10_000, paragraphs=20_000, reviews=2_000)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "set"
        make_dataset(Path(name), asked.goldens, asked.paragraphs)
        with (folder / "goldens.jsonl").open() as lines:
            goldens = [json.loads(line)["id"] for line in lines]
        reviews = [Review.of("Ben", one, "golden", "golden@1", verdict="good") for one in goldens[: asked.reviews]]
        ReviewFile(folder).append(*reviews)
        command = [sys.executable, "-m", "flows", "review", str(folder), "--port", str(first_of_free_ports(1))]
        env = {**os.environ, "RAGSET_HOME": str(Path(name) / "home"), "PYTHONUNBUFFERED": "1"}
        began = time.perf_counter()
        with subprocess.Popen(command, cwd=ROOT, env=env, stdout=subprocess.PIPE, text=True) as server:
            assert server.stdout is not None
            link = next(line.strip() for line in server.stdout if "http://" in line)
            print(f"the command prints the link  {time.perf_counter() - began:6.2f} s")
            try:
                _browse(link)
            finally:
                server.terminate()


def _browse(link: str) -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox"] if os.geteuid() == 0 else []
        )
        page = browser.new_page()
        page.goto(link)
        page.get_by_label("Your name").fill("Anna")
        page.keyboard.press("Enter")
        page.get_by_role("button", name="Close").click()
        page.keyboard.press("g")
        expect(page.locator("#saved")).to_have_text("All saved")

        def first() -> None:
            page.goto(link.partition("#")[0])
            page.locator("mark").first.wait_for()

        def near() -> None:
            page.keyboard.press("n")
            page.locator(".near mark, .near .passage").first.wait_for(timeout=300_000)

        print(f"first item of a loaded page  {fastest(first, 5):6.2f} s")
        print(f"from a judgement to the next {page.evaluate(_JUDGE, JUDGED) / 1000:6.2f} s")
        print(f"first near passages          {_seconds(near):6.2f} s")
        page.keyboard.press("g")
        page.wait_for_timeout(500)
        print(f"near passages after that     {_seconds(near):6.2f} s")
        browser.close()


def _seconds(run: Callable[[], object]) -> float:
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


if __name__ == "__main__":
    main()
