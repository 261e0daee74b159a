"""Configurations in the order of the primary metric: their table, and which of them is best."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ragset.evaluation.metrics.registry import OF_CLAIMS, find_metric, has_mean, in_order, ranks
from ragset.evaluation.results.folder import Benchmark
from ragset.evaluation.results.model import Results, Standing, System

PARTS = ("chunking", "embedding", "retrieval", "reranker", "reader")


class Entry(NamedTuple):
    """One configuration or other system."""

    place: int
    """From 1; of equal means first the one that others are compared with, then as the results list them."""
    system: System
    label: str
    """The parts that vary; its whole name where these are not unique."""
    parts: tuple[str, ...]
    """Those that vary; empty for another system."""
    standing: Standing

    @property
    def name(self) -> str:
        """The name in the results."""
        return self.system.name


class Board(NamedTuple):
    """All configurations, best first."""

    entries: tuple[Entry, ...]
    varying: tuple[str, ...]
    fixed: tuple[tuple[str, str], ...]
    """Parts with their one value in all configurations of the grid."""
    outside: tuple[System, ...]
    standings: Mapping[tuple[str, str], Standing]
    metrics: tuple[str, ...]
    """Those with a mean, the primary one first."""

    @property
    def labels(self) -> dict[str, str]:
        """Labels by configuration."""
        return {entry.name: entry.label for entry in self.entries}

    @property
    def named(self) -> bool:
        """Whether whole names are needed to tell configurations apart."""
        return not self.varying or any(entry.parts and entry.label == entry.name for entry in self.entries)

    @property
    def sizes(self) -> bool:
        """Whether the number of chunks is known and varies."""
        return len({entry.system.chunks for entry in self.entries} - {0}) > 1

    def leads(self, standing: Standing) -> bool:
        """Whether it is the best in its metric, or cannot be told from the best."""
        means = (one.mean for one in self.standings.values() if one.metric == standing.metric)
        best = max if ranks(standing.metric) else min
        return standing.tied or standing.mean == best(mean for mean in means if mean is not None)


def make_board(results: Results | Benchmark) -> Board:
    """The board; a configuration that nothing could be judged of stands last."""
    made = [system for system in results.systems if any(getattr(system, part) for part in PARTS)]
    values = {part: {getattr(system, part) for system in made} for part in PARTS}
    # BM25 embeds nothing, which retrieval says already
    values["embedding"] -= {""}
    varying = tuple(part for part in PARTS if len(values[part]) > 1)
    standings = {(standing.configuration, standing.metric): standing for standing in results.standings}
    labels = _labels(results.systems, varying)
    against = {one.against for one in results.comparisons} - {results.baseline}
    nothing = Standing(configuration="", metric=results.primary, mean=None, low=None, high=None, n=0)

    def better(system: System) -> tuple[bool, float, bool]:
        mean = standings.get((system.name, results.primary), nothing).mean
        return mean is None, -(mean or 0.0), system.name not in against

    return Board(
        entries=tuple(
            Entry(
                place=place,
                system=system,
                label=labels[system.name],
                parts=tuple(getattr(system, part) for part in varying) if system in made else (),
                standing=standings.get((system.name, results.primary), nothing),
            )
            for place, system in enumerate(sorted(results.systems, key=better), start=1)
        ),
        varying=varying,
        fixed=tuple((part, value) for part in PARTS if len(values[part]) == 1 for value in values[part] if value),
        outside=tuple(system for system in results.systems if system not in made),
        standings=standings,
        metrics=in_order({metric for _, metric in standings if _shown(metric, results.primary)}, results.primary),
    )


def _shown(metric: str, primary: str) -> bool:
    """Metrics of claims have a table of their own."""
    found = find_metric(metric)
    of_claims = found is not None and found[0].needs in OF_CLAIMS
    return has_mean(metric) and (not of_claims or metric == primary)


def _labels(systems: Sequence[System], varying: Sequence[str]) -> dict[str, str]:
    short: dict[str, str] = {}
    for system in systems:
        parts = (str(getattr(system, part)) for part in varying)
        short[system.name] = " · ".join(part for part in parts if part not in {"", "none"}) or system.name
    seen = Counter(short.values())
    return {name: label if seen[label] == 1 else name for name, label in short.items()}


class Verdict(NamedTuple):
    """What the data show in the primary metric: a winner, or those that cannot be told from the best."""

    winner: Entry | None
    tied: tuple[Entry, ...]
    """The best among them; none where there is a winner."""
    behind: int
    unjudged: int
    baseline: tuple[str, int, int, int] | None
    """Its label, and how many others are better, worse, or neither."""


def find_verdict(results: Results, board: Board) -> Verdict:
    """A winner is named only where no other has its mean and none is tied with it."""
    judged = [entry for entry in board.entries if entry.standing.mean is not None]
    told = [one.told for one in results.comparisons if one.against == results.baseline]
    label = board.labels.get(results.baseline, results.baseline)
    baseline = (label, told.count("better"), told.count("worse"), told.count("")) if told else None
    tied = tuple(entry for entry in judged if entry.standing.tied or entry.standing.mean == judged[0].standing.mean)
    alone = len(tied) == 1 and len(judged) > 1
    return Verdict(
        winner=judged[0] if alone else None,
        tied=() if alone else tied,
        behind=len(judged) - len(tied),
        unjudged=len(board.entries) - len(judged),
        baseline=baseline,
    )
