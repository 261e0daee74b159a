"""Results of a benchmark: means and comparisons, the folder of files, the report, and comparing two folders.

How single goldens are scored, and the statistics, are in `ragset.evaluation.metrics`.
"""

from ragset.evaluation.results.datasets import DatasetAgreement, DatasetCutRate, DatasetDiscrimination
from ragset.evaluation.results.folder import StoredResults, read_results
from ragset.evaluation.results.model import (
    Comparison,
    Results,
    RetrievalResult,
    Run,
    Standing,
    System,
)
from ragset.evaluation.results.writing import check_results, write_results

__all__ = [
    "Comparison",
    "DatasetAgreement",
    "DatasetCutRate",
    "DatasetDiscrimination",
    "Results",
    "RetrievalResult",
    "Run",
    "Standing",
    "StoredResults",
    "System",
    "check_results",
    "read_results",
    "write_results",
]
