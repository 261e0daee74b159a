"""Notices that another run wrote an output folder while this one waited for approval."""

from contextvars import ContextVar
from pathlib import Path

from ragset.errors import InputError

_Stamp = tuple[int, int] | None
_seen: ContextVar[dict[Path, _Stamp] | None] = ContextVar("outputs", default=None)


def remember_output(folder: Path) -> None:
    """Note what is in the folder, for `check_output_unwritten`; to be called before a run begins to wait."""
    seen = _seen.get()
    if seen is None:
        seen = {}
        _seen.set(seen)
    seen.setdefault(folder.absolute(), _stamp(folder))


def check_output_unwritten(folder: Path) -> None:
    """Return if no other run has written the folder since `remember_output`; also if that was never called.

    Raises:
        InputError: another one has.
    """
    seen = _seen.get() or {}
    place = folder.absolute()
    if place in seen and seen[place] != _stamp(folder):
        raise InputError(
            f"{folder}: another run has written it while this one waited for approval, so it was left as it is; run again "
            "to go on from there, or name another folder as out: what was answered already is not asked again"
        )


def _stamp(folder: Path) -> _Stamp:
    """Of the report in it, which every run writes; what a person changes beside it does not count."""
    try:
        found = (folder / "report.html").stat()
    except OSError:
        return None
    return found.st_ino, found.st_mtime_ns
