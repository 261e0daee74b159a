"""Flat tables: a row for each golden."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ragset.dataset.exporters.export_set import ExportSet
from ragset.dataset.exporters.parts import PARTS
from ragset.dataset.exporters.registry import exporter
from ragset.dataset.labels import labels_of
from ragset.dataset.table import SCORES
from ragset.models import Golden

_ALL_OF_GOLDENS = tuple(part for part in PARTS if part != "documents")


@exporter(
    "jsonl", "a JSON line for each golden, with the texts of its evidence", keeps=_ALL_OF_GOLDENS, ending=".jsonl"
)
def write_jsonl(given: ExportSet, path: Path) -> None:
    """Lists and objects stay what they are."""
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for row in rows(given):
            file.write(json.dumps(row, ensure_ascii=False) + "\n")


def rows(given: ExportSet) -> Iterator[dict[str, Any]]:
    """All that is known of each golden, by column; `relevant` are the passages of the chunking, or documents, with grades."""
    for golden in given.goldens:
        yield _row(given, golden)


def _row(given: ExportSet, golden: Golden) -> dict[str, Any]:
    labels, documents = labels_of(golden), given.places(golden)
    return {
        **{name: getattr(golden, name) for name in ("id", "query", "answer", "kind", "split")},
        "evidence": given.texts(golden.evidence),
        "spans": [span.id for span in golden.evidence],
        "grades": list(golden.grades or (1,) * len(golden.evidence)),
        "titles": [document.title for document in documents],
        "sources": [source for document in documents for source in document.sources],
        "equivalents": given.texts(golden.equivalents),
        "equivalent_spans": [span.id for span in golden.equivalents],
        "relevant": [{"id": id_, "grade": grade} for id_, grade in given.qrels[golden.id].items()],
        **{key: golden.metadata.get(key) for key in ("style", "shape", "evolution")},
        **{name: golden.scores.get(name) for name in SCORES},
        **{key: getattr(labels, key) or None for key in ("hardness", "closed_book", "persona", "language", "missing")},
        "round_trip": labels.round_trip and labels.round_trip.rank,
        "overlap": labels.overlap,
        "chunks": list(golden.chunks),
        "lineage": [step.model_dump() for step in golden.lineage],
        "metadata": golden.metadata,
    }
