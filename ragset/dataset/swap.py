"""A folder that readers see whole or not at all: the new one is filled beside the old one, and they change places at once."""

import os
import shutil
import tempfile
import time
import uuid
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from pathlib import Path

from ragset.errors import InputError
from ragset.settings.whole_file import ASIDE, exchange, same_file
from ragset.storage import send_copy

_PARTIAL = ".partial"
_ABANDONED = 3600
"""Seconds after which a folder that nobody finished is taken for a killed run's; writing one takes seconds."""


def check_free(folder: Path, belongs: str, what: str = "a dataset") -> None:
    """Raise an InputError if `folder` cannot take `what` or be replaced by it, as far as can be told beforehand."""
    mend = "name another output folder with --out"
    try:
        if folder.exists() and not folder.is_dir():
            raise InputError(f"{folder}: is a file; {mend}")
        if folder.is_dir() and any(folder.iterdir()) and not (folder / belongs).exists():
            raise InputError(f"{folder}: holds something else than {what}; {mend}, or empty it")
        if folder.is_mount():
            raise InputError(f"{folder}: is a mount point, which cannot be replaced; name a folder in it with --out")
        place = next(parent for parent in folder.resolve().parents if parent.exists())
        if not place.is_dir():
            raise InputError(f"{folder}: {place} is a file; {mend}")
    except OSError as error:
        raise InputError(f"{folder}: cannot be read ({error.strerror}); {mend}") from None
    try:
        # By trying: some places say that they can be written, and cannot.
        Path(tempfile.mkdtemp(prefix=".ragset-", dir=place)).rmdir()
    except OSError as error:
        raise InputError(f"{folder}: {place} cannot be written ({error.strerror}); {mend}") from None


@contextmanager
def replaced(folder: Path, belongs: str, what: str = "a dataset", keep: Iterable[str] = ()) -> Generator[Path]:
    """An empty folder to write into. It takes the place of `folder` when the block ends well, and is removed otherwise.

    `folder` may be missing, empty, or hold a file called `belongs`. Where it is a link, its target is replaced. Files of it
    called as in `keep` are in the new folder too, with all that others write to them meanwhile.
    """
    check_free(folder, belongs, what)
    target = folder.resolve()
    partial = target.with_name(f".{target.name}.{uuid.uuid4().hex[:8]}{_PARTIAL}")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        _clear_leftovers(target)
        partial.mkdir()
        yield partial
        for path in partial.rglob("*"):
            if path.is_file():
                with path.open("rb") as file:
                    os.fsync(file.fileno())
        for name in keep:
            if (target / name).exists():
                same_file(target / name, partial / name)
        exchange(partial, target)
        send_copy(target)
    except OSError as error:
        fault = error.strerror or type(error).__name__
        mend = "make room or name another output folder with --out"
        raise InputError(f"{folder}: cannot be written ({fault}); {mend}") from error
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def _clear_leftovers(target: Path) -> None:
    """Put back or remove what a killed run left beside `target`."""
    aside = target.with_name(f".{target.name}{ASIDE}")
    if aside.exists():
        if target.exists():
            shutil.rmtree(aside, ignore_errors=True)
        else:
            aside.rename(target)
    for path in target.parent.iterdir():
        ours = path.name.startswith(f".{target.name}.") and path.name.endswith(_PARTIAL)
        if ours and time.time() - path.stat().st_mtime > _ABANDONED:
            shutil.rmtree(path, ignore_errors=True)
