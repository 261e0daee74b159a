"""A test set on disk: read, write, deduplicate, split, realign after changes, report, review, and import from other formats.

`docs/formats.md` defines every file. How goldens are made is in `generation/`, what they measure in `evaluation/`.
"""

from ragset.dataset.manifest import (
    CorpusFacts,
    FunnelRow,
    Manifest,
    Models,
    Refreshed,
    Split,
    Totals,
    favours,
    funnel_row,
    versions,
)
from ragset.dataset.numbered import latest_version, next_version
from ragset.dataset.read import Dataset, edited, problems, read_dataset, read_manifest
from ragset.dataset.write import check_output, write_dataset

__all__ = [
    "CorpusFacts",
    "Dataset",
    "FunnelRow",
    "Manifest",
    "Models",
    "Refreshed",
    "Split",
    "Totals",
    "check_output",
    "edited",
    "favours",
    "funnel_row",
    "latest_version",
    "next_version",
    "problems",
    "read_dataset",
    "read_manifest",
    "versions",
    "write_dataset",
]
