"""Ragas: JSON Lines for `EvaluationDataset.from_jsonl`."""

import json
from pathlib import Path

from ragset.dataset.exporters.contexts import contexts_of
from ragset.dataset.exporters.export_set import ExportSet
from ragset.dataset.exporters.registry import exporter
from ragset.dataset.labels import labels_of
from ragset.models import UNANSWERABLE

_KEEPS = ("queries", "unanswerable", "answers", "evidence", "spans", "splits")


@exporter("ragas", "JSON lines for Ragas: EvaluationDataset.from_jsonl", keeps=_KEEPS, ending=".jsonl")
def write_ragas(given: ExportSet, path: Path) -> None:
    """A sample for each golden, with its id and split, which Ragas ignores. Unanswerable queries have no reference.

    They come last: Ragas takes the fields that all samples have from the first one.
    """
    contexts = contexts_of(given)
    # Escaped to ASCII, because Ragas reads files in the encoding of the computer.
    with path.open("w", encoding="ascii", newline="\n") as file:
        for golden in sorted(given.goldens, key=lambda golden: golden.kind == UNANSWERABLE):
            sample = {
                "id": golden.id,
                "user_input": golden.query,
                "reference": golden.answer or None,
                "reference_contexts": [context.text for context in contexts[golden.id]],
                "reference_context_ids": [context.id for context in contexts[golden.id]],
                "persona_name": labels_of(golden).persona or None,
                "query_style": golden.metadata.get("style") or golden.metadata.get("shape"),
                "split": golden.split,
            }
            file.write(json.dumps(sample) + "\n")
