"""The primary metric for goldens of each kind, document and label."""

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from ragset.dataset.labels import KEYS, labels_of
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
_ORDER = {
    "hardness": ("easy", "medium", "hard"),
    "split": ("train", "validation", "test"),
    "overlap": ("low", "middle", "high"),
}
"""By the first word of a group's name; other groups go by size."""
_DRAWS = 1_000
_MEASURED: Mapping[str, Callable[[Golden], str]] = {
    "kind": lambda golden: golden.kind,
    "split": lambda golden: golden.split,
    "hardness": lambda golden: labels_of(golden).hardness,
    "closed_book": lambda golden: labels_of(golden).closed_book,
    "round_trip": lambda golden: labels_of(golden).found,
}

Groups = Mapping[str, Sequence[str]]


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
    goldens = [golden for golden in results.goldens if golden.id in scored]
    measured = {title: _single(goldens, of) for title, of in _MEASURED.items()}
    measured |= {"overlap": _thirds(goldens), "document": _documents(results, goldens)}
    fields = {field for golden in goldens for field in golden.metadata} - {*_KNOWN, *KEYS, "feedback", "wished"}
    labels = {
        field: _single(goldens, lambda golden, field=field: _label(golden, field))
        for field in (*_KNOWN, *sorted(fields), "persona", "language")
    }

    def intervals_of(ids: Sequence[str]) -> list[Interval]:
        rows = [[scores.get((entry.name, golden), math.nan) for golden in ids] for entry in board.entries]
        return intervals(np.array(rows), [clusters[golden] for golden in ids], draws=_DRAWS, seed=results.seed)

    # A label that names a single golden groups nothing.
    most = {**dict.fromkeys(labels, max(2, len(goldens) // 2)), **dict.fromkeys(measured, len(goldens))}
    varying = [
        (title, groups)
        for title, groups in {**measured, **labels}.items()
        if 1 < len({value for of in groups.values() for value in of}) <= most[title]
    ]
    return [_breakdown(title, groups, board, intervals_of) for title, groups in varying[:_MOST_TABLES]]


def _single(goldens: Sequence[Golden], label: Callable[[Golden], str]) -> Groups:
    return {golden.id: (value,) for golden in goldens if (value := label(golden))}


def _thirds(goldens: Sequence[Golden]) -> Groups:
    """By the share of the query's words that stand in the evidence: about a third of the goldens in each."""
    shares = {golden.id: share for golden in goldens if (share := labels_of(golden).overlap) is not None}
    if not shares:
        return {}
    order = sorted(shares.values())
    third = (len(order) - 1) // 3
    low, high = order[third], order[-1 - third]
    if low == high:
        # More than a third have one share: then there are those, and the ones apart from them.
        low, high = order[0], order[-1]

    def part(share: float) -> str:
        return f"low, to {low:.0%}" if share <= low else f"high, from {high:.0%}" if share >= high else "middle"

    return {golden: (part(share),) for golden, share in shares.items()}


def _label(golden: Golden, field: str) -> str:
    """The label in the metadata, or else of the last step that gave one."""
    value: Any = golden.metadata.get(field)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str | int):
        return str(value)
    return next((step.kind for step in reversed(golden.lineage) if step.stage == _LINEAGE.get(field)), "")


def _documents(results: Results, goldens: Sequence[Golden]) -> Groups:
    """The documents of each golden; where two have one title, their sources tell them apart."""
    ids = {span.doc_id for golden in goldens for span in golden.evidence}
    documents = {id_: results.corpus[id_] for id_ in sorted(ids) if id_ in results.corpus}
    seen = Counter(document.title for document in documents.values())

    def name(doc_id: str) -> str:
        if doc_id not in documents:
            return doc_id
        title, source = documents[doc_id].title, documents[doc_id].sources[0]
        return source if not title else title if seen[title] == 1 else f"{title} ({source})"

    return {golden.id: tuple(dict.fromkeys(name(span.doc_id) for span in golden.evidence)) for golden in goldens}


def _breakdown(
    title: str, groups: Groups, board: Board, intervals_of: Callable[[Sequence[str]], list[Interval]]
) -> Breakdown:
    members: dict[str, list[str]] = {}
    for golden, of in groups.items():
        for value in of:
            members.setdefault(value, []).append(golden)
    order = {value: place for place, value in enumerate(_ORDER.get(title, ()))}
    names = sorted(members, key=lambda name: (order.get(name.partition(",")[0], len(order)), -len(members[name]), name))
    columns = [intervals_of(members[name]) for name in names[:_MOST_GROUPS]]
    known = [cell.mean for column in columns for cell in column if cell.n]

    def shaded(cell: Interval) -> Shaded:
        return Shaded(finite(cell.mean), finite(cell.low), finite(cell.high), shade(cell.mean, known) if cell.n else 0)

    rows = zip(board.entries, (tuple(map(shaded, row)) for row in zip(*columns, strict=True)), strict=True)
    shown = tuple(Group(name, len(members[name])) for name in names[:_MOST_GROUPS])
    return Breakdown(title, shown, len(names) - len(shown), tuple(rows))
