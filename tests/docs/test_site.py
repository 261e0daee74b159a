"""The docs as a site: every link leads somewhere, and no page loads anything from elsewhere."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tests.docs.commands import ROOT

CONFIG = ROOT / "deployments" / "site" / "mkdocs.yml"
LOADS = re.compile(r'<(?:script|img|iframe|source)\b[^>]*?src="([^"]+)"|<link\b([^>]*)>')


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    words = ["-m", "mkdocs", "build", "--strict", "--config-file", str(CONFIG), "--site-dir", str(folder)]
    done = subprocess.run(
        [sys.executable, *words],
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return folder


def test_every_page_of_the_docs_is_in_the_navigation(site: Path) -> None:
    navigation = yaml.dump(yaml.safe_load(CONFIG.read_text(encoding="utf-8"))["nav"])
    for page in (ROOT / "docs").glob("*.md"):
        assert f" {page.name}\n" in navigation, page.name
        assert (site / page.with_suffix(".html").name).is_file()


def test_no_page_loads_anything_from_elsewhere(site: Path) -> None:
    for page in site.glob("*.html"):
        for source, link in LOADS.findall(page.read_text(encoding="utf-8")):
            loaded = source or (link if "canonical" not in link else "")
            assert "//" not in loaded, page.name


def test_a_file_that_a_page_links_is_there(site: Path) -> None:
    assert 'href="files/examples/tutorial.ipynb"' in (site / "tutorial.html").read_text(encoding="utf-8")
    assert (site / "files" / "examples" / "tutorial.ipynb").read_bytes() == (
        ROOT / "examples" / "tutorial.ipynb"
    ).read_bytes()
