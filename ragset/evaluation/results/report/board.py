"""Configurations in the order of the primary metric, by names short enough for a chart."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ragset.evaluation.results.model import Results, Standing, System

PARTS = ("chunking", "embedding", "retrieval", "reranker", "reader")
_NONE = {"", "none"}


class Entry(NamedTuple):
    """One configuration."""

    place: int
    """From 1; of equal means first the one that others are compared with, then as the results list them."""
    system: System
    label: str
    """What sets it apart from the others; its whole name where parts do not."""
    parts: tuple[str, ...]
    """Row for row with the parts that vary; empty for somebody else's system."""
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
    """Systems of somebody else, of whose parts nothing is known."""
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
    nothing = Standing(configuration="", metric=results.primary, mean=None, low=None, high=None, n=0)

    def standing(system: System) -> Standing:
        return standings.get((system.name, results.primary), nothing)

    against = {one.against for one in results.comparisons} - {results.baseline}

    def better(system: System) -> tuple[bool, float, bool]:
        mean = standing(system).mean
        return mean is None, -(mean or 0.0), system.name not in against

    entries = tuple(
        Entry(
            place=place,
            system=system,
            label=labels[system.name],
            parts=tuple(getattr(system, part) for part in varying) if system in made else (),
            standing=standing(system),
        )
        for place, system in enumerate(sorted(results.systems, key=better), start=1)
    )
    outside = tuple(system for system in results.systems if system not in made)
    return Board(entries, varying, fixed, outside, standings)


def _labels(systems: Sequence[System], varying: Sequence[str]) -> dict[str, str]:
    short: dict[str, str] = {}
    for system in systems:
        parts = [str(getattr(system, part)) for part in varying]
        short[system.name] = " · ".join(part for part in parts if part not in _NONE) or system.name
    seen = Counter(short.values())
    return {name: label if seen[label] == 1 else name for name, label in short.items()}
