"""Results of a benchmark: scores, standings, files, report."""

from ragset.evaluation.results.folder import Benchmark, Read, check_results, read_results, write_results
from ragset.evaluation.results.model import Comparison, DatasetAgreement, Results, Run, Standing, System

__all__ = [
    "Benchmark",
    "Comparison",
    "DatasetAgreement",
    "Read",
    "Results",
    "Run",
    "Standing",
    "System",
    "check_results",
    "read_results",
    "write_results",
]
