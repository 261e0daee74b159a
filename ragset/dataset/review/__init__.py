"""People's judgements of goldens: the records and their file, the order of items, guidelines, agreement, and applying them.

Answers and passages of benchmarks are judged by the same records; what they are is in `evaluation/review/`.
"""
