"""Test sets written in the formats of other tools: one file and one `@exporter` for each kind of format.

Files are written without importing the tool that reads them. What a format has no place for is counted, never dropped unsaid.
"""

from ragset.dataset.exporters import beir, frameworks, huggingface, ragchecker, reviewing, tables, trec, uploads
from ragset.dataset.exporters.export_set import ExportSet
from ragset.dataset.exporters.registry import EXPORTERS, PARTS, Exported, check_export, export, exporter

WRITERS = (tables, beir, trec, huggingface, frameworks, ragchecker, uploads, reviewing)
"""Each module registers its formats when it is imported."""

__all__ = ["EXPORTERS", "PARTS", "ExportSet", "Exported", "check_export", "export", "exporter"]
