"""What a script is asked for, and where it leaves what it made. Scripts run in environments without this repository."""

import json
import sys
from collections.abc import Iterable
from pathlib import Path

_, FOLDER, _n, _at_once, _out = sys.argv
N = int(_n)
"""Goldens to make."""
AT_ONCE = int(_at_once)
"""Calls."""
PATHS = sorted(Path(FOLDER).glob("*.txt"))
MODEL = "gpt-4o-mini"


def texts() -> list[str]:
    return [path.read_text(encoding="utf-8") for path in PATHS]


def write(goldens: Iterable[tuple[str, str]]) -> None:
    """Each a query and its answer."""
    lines = [json.dumps({"query": query, "answer": answer}) for query, answer in goldens]
    Path(_out).write_text("\n".join(lines), encoding="utf-8")
