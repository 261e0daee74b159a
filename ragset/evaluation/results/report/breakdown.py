"""The primary metric for goldens of each kind, document and label."""

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from ragset.dataset.labels import KEYS, labels_of
from ragset.evaluation.metrics.resample import clusters_of
from ragset.evaluation.metrics.stats import Interval, intervals
from ragset.evaluation.results.model import Results
from ragset.evaluation.results.report.board import Board, Entry
from ragset.evaluation.results.report.charts import shade
from ragset.evaluation.results.report.scores import scores_of
from ragset.models import Golden

_MOST = 8
"""Groups in a table: the largest."""
_TABLES = 14
FEW = 10
"""Goldens, under which a group says little."""
_LINEAGE = {"style": "draft", "evolution": "evolve"}
_KNOWN = ("style", "shape", "evolution", "hops")
_ORDER = {
    "hardness": ("easy", "medium", "hard"),
    "split": ("train", "validation", "test"),
    "overlap": ("low", "middle", "high"),
}
"""Of groups that have one, by the first word of their names; others go by size."""
_DRAWS = 1_000
"""For each interval; there are many, and nothing is concluded from them."""


class Group(NamedTuple):
    """A column: goldens that have something in common."""

    name: str
    n: int
    """A document's share every golden with evidence in it."""

    @property
    def few(self) -> bool:
        """Whether they are so few that their mean says little."""
        return self.n < FEW


class Shaded(NamedTuple):
    """A mean with its 95 % interval; None where nothing was judged, and the interval of a single value."""

    mean: float | None
    low: float | None
    high: float | None
    shade: int


class Breakdown(NamedTuple):
    """A row for each configuration."""

    title: str
    groups: tuple[Group, ...]
    left_out: int
    """Smaller groups."""
    rows: tuple[tuple[Entry, tuple[Shaded, ...]], ...]


def breakdowns(results: Results, board: Board) -> list[Breakdown]:
    """By all that varies among the goldens: kind, split, what was measured of them, document, labels in their metadata."""
    scores, clusters = scores_of(results, results.primary), clusters_of(results.goldens)
    # Retrieval is not scored of a query without evidence, nor an abstention where there is an answer.
    scored = {golden for _, golden in scores}
    goldens = [golden for golden in results.goldens if golden.id in scored]
    labels = {title: _single(goldens, of) for title, of in _MEASURED.items()}
    labels["overlap"] = _thirds(goldens)
    labels["document"] = _documents(results, goldens)
    fields = {field for golden in goldens for field in golden.metadata}
    for field in [*_KNOWN, *sorted(fields - {*_KNOWN, *KEYS, "feedback", "wished"}), "persona", "language"]:
        labels[field] = _single(goldens, lambda golden, field=field: _label(golden, field))

    table = {
        golden.id: [scores.get((entry.name, golden.id), math.nan) for entry in board.entries] for golden in goldens
    }

    def intervals_of(ids: Sequence[str]) -> list[Interval]:
        rows = np.array([table[golden] for golden in ids], dtype=np.float64).T
        return intervals(rows, [clusters[golden] for golden in ids], draws=_DRAWS, seed=results.seed)

    found = [
        _breakdown(title, of, board, intervals_of) for title, of in labels.items() if _varies(title, of, len(goldens))
    ]
    return found[:_TABLES]


_MEASURED: Mapping[str, Callable[[Golden], str]] = {
    "kind": lambda golden: golden.kind,
    "split": lambda golden: golden.split,
    "hardness": lambda golden: labels_of(golden).hardness,
    "closed_book": lambda golden: labels_of(golden).closed_book,
    "round_trip": lambda golden: labels_of(golden).found,
}


def _single(goldens: Sequence[Golden], label: Callable[[Golden], str]) -> dict[str, tuple[str, ...]]:
    return {golden.id: (value,) for golden in goldens if (value := label(golden))}


