"""One run at a time for an output folder."""

import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from ragset.dataset.manifest import MANIFEST
from ragset.errors import InputError
from ragset.settings.lock import hold

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
