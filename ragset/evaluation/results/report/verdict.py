"""What the data carry: a winner, or those that cannot be told apart."""

from typing import NamedTuple

from ragset.evaluation.metrics.paired import ALPHA
from ragset.evaluation.results.model import Results
from ragset.evaluation.results.report.board import Board, Entry


class Against(NamedTuple):
    """How the others stand to the baseline, as far as the data tell."""

    label: str
    better: int
    worse: int
    untold: int


class Verdict(NamedTuple):
    """In the primary metric."""

    winner: Entry | None
    """None where it is tied, alone, or nothing was judged."""
    tied: tuple[Entry, ...]
    """Those that cannot be told from the best, the best among them; none where there is a winner."""
    behind: int
    """Configurations that the data tell from the best."""
    unjudged: int
    """Configurations of which nothing could be judged."""
    baseline: Against | None


def find_verdict(results: Results, board: Board) -> Verdict:
    """A winner is named only where no other has its mean and none is tied with it."""
    judged = [entry for entry in board.entries if entry.standing.mean is not None]
    unjudged = len(board.entries) - len(judged)
    baseline = _against_baseline(results, board)
    if not judged:
        return Verdict(None, (), 0, unjudged, baseline)
    best, *others = judged
    tied = tuple(entry for entry in others if entry.standing.tied or entry.standing.mean == best.standing.mean)
    behind = len(others) - len(tied)
    if tied or not others:
        return Verdict(None, (best, *tied), behind, unjudged, baseline)
    return Verdict(best, (), behind, unjudged, baseline)


def _against_baseline(results: Results, board: Board) -> Against | None:
    compared = [one for one in results.comparisons if one.against == results.baseline and one.metric == results.primary]
    if not results.baseline or not compared:
        return None
    told = [one.difference for one in compared if one.p_holm < ALPHA]
    better = sum(difference > 0 for difference in told)
    worse = sum(difference < 0 for difference in told)
    label = board.labels.get(results.baseline, results.baseline)
    return Against(label, better, worse, len(compared) - better - worse)
