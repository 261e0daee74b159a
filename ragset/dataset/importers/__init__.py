"""Test sets made elsewhere, as goldens and documents of ours.

Their evidence is aligned to spans of the normalised documents; what cannot be aligned is reported, never guessed.
"""

from ragset.dataset.importers.gathering import Foreign, Unaligned
from ragset.dataset.importers.read import KINDS, read_goldens

__all__ = ["KINDS", "Foreign", "Unaligned", "read_goldens"]
