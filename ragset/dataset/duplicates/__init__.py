"""Queries that repeat others: found by words, by letters and by meaning, and the better of them kept."""
