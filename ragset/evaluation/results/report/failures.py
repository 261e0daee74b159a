"""Where configurations fail, in all and by label, and what the claims say."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from ragset.evaluation.failures import FAILURES, MEANINGS, RIGHT
from ragset.evaluation.metrics.registry import METRICS, OF_CLAIMS
from ragset.evaluation.results.model import Results, Standing
from ragset.evaluation.results.report.board import Board, Entry
from ragset.evaluation.results.report.breakdown import varying_labels

_SHOWN = 3
"""Configurations with tables by label: the best ones."""
_MOST_LABELS, _MOST_VALUES = 8, 8


class Counts(NamedTuple):
    """How many goldens are right, or fail at each step."""

    name: str
    place: int | None
    n: int
    parts: tuple[tuple[str, int, float], ...]
    """Step, number and percent, `right` first."""


class ByLabel(NamedTuple):
    """One configuration by the values of labels."""

    entry: Entry
    tables: tuple[tuple[str, tuple[Counts, ...]], ...]


class FailureSection(NamedTuple):
    """All that the report says about where configurations fail."""

    steps: tuple[str, ...]
    meanings: tuple[tuple[str, str], ...]
    rows: tuple[Counts, ...]
    by_label: tuple[ByLabel, ...]
    metrics: tuple[str, ...]
    claims: tuple[tuple[Entry, tuple[Standing | None, ...]], ...]
    """Means of the metrics of claims; empty where there is no diagnosis."""


def failure_section(results: Results, board: Board) -> FailureSection | None:
    """None where nothing is known of any configuration."""
    entries = [entry for entry in board.entries if results.failures.get(entry.name)]
    if not entries:
        return None
    rows = tuple(_counts(entry.label, list(results.failures[entry.name].values()), entry.place) for entry in entries)
    judged = {metric.name for metric in METRICS.values() if metric.needs in OF_CLAIMS}
    metrics = tuple(name for name in METRICS if name in judged and any(key[1] == name for key in board.standings))
    claims = tuple((entry, tuple(board.standings.get((entry.name, name)) for name in metrics)) for entry in entries)
    by_label = tuple(ByLabel(entry, _tables(results, entry)) for entry in entries[:_SHOWN])
    return FailureSection(
        steps=(RIGHT, *FAILURES),
        meanings=tuple(MEANINGS.items()),
        rows=rows,
        by_label=tuple(one for one in by_label if one.tables),
        metrics=metrics,
        claims=claims if metrics else (),
    )


def _tables(results: Results, entry: Entry) -> tuple[tuple[str, tuple[Counts, ...]], ...]:
    failures = results.failures[entry.name]
    goldens = [golden for golden in results.goldens if golden.id in failures]
    tables: list[tuple[str, tuple[Counts, ...]]] = []
    for title, groups in varying_labels(goldens, results.corpus)[:_MOST_LABELS]:
        members: dict[str, list[str]] = {}
        for golden, values in groups.items():
            for value in values:
                members.setdefault(value, []).append(failures[golden])
        ranked = sorted(members.items(), key=lambda one: (-len(one[1]), one[0]))[:_MOST_VALUES]
        tables.append((title, tuple(_counts(value, steps, None) for value, steps in ranked)))
    return tuple(tables)


def _counts(name: str, steps: Sequence[str], place: int | None) -> Counts:
    found, n = Counter(steps), len(steps)
    return Counts(
        name, place, n, tuple((step, found[step], round(100 * found[step] / n, 2)) for step in (RIGHT, *FAILURES))
    )
