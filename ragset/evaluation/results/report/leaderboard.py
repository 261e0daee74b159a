"""The table of all configurations and metrics."""

from typing import NamedTuple

from ragset.evaluation.metrics.registry import has_mean, in_order
from ragset.evaluation.results.model import Results, Standing
from ragset.evaluation.results.report.board import Board, Entry


class Score(NamedTuple):
    """One cell."""

    standing: Standing | None
    leads: bool
    """The best in its column, or not told from it."""


class Row(NamedTuple):
    """One configuration."""

    entry: Entry
    tied: bool
    """With others for the first place."""
    scores: tuple[Score, ...]


class Leaderboard(NamedTuple):
    """Rows by the primary metric, which is the first column of scores."""

    metrics: tuple[str, ...]
    rows: tuple[Row, ...]
    named: bool
    """Whether whole names are needed to tell configurations apart."""
    sizes: bool
    """Whether the number of chunks is known and varies."""


def make_leaderboard(results: Results, board: Board, tied: tuple[Entry, ...]) -> Leaderboard:
    """`tied` are those that share the first place."""
    metrics = in_order({one.metric for one in results.standings if has_mean(one.metric)}, results.primary)
    best: dict[str, float] = {}
    for standing in results.standings:
        if standing.mean is not None:
            best[standing.metric] = max(standing.mean, best.get(standing.metric, standing.mean))

    def score(entry: Entry, metric: str) -> Score:
        standing = board.standings.get((entry.name, metric))
        leads = standing is not None and standing.mean is not None and (standing.tied or standing.mean == best[metric])
        return Score(standing, leads)

    sharing = {entry.name for entry in tied} if len(tied) > 1 else set[str]()
    rows = tuple(
        Row(entry, entry.name in sharing, tuple(score(entry, metric) for metric in metrics)) for entry in board.entries
    )
    named = not board.varying or any(entry.parts and entry.label == entry.name for entry in board.entries)
    sizes = {entry.system.chunks for entry in board.entries} - {0}
    return Leaderboard(metrics, rows, named, len(sizes) > 1)
