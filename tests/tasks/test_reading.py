"""Files where workers on other machines find them."""

import uuid
from pathlib import Path

import pytest
from fsspec.core import url_to_fs

from ragset.documents.isolated import Job
from ragset.errors import DocumentError, InputError
from tasks.reading import _here, _Sent  # pyright: ignore[reportPrivateUsage]


def job(place: str | bytes) -> Job:
    return Job(place, "a.md", ".md", None, False, 100, "text", None, 10.0)


def test_a_file_that_is_here_is_read_here(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("Green tea.")
    for file in (
        job(str(tmp_path / "a.md")),
        job(b"Green tea."),
        job(str(tmp_path / "gone.md")),
        DocumentError("a", "b"),
    ):
        assert _here(_Sent(file, None)) is file


def test_a_copy_of_an_address_is_fetched_from_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAGSET_HOME", str(tmp_path / "worker"))
    bucket = uuid.uuid4().hex
    url_to_fs("memory://")[0].pipe_file(f"/{bucket}/docs/a.md", b"Green tea.")
    found = _here(_Sent(job(str(tmp_path / "run" / "a.md")), f"memory://{bucket}/docs/a.md"))
    assert isinstance(found, Job)
    assert Path(str(found.place)).read_bytes() == b"Green tea."
    assert Path(str(found.place)).is_relative_to(tmp_path / "worker")


def test_a_folder_that_is_not_mounted_is_an_error_and_not_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="mount it there"):
        _here(_Sent(job(str(tmp_path / "docs" / "a.md")), None))
