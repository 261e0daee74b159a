"""The primary metric for goldens of each kind, document and label."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from ragset.models import Golden
from ragset.results.model import Results
from ragset.results.report.board import Board, Entry
from ragset.results.report.charts import shade
from ragset.results.report.scores import mean, scores_of

_MOST = 8
"""Groups in a table: the largest; and tables."""
FEW = 10
"""Goldens, under which a group says little."""
_LINEAGE = {"style": "draft", "evolution": "evolve"}
_KNOWN = ("style", "shape", "evolution", "hardness", "hops")


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
    """A mean; None where nothing was judged."""

    mean: float | None
    shade: int


class Breakdown(NamedTuple):
    """A row for each configuration."""

    title: str
    groups: tuple[Group, ...]
    left_out: int
    """Smaller groups."""
    rows: tuple[tuple[Entry, tuple[Shaded, ...]], ...]


def breakdowns(results: Results, board: Board) -> list[Breakdown]:
    """By all that varies among the goldens: kind, document, labels in their metadata."""
    goldens = results.goldens
    labels: dict[str, dict[str, tuple[str, ...]]] = {
        "kind": {golden.id: (golden.kind,) for golden in goldens},
        "document": _documents(results),
    }
    fields = {field for golden in goldens for field in golden.metadata}
    for field in [*_KNOWN, *sorted(fields - {*_KNOWN})]:
        labels[field] = {golden.id: (value,) for golden in goldens if (value := _label(golden, field))}
    scores = scores_of(results, results.primary)
    found = [_breakdown(title, of, board, scores) for title, of in labels.items() if _varies(title, of, len(goldens))]
    return found[:_MOST]


def _varies(title: str, labels: Mapping[str, Sequence[str]], goldens: int) -> bool:
    """Whether goldens differ in it, and share it: what names a single golden groups nothing."""
    values = {value for of in labels.values() for value in of}
    return len(values) > 1 and (title in {"kind", "document"} or len(values) <= max(2, goldens // 2))


def _label(golden: Golden, field: str) -> str:
    """A label in the metadata, or else of the last step that gave one; empty where there is none."""
    value: Any = golden.metadata.get(field)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str | int):
        return str(value)
    return next((step.kind for step in reversed(golden.lineage) if step.stage == _LINEAGE.get(field)), "")


def _documents(results: Results) -> dict[str, tuple[str, ...]]:
    """The documents of each golden; where two have one title, their sources tell them apart."""
    ids = sorted({span.doc_id for golden in results.goldens for span in golden.evidence})
    titles = {doc_id: title_of(results, doc_id) for doc_id in ids}
    seen = Counter(title for title, _ in titles.values())
    names = {id_: title if seen[title] == 1 else f"{title} ({source})" for id_, (title, source) in titles.items()}
    return {
        golden.id: tuple(dict.fromkeys(names[span.doc_id] for span in golden.evidence)) for golden in results.goldens
    }


def title_of(results: Results, doc_id: str) -> tuple[str, str]:
    """Of a document, with its source; the id of one that the corpus lacks."""
    if doc_id not in results.corpus:
        return doc_id, doc_id
    document = results.corpus[doc_id]
    return document.title or document.sources[0], document.sources[0]


def _breakdown(
    title: str, labels: Mapping[str, Sequence[str]], board: Board, scores: Mapping[tuple[str, str], float]
) -> Breakdown:
    sizes = Counter(value for of in labels.values() for value in of)
    groups = sorted(sizes, key=lambda value: (-sizes[value], value))
    shown = groups[:_MOST]
    means = {
        (entry.name, group): mean(
            [
                scores[entry.name, golden]
                for golden, of in labels.items()
                if group in of and (entry.name, golden) in scores
            ]
        )
        for entry in board.entries
        for group in shown
    }
    known = [value for value in means.values() if value is not None]

    def shaded(value: float | None) -> Shaded:
        return Shaded(value, 0 if value is None else shade(value, known))

    rows = tuple((entry, tuple(shaded(means[entry.name, group]) for group in shown)) for entry in board.entries)
    return Breakdown(title, tuple(Group(group, sizes[group]) for group in shown), len(groups) - len(shown), rows)
