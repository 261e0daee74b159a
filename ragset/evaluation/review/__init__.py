"""Answers and retrieved passages of a benchmark, judged by people, and the estimates that these judgements correct.

The judgements themselves, their file, guidelines and agreement are in `ragset.dataset.review`.
"""
