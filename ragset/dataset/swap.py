"""A folder that one run at a time writes, and that readers see whole or not at all: it is filled beside the old one, then both change places."""

import os
import shutil
import tempfile
import time
import uuid
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from pathlib import Path

from ragset.dataset.manifest import MANIFEST
from ragset.errors import InputError
from ragset.settings.lock import hold
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


_held: dict[Path, int] = {}  # the lock files that this process holds, with their descriptors


@contextmanager
def claimed(folder: Path) -> Generator[None]:
    """Keep other runs from writing to `folder` while the block runs; the claim ends with the process, however it ends."""
    _claim(folder)
    try:
        yield
    finally:
        _release(folder)


@contextmanager
def unclaimed(folder: Path) -> Generator[None]:
    """Let other runs write to a claimed `folder` while this one waits in the block, and claim it again afterwards."""
    before, ours = _written(folder), _release(folder)
    yield
    if ours:
        _claim(folder)
    if _written(folder) != before:
        raise InputError(
            f"{folder}: another run has written it while this one waited for approval, so it was left as it is; run again "
            "to go on from there, or name another folder as out: what was answered already is not asked again"
        )


def _written(folder: Path) -> tuple[int, int] | None:
    """Identifies the manifest in the folder: every run writes a new one."""
    try:
        found = (folder / MANIFEST).stat()
    except OSError:
        return None
    return found.st_ino, found.st_mtime_ns


def _claim(folder: Path) -> None:
    path = _lock_of(folder)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        held = hold(path)
        # The run before may have removed the file after it was opened here: then somebody else can have the next one.
        while held is not None and not (path.exists() and os.fstat(held).st_ino == path.stat().st_ino):
            os.close(held)
            held = hold(path)
    except OSError as error:
        fault = f"{path.parent} cannot be written ({error.strerror})"
        raise InputError(f"{folder}: {fault}; name another output folder with --out") from None
    if held is None:
        raise InputError(f"{folder}: another run is writing it; wait for that run, or name another folder with --out")
    _held[path] = held


def _release(folder: Path) -> bool:
    path = _lock_of(folder)
    held = _held.pop(path, None)
    if held is not None:
        path.unlink(missing_ok=True)
        os.close(held)
    return held is not None


def _lock_of(folder: Path) -> Path:
    target = folder.resolve()
    return target.with_name(f".{target.name}.lock")
