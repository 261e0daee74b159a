"""Test sets made elsewhere, read as goldens and documents: one file and one `@importer` for each format.

Evidence is aligned to spans of normalised documents; what cannot be aligned is reported, never guessed.
"""

from ragset.dataset.importers import autorag, beir, goldens_csv, offsets, table, trec
from ragset.dataset.importers.imported import ImportedSet, SetBuilder, Unaligned, excerpt
from ragset.dataset.importers.registry import FORMATS, importer, read_goldens, recognise

READERS = (autorag, beir, goldens_csv, offsets, trec, table)  # each registers its format when it is imported

__all__ = ["FORMATS", "ImportedSet", "SetBuilder", "Unaligned", "excerpt", "importer", "read_goldens", "recognise"]
