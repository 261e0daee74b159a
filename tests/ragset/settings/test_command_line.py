"""Commands that messages name."""

import shlex
import sys
from collections.abc import Generator
from pathlib import Path

import pytest

from ragset.settings.command_line import _program, command  # pyright: ignore[reportPrivateUsage]


@pytest.fixture(autouse=True)
def _anew() -> Generator[None]:  # pyright: ignore[reportUnusedFunction]
    _program.cache_clear()
    yield
    _program.cache_clear()


def finds(monkeypatch: pytest.MonkeyPatch, file: str | None) -> None:
    """The shell finds every program there."""

    def which(name: str) -> str | None:
        assert name
        return file

    monkeypatch.setattr("shutil.which", which)


def test_a_path_with_blanks_and_quotes_can_be_pasted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["ragset"])
    finds(monkeypatch, str(Path("ragset").absolute()))
    typed = command("review", "out/it's mine", "--n", 5)
    assert typed.startswith("ragset review ")
    assert shlex.split(typed) == ["ragset", "review", "out/it's mine", "--n", "5"]


def test_the_interpreter_of_this_process_is_named_as_the_shell_finds_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    python = tmp_path / ".venv" / "bin" / "python"
    monkeypatch.setattr(sys, "executable", str(python))
    monkeypatch.setattr(sys, "argv", ["flows/__main__.py"])
    monkeypatch.chdir(tmp_path)
    finds(monkeypatch, "/usr/bin/python")
    # another python would be started by its name alone
    assert command("show", "d") == ".venv/bin/python -m flows show d"
    _program.cache_clear()
    finds(monkeypatch, str(python))
    assert command("show", "d") == "python -m flows show d"


def test_from_another_folder_the_interpreter_has_its_whole_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", "/opt/my env/bin/python")
    monkeypatch.setattr(sys, "argv", ["flows/__main__.py"])
    monkeypatch.chdir(tmp_path)
    finds(monkeypatch, None)
    assert command("show") == "'/opt/my env/bin/python' -m flows show"
