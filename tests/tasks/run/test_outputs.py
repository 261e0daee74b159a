"""Whose folder it is when a run has waited."""

import os
from pathlib import Path

import pytest

from ragset.errors import InputError
from tasks.run.outputs import check_output_unwritten, remember_output


def written(folder: Path, text: str) -> Path:
    """As a run does it: a new folder in the place of the old one."""
    fresh = folder.with_name(f".{folder.name}.new")
    fresh.mkdir()
    (fresh / "report.html").write_text(text)
    if folder.exists():
        folder.rename(folder.with_name(f".{folder.name}.old"))
    fresh.rename(folder)
    return folder


def test_what_another_run_put_there_first_is_not_replaced(tmp_path: Path) -> None:
    remember_output(tmp_path / "bells-v2")
    check_output_unwritten(tmp_path / "bells-v2")
    written(tmp_path / "bells-v2", "theirs")
    with pytest.raises(InputError, match=r"bells-v2: another run has written it while this one waited"):
        check_output_unwritten(tmp_path / "bells-v2")


def test_what_another_run_put_in_the_place_of_it_is_not_replaced(tmp_path: Path) -> None:
    remember_output(written(tmp_path / "bells", "before"))
    os.utime(tmp_path / "bells/report.html", ns=(1, 1))
    check = tmp_path / "bells"
    with pytest.raises(InputError, match="another run"):
        check_output_unwritten(check)


def test_notes_that_somebody_laid_beside_it_do_not_matter(tmp_path: Path) -> None:
    remember_output(written(tmp_path / "bells", "before"))
    (tmp_path / "bells/notes.txt").write_text("see page 3")
    check_output_unwritten(tmp_path / "bells")


def test_a_folder_by_another_name_is_the_same_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    remember_output(Path("bells"))
    written(tmp_path / "bells", "theirs")
    with pytest.raises(InputError, match="another run"):
        check_output_unwritten(tmp_path / "bells")


def test_a_run_that_asked_again_counts_from_its_first_question(tmp_path: Path) -> None:
    remember_output(tmp_path / "bells")
    written(tmp_path / "bells", "theirs")
    remember_output(tmp_path / "bells")
    with pytest.raises(InputError, match="another run"):
        check_output_unwritten(tmp_path / "bells")


def test_a_run_that_never_waited_replaces_what_is_there(tmp_path: Path) -> None:
    remember_output(tmp_path / "bells")
    check_output_unwritten(written(tmp_path / "clocks", "before"))
