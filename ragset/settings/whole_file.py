"""Files and folders that are replaced while others may read them."""

import ctypes
import os
import shutil
from pathlib import Path

ASIDE = ".aside"
_AT_FDCWD = -100
_EXCHANGE = 2


def replace_text(path: Path, text: str) -> None:
    """Write a file that a reader sees whole or not at all; the text stays as it is, line ends too."""
    partial = path.with_name(f".{path.name}.partial")
    partial.write_text(text, encoding="utf-8", newline="")
    partial.replace(path)


def same_file(path: Path, also: Path) -> None:
    """Make `also` another name of a file that nobody changes in place, or a copy where there are no links."""
    try:
        also.hardlink_to(path)
    except OSError:  # a file system without links
        shutil.copy2(path, also)


def exchange(new: Path, target: Path) -> None:
    """Put `new` in the place of `target`; what was there is gone or at `new` then."""
    if not target.exists():
        new.rename(target)
        return
    try:
        failed = ctypes.CDLL(None).renameat2(_AT_FDCWD, os.fsencode(new), _AT_FDCWD, os.fsencode(target), _EXCHANGE)
    except (AttributeError, OSError, TypeError):
        failed = True
    if failed:
        # Where the system knows no exchange: for an instant there is no folder, never half of one.
        aside = target.with_name(f".{target.name}{ASIDE}")
        target.rename(aside)
        try:
            new.rename(target)
        except OSError:
            aside.rename(target)
            raise
        shutil.rmtree(aside, ignore_errors=True)
