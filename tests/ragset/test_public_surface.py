"""docs/python.md lists what `ragset` offers, and importing it costs next to nothing."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import ragset

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")


def test_the_page_lists_the_public_surface() -> None:
    assert set(re.findall(r"^\| `ragset\.(\w+)` \|", PAGE, flags=re.MULTILINE)) == set(ragset.__all__)


@pytest.mark.parametrize("name", ragset.__all__)
def test_each_public_name_is_there_and_says_what_it_is(name: str) -> None:
    assert getattr(ragset, name).__doc__
    assert name in dir(ragset)


def test_another_name_is_no_attribute() -> None:
    with pytest.raises(AttributeError, match="module 'ragset' has no attribute 'evaluat'"):
        _ = ragset.evaluat


def test_an_import_of_ragset_imports_nothing_heavy() -> None:
    code = "import sys, ragset; print([one for one in ('numpy', 'pandas', 'pydantic', 'scipy') if one in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
