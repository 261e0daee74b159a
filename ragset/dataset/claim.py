"""One run at a time for an output folder."""

import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from ragset.errors import InputError
from ragset.lock import hold


@contextmanager
def claimed(folder: Path) -> Generator[None]:
    """Keep other runs from writing to `folder` while the block runs; the claim ends with the process, however it ends.

    Raises:
        InputError: another run has it, or the place cannot be written.
    """
    target = folder.resolve()
    path = target.with_name(f".{target.name}.lock")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        held = _hold(path)
    except OSError as error:
        raise InputError(
            f"{folder}: {target.parent} cannot be written ({error.strerror}); name another output folder with --out"
        ) from None
    if held is None:
        raise InputError(f"{folder}: another run is writing it; wait for that run, or name another folder with --out")
    try:
        yield
    finally:
        path.unlink(missing_ok=True)
        os.close(held)


def _hold(path: Path) -> int | None:
    while (held := hold(path)) is not None:
        # The run before may have removed the file after it was opened here: then somebody else can have the next one.
        if path.exists() and os.fstat(held).st_ino == path.stat().st_ino:
            return held
        os.close(held)
    return None