def _thirds(goldens: Sequence[Golden]) -> dict[str, tuple[str, ...]]:
    """By the share of the query's words that stand in the evidence: thirds of the goldens, equal shares in one of them."""
    shares = {golden.id: share for golden in goldens if (share := labels_of(golden).overlap) is not None}
    order = sorted(shares.values())
    third = (len(order) - 1) // 3
    bounds = (order[third], order[-1 - third]) if order else (0.0, 0.0)
    if bounds[0] == bounds[1]:
        # More than a third have one share: then there are those, and the ones apart from them.
        bounds = (order[0], order[-1]) if order else bounds
    named: dict[str, list[float]] = {}
    for share in order:
        named.setdefault(_third(share, *bounds), []).append(share)
    names = {part: f"{part}, {_range(of[0], of[-1])}" for part, of in named.items()}
    return {golden: (names[_third(share, *bounds)],) for golden, share in shares.items()}


def _third(share: float, low: float, high: float) -> str:
    return "low" if share <= low else "high" if share >= high else "middle"


def _range(least: float, most: float) -> str:
    low, high = f"{least:.0%}", f"{most:.0%}"
    return low if low == high else f"{low} to {high}"


def _varies(title: str, labels: Mapping[str, Sequence[str]], goldens: int) -> bool:
    """Whether goldens differ in it, and share it: what names a single golden groups nothing."""
    values = {value for of in labels.values() for value in of}
    return len(values) > 1 and (title in {*_MEASURED, "overlap", "document"} or len(values) <= max(2, goldens // 2))


def _label(golden: Golden, field: str) -> str:
    """A label in the metadata, or else of the last step that gave one; empty where there is none."""
    value: Any = golden.metadata.get(field)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str | int):
        return str(value)
    return next((step.kind for step in reversed(golden.lineage) if step.stage == _LINEAGE.get(field)), "")


def _documents(results: Results, goldens: Sequence[Golden]) -> dict[str, tuple[str, ...]]:
    """The documents of each golden; where two have one title, their sources tell them apart."""
    ids = sorted({span.doc_id for golden in goldens for span in golden.evidence})
    titles = {doc_id: title_of(results, doc_id) for doc_id in ids}
    seen = Counter(title for title, _ in titles.values())
    names = {id_: title if seen[title] == 1 else f"{title} ({source})" for id_, (title, source) in titles.items()}
    return {golden.id: tuple(dict.fromkeys(names[span.doc_id] for span in golden.evidence)) for golden in goldens}


def title_of(results: Results, doc_id: str) -> tuple[str, str]:
    """Of a document, with its source; the id of one that the corpus lacks."""
    if doc_id not in results.corpus:
        return doc_id, doc_id
    document = results.corpus[doc_id]
    return document.title or document.sources[0], document.sources[0]


def _breakdown(
    title: str,
    labels: Mapping[str, Sequence[str]],
    board: Board,
    intervals_of: Callable[[Sequence[str]], list[Interval]],
) -> Breakdown:
    members: dict[str, list[str]] = {}
    for golden, of in labels.items():
        for value in of:
            members.setdefault(value, []).append(golden)
    order = {value: place for place, value in enumerate(_ORDER.get(title, ()))}
    groups = sorted(
        members, key=lambda value: (order.get(value.partition(",")[0], len(order)), -len(members[value]), value)
    )
    shown = groups[:_MOST]
    cells = {
        (entry.name, group): cell
        for group in shown
        for entry, cell in zip(board.entries, intervals_of(members[group]), strict=True)
    }
    known = [cell.mean for cell in cells.values() if cell.n]

    def shaded(name: str, group: str) -> Shaded:
        cell = cells[name, group]
        if not cell.n:
            return Shaded(None, None, None, 0)
        low, high = (None, None) if math.isnan(cell.low) else (cell.low, cell.high)
        return Shaded(cell.mean, low, high, shade(cell.mean, known))

    rows = tuple((entry, tuple(shaded(entry.name, group) for group in shown)) for entry in board.entries)
    return Breakdown(title, tuple(Group(group, len(members[group])) for group in shown), len(groups) - len(shown), rows)
