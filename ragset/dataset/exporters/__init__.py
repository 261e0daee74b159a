"""Test sets written in the formats of other tools: one file and one `@exporter` for each kind of format.

Files are written without importing the tool that reads them. What a format has no place for is counted, never dropped unsaid.
"""

from ragset.dataset.exporters import (
    autorag,
    beir,
    deepeval,
    huggingface,
    langfuse,
    llamaindex,
    mlflow,
    mteb,
    phoenix,
    ragas,
    ragchecker,
    reviewing,
    tables,
    trec,
)
from ragset.dataset.exporters.export_set import ExportSet
from ragset.dataset.exporters.parts import PARTS
from ragset.dataset.exporters.registry import EXPORTERS, Exported, check_export, export, exporter

WRITERS = (  # each module registers its formats when it is imported
    *(tables, beir, trec, huggingface, mteb),
    *(ragas, deepeval, llamaindex, autorag, ragchecker),
    *(langfuse, phoenix, mlflow),
    reviewing,
)

__all__ = ["EXPORTERS", "PARTS", "ExportSet", "Exported", "check_export", "export", "exporter"]
