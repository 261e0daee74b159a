"""DeepEval: a JSON list of goldens."""

import json
from pathlib import Path

from ragset.dataset.exporters.contexts import contexts_of
from ragset.dataset.exporters.export_set import ExportSet
from ragset.dataset.exporters.parts import PARTS
from ragset.dataset.exporters.registry import exporter
from ragset.dataset.exporters.tables import details, rows

_KEEPS = tuple(part for part in PARTS if part != "documents")


@exporter("deepeval", "goldens for DeepEval: add_goldens_from_json_file", keeps=_KEEPS, ending=".json")
def write_deepeval(given: ExportSet, path: Path) -> None:
    """`name` is the golden's id; all that DeepEval has no field for stands in `additional_metadata`."""
    contexts = contexts_of(given)
    goldens = [
        {
            "name": row["id"],
            "input": row["query"],
            "expected_output": row["answer"],
            "context": [context.text for context in contexts[row["id"]]],
            "source_file": next(iter(row["sources"]), None),
            "additional_metadata": details(row),
        }
        for row in rows(given)
    ]
    path.write_text(json.dumps(goldens, ensure_ascii=False, indent=1) + "\n", encoding="utf-8", newline="")
