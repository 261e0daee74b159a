"""The primary metric for goldens of each kind, document and label."""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from ragset.dataset.labels import KEYS, labels_of
from ragset.documents.corpus import Corpus
from ragset.evaluation.golden_groups import Groups, by_document, by_label, by_overlap, members_of
from ragset.evaluation.metrics.resample import Interval, clusters_of, intervals
from ragset.evaluation.results.model import Results
from ragset.evaluation.results.report.board import Board, Entry
from ragset.evaluation.results.report.charts import shade
from ragset.evaluation.results.standings import finite
from ragset.models import Golden

_MOST_TABLES = 14
_MOST_GROUPS = 8
FEW = 10
"""A group of fewer goldens says little."""
_LINEAGE = {"style": "draft", "evolution": "evolve"}
_KNOWN = ("style", "shape", "evolution", "hops")
_DRAWS = 1_000
_MEASURED: Mapping[str, Callable[[Golden], str]] = {
    "kind": lambda golden: golden.kind,
    "split": lambda golden: golden.split,
    "hardness": lambda golden: labels_of(golden).hardness,
    "closed_book": lambda golden: labels_of(golden).closed_book,
    "round_trip": lambda golden: labels_of(golden).found,
}


class Group(NamedTuple):
    """A column, with its number of goldens."""

    name: str
    n: int


class Shaded(NamedTuple):
    """A mean with its 95 % interval; None where nothing was judged, and the interval of a single value."""

    mean: float | None
    low: float | None
    high: float | None
    shade: int


class Breakdown(NamedTuple):
    """One table, with a row for each configuration."""

    title: str
    groups: tuple[Group, ...]
    left_out: int
    rows: tuple[tuple[Entry, tuple[Shaded, ...]], ...]


def breakdowns(results: Results, board: Board) -> list[Breakdown]:
    """One table for each property that varies: kind, split, measured labels, document, labels in the metadata."""
    scores, clusters = results.values_of(results.primary), clusters_of(results.goldens)
    # Retrieval is not scored of a query without evidence, nor an abstention where there is an answer.
    scored = {golden for _, golden in scores}

    def intervals_of(ids: Sequence[str]) -> list[Interval]:
        rows = [[scores.get((entry.name, golden), math.nan) for golden in ids] for entry in board.entries]
        return intervals(np.array(rows), [clusters[golden] for golden in ids], draws=_DRAWS, seed=results.seed)

    varying = varying_labels([golden for golden in results.goldens if golden.id in scored], results.corpus)
    return [_breakdown(title, groups, board, intervals_of) for title, groups in varying[:_MOST_TABLES]]


def varying_labels(goldens: Sequence[Golden], corpus: Corpus) -> list[tuple[str, Groups]]:
    """The properties that differ among the goldens, by name: kind, split, measured labels, document, labels in the metadata."""
    measured = {title: by_label(goldens, of) for title, of in _MEASURED.items()}
    measured |= {"overlap": by_overlap(goldens), "document": by_document(goldens, corpus)}
    fields = {field for golden in goldens for field in golden.metadata} - {*_KNOWN, *KEYS, "feedback", "wished"}
    labels = {
        field: by_label(goldens, lambda golden, field=field: _label(golden, field))
        for field in (*_KNOWN, *sorted(fields), "persona", "language")
    }

    # A label that names a single golden groups nothing.
    most = {**dict.fromkeys(labels, max(2, len(goldens) // 2)), **dict.fromkeys(measured, len(goldens))}
    return [
        (title, groups)
        for title, groups in {**measured, **labels}.items()
        if 1 < len({value for of in groups.values() for value in of}) <= most[title]
    ]


def _label(golden: Golden, field: str) -> str:
    """The label in the metadata, or else of the last step that gave one."""
    value: Any = golden.metadata.get(field)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str | int):
        return str(value)
    return next((step.kind for step in reversed(golden.lineage) if step.stage == _LINEAGE.get(field)), "")


def _breakdown(
    title: str, groups: Groups, board: Board, intervals_of: Callable[[Sequence[str]], list[Interval]]
) -> Breakdown:
    members = members_of(groups, title)
    shown = tuple(Group(name, len(of)) for name, of in members.items())[:_MOST_GROUPS]
    columns = [intervals_of(members[group.name]) for group in shown]
    known = [cell.mean for column in columns for cell in column if cell.n]

    def shaded(cell: Interval) -> Shaded:
        return Shaded(finite(cell.mean), finite(cell.low), finite(cell.high), shade(cell.mean, known) if cell.n else 0)

    rows = zip(board.entries, (tuple(map(shaded, row)) for row in zip(*columns, strict=True)), strict=True)
    return Breakdown(title, shown, len(members) - len(shown), tuple(rows))
