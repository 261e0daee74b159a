"""The mean that people would find, from a judge's scores of all goldens and people's labels of a random part of them.

Prediction-powered inference with its tuned weight: Angelopoulos, Duchi and Zrnic, "PPI++: Efficient Prediction-Powered
Inference" (2023). The judge may be wrong in any way; the worse it is, the less its scores count. The weight is that of the
paper with the spread of the judge's scores among the labelled goldens, where the authors' package takes that of all: intervals
beside good judges then hold the true mean as often as they say (`benchmarks/ppi.py`).

The interval is Wilson's with the effective number of labels, as of proportions in surveys (Franco, Little, Louis and
Slud 2019), and a t quantile: near 0 and 1 the usual mean ± 2 standard errors misses too often.
"""

import math
from collections.abc import Hashable, Sequence
from typing import NamedTuple

import numpy as np

from ragset.evaluation.metrics.resample import Floats, units_of


class Estimate(NamedTuple):
    """A corrected mean and its interval; NaN where nothing was labelled, and the interval of a single label."""

    mean: float
    low: float
    high: float
    error: float
    """Standard error of the mean."""
    weight: float
    """From 0 (the judge says nothing about people's labels: theirs alone count) to 1; λ in the paper."""
    labels: int
    """Goldens that people labelled."""
    labels_to_halve: int | None
    """As many labels in all would halve the interval; None where even labels of all goldens would not: that takes more goldens."""


def corrected(
    labels: Floats,
    judged: Floats,
    clusters: Sequence[Hashable] | None = None,
    *,
    least: float = 0.0,
    level: float = 0.95,
) -> Estimate:
    """The mean of what people would say of all goldens, each between `least` and 1.

    `labels` and `judged` have a place for each golden: NaN where nobody labelled it, or the judge said nothing, which counts
    as its mean. The labelled ones must be a random part. `clusters` names the document of each. Of two systems, take the
    differences of their labels, those of their judged scores, and -1 as `least`.
    """
    labelled = ~np.isnan(labels)
    n, rest = int(labelled.sum()), int((~labelled).sum())
    if not n:
        return Estimate(*(math.nan,) * 4, weight=0.0, labels=0, labels_to_halve=None)
    known = judged[~np.isnan(judged)]
    scores = np.where(np.isnan(judged), known.mean() if len(known) else 0.0, judged)
    true, said, others = labels[labelled], scores[labelled], scores[~labelled]
    covariance = float(((true - true.mean()) * (said - said.mean())).mean())
    spread = float(said.var())
    weight = min(1.0, max(0.0, covariance / ((1 + n / rest) * spread))) if rest and spread else 0.0
    mean = float(true.mean() - weight * (said.mean() - others.mean())) if rest else float(true.mean())

    errors = np.empty(len(labels))  # what each golden adds to the error of the mean
    errors[labelled] = (true - weight * said - (true - weight * said).mean()) / n
    if rest:
        errors[~labelled] = weight * (others - others.mean()) / rest
    units = units_of(len(labels), clusters)
    units_labelled = len(np.unique(units[labelled]))
    if units_labelled < 2:
        return Estimate(mean, *(math.nan,) * 3, weight=weight, labels=n, labels_to_halve=None)
    variance = float((np.bincount(units, errors) ** 2).sum()) * units_labelled / (units_labelled - 1)
    share, scale = (float(true.mean()) - least) / (1 - least), 1 - least
    unequal = share * (1 - share) * scale**2
    # Labels that are all alike have no spread but that of rounding.
    effective = unequal / variance if unequal > 0 and variance > 1e-12 else units_labelled
    low, high = _wilson((mean - least) / scale, effective, units_labelled - 1, level)
    agreed = min(1.0, covariance**2 / (true.var() * spread)) if covariance > 0 and spread else 0.0
    return Estimate(
        mean,
        least + scale * low,
        least + scale * high,
        math.sqrt(variance),
        weight,
        n,
        _labels_to_halve(n, n + rest, agreed),
    )


def _wilson(share: float, number: float, freedom: int, level: float) -> tuple[float, float]:
    from scipy.special import stdtrit  # the quantile of t, without the half millisecond of scipy.stats

    share, square = min(1.0, max(0.0, share)), float(stdtrit(freedom, (1 + level) / 2)) ** 2
    middle = share + square / (2 * number)
    half = math.sqrt(square * (share * (1 - share) + square / (4 * number)) / number)
    return max(0.0, (middle - half) / (1 + square / number)), min(1.0, (middle + half) / (1 + square / number))


def _labels_to_halve(n: int, total: int, agreed: float) -> int | None:
    """The variance is proportional to (1 - agreed)/n + agreed/total, with the square of the correlation as `agreed`."""
    quarter = ((1 - agreed) / n - 3 * agreed / total) / 4
    needed = math.ceil((1 - agreed) / quarter - 1e-9) if quarter > 0 else total + 1
    return needed if needed <= total else None
