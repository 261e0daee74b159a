"""Rules that cost nothing: what plain patterns see about a chunk or a query, without asking a model."""
