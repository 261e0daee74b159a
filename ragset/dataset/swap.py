"""A folder that is seen whole or not at all."""

import ctypes
import errno
import os
import shutil
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from ragset.errors import InputError

_AT_FDCWD = -100
_EXCHANGE = 2


def check_free(folder: Path, belongs: str) -> None:
    """Return if `folder` may be written or replaced, as far as can be told beforehand.

    Raises:
        InputError: it is somebody else's, or the place cannot be written.
    """
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{folder}: is a file; name another output folder")
    if folder.is_dir() and any(folder.iterdir()) and not (folder / belongs).exists():
        raise InputError(f"{folder}: holds something else than a dataset; name another output folder, or empty it")
    place = next(parent for parent in folder.absolute().parents if parent.exists())
    if not os.access(place, os.W_OK):
        raise InputError(f"{folder}: {place} cannot be written; name another output folder with --out")


@contextmanager
def replaced(folder: Path, belongs: str) -> Generator[Path]:
    """An empty folder to write into; it takes the place of `folder` when the block ends well, and is gone otherwise.

    `folder` may be missing, empty, or hold a file called `belongs`; any other is somebody else's.

    Raises:
        InputError: the folder is somebody else's, or cannot be written; what was there before is still there.
    """
    check_free(folder, belongs)
    partial: Path | None = None
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        partial = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
        partial.chmod(0o777 & ~_umask())
        yield partial
        _exchange(partial, folder)
    except OSError as error:
        raise InputError(
            f"{folder}: cannot be written ({error.strerror}); make room or name another output folder with --out"
        ) from error
    finally:
        if partial is not None:
            shutil.rmtree(partial, ignore_errors=True)


def _exchange(new: Path, folder: Path) -> None:
    """Put `new` in the place of `folder`; what was there is then at `new`."""
    if not folder.exists():
        new.rename(folder)
        return
    try:
        libc = ctypes.CDLL(None, use_errno=True)
        failed = libc.renameat2(_AT_FDCWD, os.fsencode(new), _AT_FDCWD, os.fsencode(folder), _EXCHANGE)
        fault = ctypes.get_errno() if failed else 0
    except (AttributeError, OSError):
        fault = errno.ENOSYS
    if not fault:
        return
    if fault not in {errno.ENOSYS, errno.EINVAL}:
        raise OSError(fault, os.strerror(fault))
    # No exchange on this system: for an instant there is no folder, never half of one.
    aside = new.with_name(f"{new.name}.old")
    folder.rename(aside)
    new.rename(folder)
    shutil.rmtree(aside, ignore_errors=True)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
