"""The notebook that newcomers begin with, cell by cell, as Jupyter runs it: within an event loop that is already running."""

import ast
import inspect
import json
import re
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.integration.conftest import ROOT, Command

NOTEBOOK = ROOT / "examples" / "tutorial.ipynb"


def cells() -> list[dict[str, Any]]:
    return [cell for cell in json.loads(NOTEBOOK.read_text())["cells"] if cell["cell_type"] == "code"]


async def shown_by(source: str, names: dict[str, Any]) -> Any:
    """The value of the last line, which Jupyter shows, after the cell has run."""
    tree = ast.parse(source)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, str(NOTEBOOK), "exec"), names)
    if last is None:
        return None
    value = eval(compile(ast.Expression(last.value), str(NOTEBOOK), "eval"), names)
    return await value if inspect.isawaitable(value) else value


async def test_every_cell_of_the_tutorial_runs_and_shows_something(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(NOTEBOOK.parent)  # where Jupyter starts
    monkeypatch.setattr(sys, "path", [*sys.path])
    names: dict[str, Any] = {}
    tables: list[str] = []
    for cell in cells():
        source = "".join(cell["source"]).replace("out/", f"{tmp_path}/")
        if source.startswith("!"):
            words = shlex.split(re.sub(r"\{(.*?)\}", lambda found: str(eval(found[1], names)), source[1:]))
            assert words[:3] == [sys.executable, "-m", "flows"]
            ended = command.run(*words[3:])
            assert ended.code == 0, ended.err
            continue
        value = await shown_by(source, names)
        if hasattr(value, "_repr_html_"):
            tables.append(value._repr_html_())
    assert Path.cwd() == ROOT
    assert len(names["dataset"].goldens) == 20
    assert all("<table" in table for table in tables)
    assert len(tables) >= 5  # the dataset, a golden, two evaluations, a frame
    assert (tmp_path / "tutorial-report.html").is_file()


def test_the_tutorial_is_stored_without_outputs() -> None:
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in cells())
