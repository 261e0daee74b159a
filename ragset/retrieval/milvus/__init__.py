"""Milvus as a `VectorStore`: Milvus Lite in a file, or a Milvus server. Nothing else imports pymilvus or milvus_lite."""

from ragset.retrieval.milvus.connection import LITE_LIMITS, load_pymilvus, local_collections
from ragset.retrieval.milvus.reading import CollectionRows, collection_rows
from ragset.retrieval.milvus.store import MilvusStore, open_milvus

__all__ = [
    "LITE_LIMITS",
    "CollectionRows",
    "MilvusStore",
    "collection_rows",
    "load_pymilvus",
    "local_collections",
    "open_milvus",
]
