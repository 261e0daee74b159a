"""The chunks of one corpus, strategy and embedding: files that are the truth, and a copy in a vector store.

`files` is what an index is on disk, `build` makes it, `collection` brings the copy up to date, `uses` says what runs
that are going on still need.
"""

from ragset.retrieval.index.build import build_index
from ragset.retrieval.index.files import Index, Report, open_index

__all__ = ["Index", "Report", "build_index", "open_index"]
