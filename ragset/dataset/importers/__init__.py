"""Test sets made elsewhere, read as goldens and documents: one file and one `@importer` for each format.

What the goldens point at is aligned to spans of normalised documents. What cannot be aligned is reported, never guessed.
"""

from ragset.dataset.importers.beir import read_beir
from ragset.dataset.importers.chroma import read_chroma
from ragset.dataset.importers.imported import ImportedSet, SetBuilder, Unaligned, excerpt
from ragset.dataset.importers.registry import FORMATS, importer, read_goldens, recognise
from ragset.dataset.importers.squad import read_squad
from ragset.dataset.importers.table import read_context_table

__all__ = [
    "FORMATS",
    "ImportedSet",
    "SetBuilder",
    "Unaligned",
    "excerpt",
    "importer",
    "read_beir",
    "read_chroma",
    "read_context_table",
    "read_goldens",
    "read_squad",
    "recognise",
]
