import errno
import sqlite3
from pathlib import Path

import pytest

from ragset.errors import DiskFull, InputError, StoreError
from ragset.settings.home import check_home, check_room, disk_fault, free_bytes


def test_room_is_measured_where_the_folder_will_be(tmp_path: Path) -> None:
    assert free_bytes(tmp_path / "not" / "there") == pytest.approx(free_bytes(tmp_path), rel=0.5)
    check_room(tmp_path / "not" / "there", least=1)
    with pytest.raises(DiskFull, match=r"there: there is no room on its disk .* MB are free"):
        check_room(tmp_path / "not" / "there", least=2**62)


def test_a_home_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match=r"RAGSET_HOME: .*file/home cannot be written \(Not a directory\)"):
        check_home(tmp_path / "file" / "home")


def caused(error: Exception, cause: Exception) -> Exception:
    error.__cause__ = cause
    return error


@pytest.mark.parametrize(
    ("error", "full"),
    [
        (OSError(errno.ENOSPC, "No space left on device"), True),
        (OSError(errno.EDQUOT, "Disk quota exceeded"), True),
        (sqlite3.OperationalError("database or disk is full"), True),
        (caused(StoreError("Milvus could not write"), OSError(errno.ENOSPC, "x")), True),
        (OSError(errno.ENOENT, "No such file or directory"), False),
        (KeyError("id"), False),
    ],
)
def test_an_error_of_a_full_disk_is_known_by_whatever_caused_it(tmp_path: Path, error: Exception, full: bool) -> None:
    assert (disk_fault(error, [tmp_path]) is not None) == full
