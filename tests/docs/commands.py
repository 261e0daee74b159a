"""The commands, options and names that a Markdown page tells its readers to type."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "examples" / "README.md",
    *sorted((ROOT / "docs").glob("*.md")),
]
_SHELLS = {"", "sh", "bash", "console"}
_PROGRAM = re.compile(r"(?:[A-Z_]+=\S+ )*(ragset|(?:\.venv/bin/)?python -m (?:flows|benchmarks)[\w.]*|make)(?: |$)")


def blocks(page: str) -> Iterator[tuple[str, str]]:
    """The language and the text of each fenced block."""
    for found in re.finditer(r"^( *)```(\w*)[^\n]*\n(.*?)^\1```", page, flags=re.MULTILINE | re.DOTALL):
        yield found[2], found[3]


def inline(page: str) -> Iterator[str]:
    """Each code span outside blocks, on one line."""
    prose = re.sub(r"^( *)```.*?^\1```", "", page, flags=re.MULTILINE | re.DOTALL)
    for found in re.finditer(r"(?<!`)`([^`]+)`(?!`)", prose):
        yield " ".join(found[1].split()).replace("\\|", "|")


def typed(page: str) -> Iterator[list[str]]:
    """The words of each command of ours, the program's name first: ragset, make, benchmarks.checks."""
    lines = [
        line
        for language, text in blocks(page)
        if language in _SHELLS
        for line in text.replace("\\\n", " ").splitlines()
    ]
    for line in (*lines, *inline(page)):
        found = _PROGRAM.match(line.strip())
        if not found or line.strip() in {"ragset", "make"} or " = " in line:  # a name, a line of a crontab or of pytest
            continue
        words = shlex.split(re.split(r" (?:\||>|&&|<) ?", line.strip()[found.end(1) :])[0], comments=True)
        program = found[1].rpartition(" ")[2]
        yield ["ragset" if program == "flows" else program, *words]


def options_alone(page: str) -> Iterator[str]:
    """Options that stand alone in the prose."""
    for code in inline(page):
        if code.startswith("--"):
            yield from re.findall(r"(?<!\S)--[a-z][\w-]*", code)
