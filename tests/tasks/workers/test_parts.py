from pathlib import Path

import pytest

from ragset.errors import DocumentError, InputError
from tasks.workers.parts import opened_part, write_part


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RAGSET_HOME", str(tmp_path))
    return tmp_path


def test_a_part_is_read_once_and_leaves_nothing(home: Path) -> None:
    name = write_part(lambda file: file.write(b"tea"))
    with opened_part(name) as file:
        assert file.read() == b"tea"
    assert not [*(home / "parts").iterdir()]
    with pytest.raises(InputError, match="RAGSET_STORAGE"), opened_part(name):
        pass


def test_a_part_that_cannot_be_made_leaves_nothing(home: Path) -> None:
    def fail(_file: object) -> None:
        raise DocumentError("a.txt", "is empty")

    with pytest.raises(DocumentError):
        write_part(fail)
    assert not [*(home / "parts").iterdir()]


def test_where_machines_share_a_part_is_only_there_until_it_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from fsspec.core import url_to_fs

    monkeypatch.setenv("RAGSET_STORAGE", "memory://parts-test/ragset")
    monkeypatch.setenv("RAGSET_HOME", str(tmp_path / "worker"))
    name = write_part(lambda file: file.write(b"tea"))
    monkeypatch.setenv("RAGSET_HOME", str(tmp_path / "run"))
    with opened_part(name) as file:
        assert file.read() == b"tea"
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]
    assert not url_to_fs("memory://parts-test")[0].exists(f"/parts-test/ragset/{name}")
