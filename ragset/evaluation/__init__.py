"""Benchmarks: metrics (one registry), the grid and other systems under test, statistics, results, reports, people's grades, effects.

Searching, embedding and reranking are in `ragset.retrieval`; Prefect's tasks around these functions are in `tasks/`.
"""
