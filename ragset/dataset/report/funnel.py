"""The funnel as a picture: a stream that each stage narrows, with what was rejected bending off to its reasons."""

from collections.abc import Sequence
from typing import NamedTuple

from ragset.dataset.manifest import FunnelRow

_STREAM = 74.0  # width of the widest stream, in a picture that is 100 wide and 100 high for each stage
_LEAST = 0.8  # width of the thinnest: one of ten thousand can still be seen
_BEFORE = ("chunk", "sample", "passages", "refresh")  # stages whose numbers are not of candidates
_TITLES = {
    "read": "Query read, each once",
    "grade": "Passages graded",
    "support": "Other passages compared",
    "rules": "Checked by free rules",
    "judge": "Judged by the critic",
    "expand": "Grown into a context",
    "draft": "Query drafted",
    "split": "Conjoined query split",
    "query": "Query judged alone",
    "find": "Searched for again",
    "relevant": "Relevant chunks named",
    "necessity": "Tested for necessity",
    "evolve": "Query evolved",
    "answer": "Answered with quotes",
    "critique": "Critiqued",
    "keep": "Kept",
    "review": "Judged by people",
}


class Stage(NamedTuple):
    """One row of the picture."""

    row: FunnelRow
    title: str
    share: str  # of what entered, what went on
    stream: float  # width of what goes on
    bend: str  # SVG path of what does not; empty where all goes on


class Picture(NamedTuple):
    """The whole funnel."""

    before: list[FunnelRow]  # stages shown in words, whose numbers are not of candidates
    stages: list[Stage]


def funnel_picture(rows: Sequence[FunnelRow]) -> Picture:
    """The picture of a funnel, to the scale of its widest stage."""
    drawn = [row for row in rows if row.stage not in _BEFORE]
    most = max((max(row.entered, row.left) for row in drawn), default=0)

    def width(count: int) -> float:
        return round(max(_LEAST, _STREAM * count / most), 2) if count else 0.0

    stages: list[Stage] = []
    for row in drawn:
        title = _TITLES.get(row.stage, row.stage.replace("_", " ").capitalize())
        share = f"{row.left / row.entered:.0%}" if row.entered else "–"
        bend = _bend(width(row.left), width(row.entered)) if row.left < row.entered or row.rejected else ""
        stages.append(Stage(row, title, share, width(row.left), bend))
    return Picture([row for row in rows if row.stage in _BEFORE], stages)


def _bend(inner: float, outer: float) -> str:
    """From between `inner` and `outer` at the top to the middle of the right edge."""
    outer = max(outer, inner + _LEAST)
    half = 2 + 18 * (outer - inner) / _STREAM
    high, low = f"{50 - half:.2f}", f"{50 + half:.2f}"
    middle = f"{(outer + 100) / 2:.2f}"
    return (
        f"M{inner:.2f} 0H{outer:.2f}C{outer:.2f} {high} {middle} {high} 100 {high}"
        f"V{low}C{middle} {low} {inner:.2f} {low} {inner:.2f} 0Z"
    )
