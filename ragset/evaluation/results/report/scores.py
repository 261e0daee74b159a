"""Scores of single goldens, by metric."""

import math
from collections.abc import Mapping
from typing import Any

from ragset.evaluation.results.model import Results

Scores = Mapping[tuple[str, str], float]
"""By configuration and golden; NaN where it could not be judged."""


def scores_of(results: Results, metric: str) -> Scores:
    """Of one metric."""
    rows: Any = results.scores[results.scores["metric"] == metric]
    return {
        (str(configuration), str(golden)): float(value)
        for configuration, golden, value in zip(rows["configuration"], rows["golden"], rows["value"], strict=True)
    }


def mean(values: list[float]) -> float | None:
    """Of those that are known; None where none is."""
    known = [value for value in values if not math.isnan(value)]
    return math.fsum(known) / len(known) if known else None
