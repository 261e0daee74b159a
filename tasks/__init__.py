"""Prefect tasks: batching, caching, retries and artifacts around one library call each.

What each run has besides is in `run/`, limits that runs share in `limits/`. What a task computes is in `ragset`.
"""
