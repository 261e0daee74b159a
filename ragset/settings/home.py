"""The folder RAGSET_HOME: whether it can be written, and whether its disk has room."""

import errno
import re
import shutil
import tempfile
from collections.abc import Iterable
from pathlib import Path

from ragset.errors import DiskFull, InputError

LEAST_FREE = 32 * 2**20  # bytes before a model is asked: so much of replies and Prefect's database may be on its way
NEXT_TO_NOTHING = 2**20  # with fewer free bytes nothing can go on, and whatever failed failed for want of room
_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
# In messages of SQLite, Milvus and Arrow, which give no number.
_WORDS = re.compile(r"no space left|disk is full|disk i/o error|quota exceeded|file too large", re.IGNORECASE)


def check_home(home: Path) -> None:
    """Raise InputError if `home` cannot be written, DiskFull if it has no room for a run."""
    try:
        home.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=home):
            pass
    except OSError as error:
        if error.errno in _FULL:
            raise _full(home) from None
        raise InputError(
            f"RAGSET_HOME: {home} cannot be written ({error.strerror}); let it be written, or name another folder"
        ) from None
    check_room(home)


def check_room(home: Path, least: int = LEAST_FREE) -> None:
    """Raise DiskFull if less than `least` bytes are free."""
    if free_bytes(home) < least:
        raise _full(home)


def disk_fault(error: BaseException, folders: Iterable[Path]) -> DiskFull | None:
    """The error to raise if `error` came of a full disk, else None; `folders` are those that are written."""
    fullest = min(folders, key=free_bytes)
    full = free_bytes(fullest) < NEXT_TO_NOTHING
    cause: BaseException | None = error
    while cause is not None:
        full = full or (isinstance(cause, OSError) and cause.errno in _FULL) or bool(_WORDS.search(str(cause)))
        cause = cause.__cause__ or cause.__context__
    return _full(fullest) if full else None


def free_bytes(folder: Path) -> int:
    """Free bytes on the disk of the folder, or of the nearest one above it that exists."""
    try:
        return shutil.disk_usage(folder).free
    except (FileNotFoundError, NotADirectoryError):
        return free_bytes(folder.absolute().parent)


def _full(folder: Path) -> DiskFull:
    return DiskFull(
        f"{folder}: there is no room on its disk ({free_bytes(folder) / 2**20:.1f} MB are free, and a run needs {LEAST_FREE >> 20}); make "
        "room, or name a folder on another disk (RAGSET_HOME, --out). Run the same command then: what was kept is not asked again"
    )
