"""Other generators of RAG test sets beside ragset: the same documents, the same server, the same faults."""
