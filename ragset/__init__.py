"""Make RAG test sets that can be trusted out of a team's own documents."""

__version__ = "0.1.0"
