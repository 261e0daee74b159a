"""Which generations of an index somebody works with: their files and collections stay as they are.

`<index>/uses/<generation>-*.lock` is held by a process from when it has indexed until it ends, however it ends.
"""

import contextlib
import os
from pathlib import Path
from uuid import uuid4

from ragset.lock import hold

_FOLDER = "uses"

_kept: dict[tuple[Path, str], int] = {}
"""Open files of this process, by index and generation."""


def keep_generation(folder: Path, generation: str) -> None:
    """Keep a generation until this process ends, or lets it go.

    To be called by who holds the lock of the index: another run could remove it before.
    """
    key = (folder.resolve(), generation)
    if key in _kept:
        return
    (folder / _FOLDER).mkdir(exist_ok=True)
    held = hold(folder / _FOLDER / f"{generation}-{uuid4().hex}.lock")
    assert held is not None  # nobody else knows the name
    _kept[key] = held


def let_go(folder: Path, generation: str) -> None:
    """Keep a generation no longer, as far as this process is concerned."""
    held = _kept.pop((folder.resolve(), generation), None)
    if held is not None:
        os.close(held)


def generations_in_use(folder: Path) -> set[str]:
    """Those that any process keeps, this one included; what ended processes left is removed."""
    used: set[str] = set()
    for path in sorted((folder / _FOLDER).glob("*.lock")):
        free = hold(path)
        if free is None:
            used.add(path.stem.partition("-")[0])
            continue
        os.close(free)
        with contextlib.suppress(OSError):
            path.unlink()
    return used
