"""The chunks of one corpus, strategy and embedding: files that are the truth, and their collection."""

from ragset.retrieval.index.build import build_index
from ragset.retrieval.index.collection import store_index
from ragset.retrieval.index.files import Index, Report, open_index

__all__ = ["Index", "Report", "build_index", "open_index", "store_index"]
