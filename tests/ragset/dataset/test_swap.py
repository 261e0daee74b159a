import os
import time
from pathlib import Path

import pytest

from ragset.dataset.swap import replaced
from ragset.errors import InputError


def fill(folder: Path, text: str) -> None:
    with replaced(folder, "mark") as new:
        (new / "mark").write_text(text)


def test_what_a_killed_run_left_is_cleared_away(tmp_path: Path) -> None:
    left = tmp_path / ".out.abc123.partial"
    left.mkdir()
    (left / "goldens.jsonl").write_text("half")
    before = time.time() - 4000
    os.utime(left, (before, before))
    fill(tmp_path / "out", "new")
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_what_another_run_is_writing_is_left_alone(tmp_path: Path) -> None:
    theirs = tmp_path / ".out.abc123.partial"
    theirs.mkdir()
    fill(tmp_path / "out", "new")
    assert theirs.is_dir()


def test_the_leftovers_of_another_folder_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / ".other.abc123.partial").mkdir()
    os.utime(tmp_path / ".other.abc123.partial", (0, 0))
    fill(tmp_path / "out", "new")
    assert (tmp_path / ".other.abc123.partial").is_dir()


def test_a_folder_that_was_moved_aside_when_the_run_was_killed_comes_back(tmp_path: Path) -> None:
    fill(tmp_path / "out", "old")
    (tmp_path / "out").rename(tmp_path / ".out.aside")
    with pytest.raises(InputError), replaced(tmp_path / "out", "mark"):
        raise OSError
    assert (tmp_path / "out" / "mark").read_text() == "old"


def _without_exchange(_name: None, use_errno: bool) -> object:
    """A C library that lacks the call."""
    return object()


def test_without_an_exchange_the_folder_is_replaced_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ctypes.CDLL", _without_exchange)
    fill(tmp_path / "out", "old")
    fill(tmp_path / "out", "new")
    assert (tmp_path / "out" / "mark").read_text() == "new"
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_a_folder_of_something_else_is_refused_by_what_was_to_be_written(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes.txt").write_text("mine")
    for what in ("a dataset", "results of a benchmark"):
        with (
            pytest.raises(InputError, match=f"holds something else than {what};"),
            replaced(tmp_path / "mine", "mark", what),
        ):
            pass
