"""What a benchmark measures: the registry of metrics, how each is computed, and how sure means and differences are.

A metric is added in `builtin.py`, which this package imports so that the registry is always filled. How configurations are ranked and reported is in `ragset.evaluation.results`.
"""

from ragset.evaluation.metrics import builtin

__all__ = ["builtin"]
