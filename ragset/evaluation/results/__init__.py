"""Results of a benchmark: means and comparisons, the folder of files, the report, and comparing two folders.

How single goldens are scored, and the statistics, are in `ragset.evaluation.metrics`.
"""
