"""The chunks of one corpus, strategy and embedding: files, and a copy of them in a vector store."""

from ragset.retrieval.index.build import build_index
from ragset.retrieval.index.files import Index, Report, open_index

__all__ = ["Index", "Report", "build_index", "open_index"]
