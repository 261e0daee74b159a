from pathlib import Path

import pytest

from ragset.dataset import latest_version, next_version
from ragset.errors import InputError


def dataset(folder: Path) -> Path:
    folder.mkdir(parents=True)
    (folder / "manifest.json").write_text("{}")
    return folder


def test_versions_are_counted_as_numbers_and_the_next_is_one_more(tmp_path: Path) -> None:
    base = dataset(tmp_path / "demo")
    assert (latest_version(base), next_version(base)) == (base, tmp_path / "demo-v2")
    for number in (2, 9, 10):
        dataset(tmp_path / f"demo-v{number}")
    dataset(tmp_path / "demo-vx")
    dataset(tmp_path / "demon-v11")
    assert latest_version(base) == tmp_path / "demo-v10"
    assert next_version(base) == tmp_path / "demo-v11"


def test_any_version_may_be_named(tmp_path: Path) -> None:
    base, second = dataset(tmp_path / "demo"), dataset(tmp_path / "demo-v2")
    assert latest_version(second) == latest_version(base) == second
    assert next_version(second) == tmp_path / "demo-v3"


def test_the_first_version_may_be_gone(tmp_path: Path) -> None:
    second = dataset(tmp_path / "demo-v2")
    assert latest_version(tmp_path / "demo") == second


def test_a_name_that_only_looks_like_a_version_is_a_name(tmp_path: Path) -> None:
    base = dataset(tmp_path / "llama-v2")
    assert latest_version(base) == base
    assert next_version(base) == tmp_path / "llama-v2-v2"


def test_a_folder_that_is_no_dataset_is_no_version_and_is_not_written_to(tmp_path: Path) -> None:
    base = dataset(tmp_path / "demo")
    (tmp_path / "demo-v2").mkdir()
    assert latest_version(base) == base
    assert next_version(base) == tmp_path / "demo-v3"


@pytest.mark.parametrize(("name", "said"), [("none", "there is no such folder"), ("empty", "is no dataset")])
def test_no_dataset_is_an_error_that_says_so(tmp_path: Path, name: str, said: str) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match=said):
        latest_version(tmp_path / name)
