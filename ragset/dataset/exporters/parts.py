"""The parts of a test set that a format keeps or loses, and how many there are of each."""

from collections.abc import Callable
from typing import NamedTuple

from ragset.dataset.exporters.export_set import ExportSet
from ragset.dataset.labels import KEYS
from ragset.models import UNANSWERABLE, Golden

_LABELS = frozenset(KEYS) | {"style", "shape", "evolution", "weight"}


class Part(NamedTuple):
    """A part of a test set."""

    is_: str
    number: Callable[[ExportSet], int]


def _goldens(has: Callable[[Golden], object]) -> Callable[[ExportSet], int]:
    return lambda given: sum(bool(has(golden)) for golden in given.goldens)


def _documents(given: ExportSet) -> int:
    return len(given.corpus)


PARTS = {
    "queries": Part("queries that the corpus answers", _goldens(lambda one: one.kind != UNANSWERABLE)),
    "unanswerable": Part("queries that the corpus does not answer", _goldens(lambda one: one.kind == UNANSWERABLE)),
    "answers": Part("reference answers", _goldens(lambda one: one.answer)),
    "evidence": Part(
        "queries with the text of their evidence, or the passages that have it", _goldens(lambda one: one.evidence)
    ),
    "spans": Part("queries with the exact characters of their evidence", _goldens(lambda one: one.evidence)),
    "grades": Part("queries with graded relevance", _goldens(lambda one: one.grades)),
    "equivalents": Part("queries with other passages that answer them too", _goldens(lambda one: one.equivalents)),
    "conversations": Part("queries with the dialogue that leads to them", _goldens(lambda one: one.conversation)),
    "assertions": Part(
        "corpus-wide queries with the assertions that answers are graded by", _goldens(lambda one: one.assertions)
    ),
    "splits": Part("queries for training or validation", _goldens(lambda one: one.split != "test")),
    "labels": Part(
        "queries with labels: style, evolution, hardness, persona and so on",
        _goldens(lambda one: _LABELS & one.metadata.keys()),
    ),
    "scores": Part("queries with scores of the critic", _goldens(lambda one: one.scores)),
    "lineage": Part("queries with the prompts and models that made them", _goldens(lambda one: one.lineage)),
    "documents": Part("documents", _documents),
}
"""By name; each exporter names those that it keeps."""
