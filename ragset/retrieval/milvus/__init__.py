"""Milvus as a `VectorStore`: Milvus Lite in a file, or a Milvus server. Nothing else imports pymilvus or milvus_lite."""
