"""Which parts of a folder, such as generations of an index, are used by a process and must stay as they are.

A process holds `<folder>/uses/<name>-*.lock` from when it begins to use `name` until it ends, however it ends.
"""

import contextlib
import os
from pathlib import Path
from uuid import uuid4

from ragset.settings.lock import hold

_kept: dict[tuple[Path, str], int] = {}  # open files of this process, by folder and name


def mark_used(folder: Path, name: str) -> None:
    """Mark `name` as used until this process ends, or lets it go; the caller holds the lock of the folder."""
    key = (folder.resolve(), name)
    if key in _kept:
        return
    (folder / "uses").mkdir(exist_ok=True)
    held = hold(folder / "uses" / f"{name}-{uuid4().hex}.lock")
    assert held is not None  # nobody else knows the name of the file
    _kept[key] = held


def let_go(folder: Path, name: str) -> None:
    """Say that this process no longer uses `name`."""
    if (held := _kept.pop((folder.resolve(), name), None)) is not None:
        os.close(held)


def in_use(folder: Path) -> set[str]:
    """The names that any process uses, this one included. Removes the marks of processes that have ended."""
    used: set[str] = set()
    for path in sorted((folder / "uses").glob("*.lock")):
        if (free := hold(path)) is None:
            used.add(path.stem.partition("-")[0])
        else:
            os.close(free)
            with contextlib.suppress(OSError):
                path.unlink()
    return used
