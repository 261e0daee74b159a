"""Chunks as large as allowed that end where the text does: at the best boundary within reach."""

from collections.abc import Iterator, Sequence

from ragset.chunking.boundaries import Boundaries
from ragset.chunking.ruler import Ruler

Stretch = tuple[int, int]
"""Half-open, without white space at either end."""


def pack(
    text: str,
    ruler: Ruler,
    levels: Sequence[Boundaries],
    *,
    size: int,
    overlap: int = 0,
    start: int = 0,
    end: int | None = None,
    fill: float = 0.0,
) -> Iterator[Stretch]:
    """Stretches of `text[start:end]` of at most `size` units that share at most `overlap` with the one before.

    `levels` come best first: a stretch ends at the last boundary of the first level that has one beyond the share
    `fill` of what is in reach; where none has, at the last of the first that has any; else at the size. Together the
    stretches hold every character that is not white space, and their starts rise.
    """
    end = len(text) if end is None else end
    start = _skip(text, start, end)
    while start < end:
        stop = min(ruler.reach(start, size), end)
        if stop < end:
            stop = _best(levels, start, stop, fill)
        tight = _shrink(text, start, stop)
        yield start, tight
        after = _skip(text, stop, end)
        if after >= end:
            return
        shared = _share(ruler, levels, overlap, start, tight) if overlap else None
        start = _skip(text, after if shared is None else shared, end)


def _best(levels: Sequence[Boundaries], start: int, stop: int, fill: float) -> int:
    least = start + int((stop - start) * fill)
    for low in dict.fromkeys((least, start)):
        for boundaries in levels:
            place = boundaries.last(low, stop)
            if place is not None:
                return place
    return stop


def _share(ruler: Ruler, levels: Sequence[Boundaries], overlap: int, start: int, tight: int) -> int | None:
    """Where the next stretch begins so as to share up to `overlap` units with this one; None to share nothing."""
    earliest = max(ruler.back(tight, overlap), start + 1)
    if earliest >= tight:
        return None
    if not levels:
        return earliest
    for boundaries in levels:
        place = boundaries.first(earliest, tight)
        if place is not None:
            return place
    return None


def _skip(text: str, start: int, end: int) -> int:
    while start < end and text[start].isspace():
        start += 1
    return start


def _shrink(text: str, start: int, stop: int) -> int:
    while stop > start and text[stop - 1].isspace():
        stop -= 1
    return stop
