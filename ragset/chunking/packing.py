"""Chunks as large as allowed that end where the text does: at the best boundary within reach."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import product

from ragset.chunking.boundaries import Boundaries
from ragset.chunking.ruler import Ruler

Stretch = tuple[int, int]  # half-open, without white space at either end


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
    blocks: Sequence[Stretch] = (),
) -> Iterator[Stretch]:
    """Stretches of `text[start:end]` of at most `size` units that share at most `overlap` with the one before.

    `levels` come best first: a stretch ends at the last boundary of the first level that has one beyond the share
    `fill` of what is in reach; where none has, at the last of the first that has any; else at the size. None of
    `blocks` (sorted, apart from one another) is cut that fits the size. Together the stretches hold every character
    that is not white space; their starts and their ends rise, so that none lies within another.
    """
    end = len(text) if end is None else end
    start = _skip(text, start, end)
    covered = start  # how far the stretches reach until now
    while start < end:
        # White space behind a stretch is dropped, and so costs nothing.
        reach = stop = _skip(text, min(ruler.reach(start, size), end), end)
        if reach < end:
            least = start + int((reach - start) * fill)
            stop = _best(levels, max(start, covered), least, reach)
            block = _block(blocks, stop)
            if block and ruler.measure(*block) <= size:
                stop = _around(text, block, covered, reach)
        tight = start + len(text[start:stop].rstrip())
        if tight <= covered:  # what was to be shared left no room for more
            start = _skip(text, covered, end)
            continue
        yield start, tight
        covered = tight
        after = _skip(text, stop, end)
        shared = _share(text, ruler, levels, blocks, overlap, start, tight) if overlap and after < end else None
        start = after if shared is None else shared


def _best(levels: Sequence[Boundaries], low: int, least: int, reach: int) -> int:
    ways = product(dict.fromkeys((max(low, least), low)), levels)
    places = (boundaries.last(beyond, reach) for beyond, boundaries in ways)
    return next((place for place in places if place is not None), reach)


def _around(text: str, block: Stretch, covered: int, reach: int) -> int:
    """Where to end instead of inside a block: after it, else before it, else at `covered`, so that the next begins with it."""
    if block[1] <= reach:
        return block[1]
    return block[0] if _skip(text, covered, block[0]) < block[0] else covered


def _share(
    text: str,
    ruler: Ruler,
    levels: Sequence[Boundaries],
    blocks: Sequence[Stretch],
    overlap: int,
    start: int,
    tight: int,
) -> int | None:
    """Where the next stretch begins so as to share up to `overlap` units with this one; None to share nothing."""
    earliest = _skip(text, max(ruler.back(tight, overlap), start + 1), tight)
    places = (boundaries.first(earliest, tight) for boundaries in levels)
    place = next((place for place in places if place is not None), None) if levels else earliest
    if place is None:
        return None
    block = _block(blocks, place)
    place = _skip(text, block[1] if block else place, tight)
    return place if place < tight else None


def _block(blocks: Sequence[Stretch], place: int) -> Stretch | None:
    at = bisect_right(blocks, (place, -1)) - 1
    return blocks[at] if at >= 0 and blocks[at][0] < place < blocks[at][1] else None


def _skip(text: str, start: int, end: int) -> int:
    while start < end and text[start].isspace():
        start += 1
    return start
