"""Queries that repeat others: found by words, by letters and by meaning, and the better of them kept."""

from ragset.duplicates.alike import Asked, How, Query
from ragset.duplicates.find import NEAR, OFFLINE_SEMANTIC, SEMANTIC, Repeat, find_repeats, least_cosine
from ragset.duplicates.keep import Choice, Scored, keep_better

__all__ = [
    "NEAR",
    "OFFLINE_SEMANTIC",
    "SEMANTIC",
    "Asked",
    "Choice",
    "How",
    "Query",
    "Repeat",
    "Scored",
    "find_repeats",
    "keep_better",
    "least_cosine",
]
