"""Whether a tag may be released: `python deployments/release/check.py v0.2.0`. Needs nothing installed."""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def problems(tag: str, package: str, changelog: str) -> list[str]:
    """What is wrong with a release of this tag, by the texts of ragset/__init__.py and CHANGELOG.md."""
    found = re.search(r'^__version__ = "([^"]+)"$', package, flags=re.MULTILINE)
    version = found[1] if found else ""
    wrong: list[str] = []
    if tag != f"v{version}":
        wrong.append(f"the tag is {tag}, but ragset/__init__.py has version {version}")
    if not re.search(rf"^## {re.escape(tag[1:])} \(\d{{4}}-\d\d-\d\d\)$", changelog, flags=re.MULTILINE):
        wrong.append(f'CHANGELOG.md has no line "## {tag[1:]} (YYYY-MM-DD)"')
    if re.search(r"^## Unreleased\n+(?!## )\S", changelog, flags=re.MULTILINE):
        wrong.append("CHANGELOG.md has lines under Unreleased: move them to the version")
    return wrong


if __name__ == "__main__":
    texts = [(ROOT / name).read_text(encoding="utf-8") for name in ("ragset/__init__.py", "CHANGELOG.md")]
    sys.exit("\n".join(problems(sys.argv[1], *texts)) or 0)
