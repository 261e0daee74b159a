"""Queries that repeat others: found by words, by letters and by meaning, and the better of them kept."""

from ragset.dataset.duplicates.alike import Query
from ragset.dataset.duplicates.find import OFFLINE_SEMANTIC, Repeat, find_repeats, least_cosine
from ragset.dataset.duplicates.keep import keep_better
from ragset.dataset.duplicates.reworded import Close, Verdict, close_pairs, judge_pairs, least_close

__all__ = [
    "OFFLINE_SEMANTIC",
    "Close",
    "Query",
    "Repeat",
    "Verdict",
    "close_pairs",
    "find_repeats",
    "judge_pairs",
    "keep_better",
    "least_close",
    "least_cosine",
]
