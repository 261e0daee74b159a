"""Finding chunks for queries: embeddings, BM25, the index on disk, vector stores, search, fusion and reranking.

Scores of what was found are in `ragset.evaluation`. Only `milvus/` knows pymilvus: everything else asks a `VectorStore`.
"""
