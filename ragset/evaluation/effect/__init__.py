"""The effect of one change, such as a trained adapter or reranker: retrieval before and after on goldens held out for testing.

Whole benchmarks are compared in `ragset.evaluation.results.comparing`.
"""
