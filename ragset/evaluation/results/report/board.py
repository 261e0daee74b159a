"""Configurations in the order of the primary metric: their table, and which of them is best."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ragset.evaluation.metrics.registry import has_mean, in_order
from ragset.evaluation.results.model import Results, Standing, System

PARTS = ("chunking", "embedding", "retrieval", "reranker", "reader")


class Entry(NamedTuple):
    """One configuration."""

    place: int
    """From 1; of equal means first the one that others are compared with, then as the results list them."""
    system: System
    label: str
    """What sets it apart from the others; its whole name where parts do not."""
    parts: tuple[str, ...]
    """Row for row with the parts that vary; empty for another system."""
    standing: Standing
    """In the primary metric."""

    @property
    def name(self) -> str:
        """Of the configuration, as the results have it."""
        return self.system.name


class Board(NamedTuple):
    """All of them."""

    entries: tuple[Entry, ...]
    varying: tuple[str, ...]
    """Parts that are not the same in all."""
    fixed: tuple[tuple[str, str], ...]
    """The others with what they are in all configurations of the grid, where they are anything."""
    outside: tuple[System, ...]
    """Other systems, of whose parts nothing is known."""
    standings: Mapping[tuple[str, str], Standing]
    """By configuration and metric."""

    @property
    def labels(self) -> dict[str, str]:
        """By configuration."""
        return {entry.name: entry.label for entry in self.entries}


def make_board(results: Results) -> Board:
    """The board; a configuration that nothing could be judged of stands last."""
    made = [system for system in results.systems if any(getattr(system, part) for part in PARTS)]
    values = {part: {getattr(system, part) for system in made} for part in PARTS}
    # BM25 embeds nothing, which retrieval says already
    values["embedding"] -= {""}
    varying = tuple(part for part in PARTS if len(values[part]) > 1)
    fixed = tuple((part, value) for part in PARTS if len(values[part]) == 1 for value in values[part] if value)
    standings = {(standing.configuration, standing.metric): standing for standing in results.standings}
    labels = _labels(results.systems, varying)
    against = {one.against for one in results.comparisons} - {results.baseline}
    nothing = Standing(configuration="", metric=results.primary, mean=None, low=None, high=None, n=0)

    def better(system: System) -> tuple[bool, float, bool]:
        mean = standings.get((system.name, results.primary), nothing).mean
        return mean is None, -(mean or 0.0), system.name not in against

    entries = tuple(
        Entry(
            place=place,
            system=system,
            label=labels[system.name],
            parts=tuple(getattr(system, part) for part in varying) if system in made else (),
            standing=standings.get((system.name, results.primary), nothing),
        )
        for place, system in enumerate(sorted(results.systems, key=better), start=1)
    )
    outside = tuple(system for system in results.systems if system not in made)
    return Board(entries, varying, fixed, outside, standings)


def _labels(systems: Sequence[System], varying: Sequence[str]) -> dict[str, str]:
    short: dict[str, str] = {}
    for system in systems:
        parts = [str(getattr(system, part)) for part in varying]
        short[system.name] = " · ".join(part for part in parts if part not in {"", "none"}) or system.name
    seen = Counter(short.values())
    return {name: label if seen[label] == 1 else name for name, label in short.items()}


class Verdict(NamedTuple):
    """What the data carry in the primary metric: a winner, or those that cannot be told apart."""

    winner: Entry | None
    """None where it is tied, alone, or nothing was judged."""
    tied: tuple[Entry, ...]
    """Those that cannot be told from the best, the best among them; none where there is a winner."""
    behind: int
    """Configurations that the data tell from the best."""
    unjudged: int
    """Configurations of which nothing could be judged."""
    baseline: tuple[str, int, int, int] | None
    """Its label, and how many others are better, worse, and not told from it."""


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


def _against_baseline(results: Results, board: Board) -> tuple[str, int, int, int] | None:
    told = [one.told for one in results.comparisons if one.against == results.baseline]
    if not results.baseline or not told:
        return None
    label = board.labels.get(results.baseline, results.baseline)
    return label, told.count("better"), told.count("worse"), told.count("")


class Leaderboard(NamedTuple):
    """The table of all configurations and metrics; the primary metric is the first column of scores."""

    metrics: tuple[str, ...]
    best: Mapping[str, float]
    """The highest mean in each metric."""
    named: bool
    """Whether whole names are needed to tell configurations apart."""
    sizes: bool
    """Whether the number of chunks is known and varies."""

    def leads(self, standing: Standing) -> bool:
        """Whether it is the best in its column, or not told from it."""
        return standing.tied or standing.mean == self.best[standing.metric]


def make_leaderboard(results: Results, board: Board) -> Leaderboard:
    """Metrics without a mean are no column."""
    metrics = in_order({one.metric for one in results.standings if has_mean(one.metric)}, results.primary)
    best: dict[str, float] = {}
    for standing in results.standings:
        if standing.mean is not None:
            best[standing.metric] = max(standing.mean, best.get(standing.metric, standing.mean))
    named = not board.varying or any(entry.parts and entry.label == entry.name for entry in board.entries)
    sizes = {entry.system.chunks for entry in board.entries} - {0}
    return Leaderboard(metrics, best, named, len(sizes) > 1)
