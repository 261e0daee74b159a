"""How sure a mean is, and whether two configurations differ.

Goldens of one document are not independent, so documents are drawn as clusters where there are ten or more. Of fewer
the spread cannot be told; goldens are then drawn one by one, and what is said holds for other queries about these
documents, not for other documents.
"""

import math
from collections.abc import Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ragset.metrics.agreement import Agreement, agreement
from ragset.metrics.resample import Floats, drawn_totals, flipped_totals, totals, units

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "CAUTIOUS",
    "FEWEST",
    "Agreement",
    "Difference",
    "Interval",
    "agreement",
    "compared",
    "holm",
    "interval",
    "intervals",
    "paired",
    "queries_needed",
    "smallest_difference",
    "spread",
    "ties",
]

DRAWS = 10_000
CAUTIOUS = 0.5
"""A standard deviation of paired differences where theirs is not known: as where one query in four has another hit."""
FEWEST = 6
"""Queries that a difference can be seen on: with fewer no p of the randomisation test is below 0.05, however they differ."""
_LEAST_SPREAD = 0.05
_SAME = 1e-9
"""Below it two scores are the same, summed in another order."""


class Interval(NamedTuple):
    """A mean and where it could lie; NaN where nothing was judged, and of one value its bounds."""

    mean: float
    low: float
    high: float
    n: int
    """Values in the mean."""
    missing: int
    """Values that were NaN, and are not in it."""


class Difference(NamedTuple):
    """How much higher one configuration scores than another, golden by golden; NaN where no golden has both."""

    mean: float
    low: float
    high: float
    p: float
    """Two-sided: the chance of a difference as large between configurations that are alike."""
    n: int
    """Goldens with both values."""


def interval(
    values: Sequence[float] | Floats,
    clusters: Sequence[Hashable] | None = None,
    level: float = 0.95,
    draws: int = DRAWS,
    seed: int = 0,
) -> Interval:
    """The mean with its bootstrap interval: percentiles over resampled clusters, or over values without clusters.

    The percentiles are wider ones where there are few to draw, as a bootstrap alone understates their spread: Hesterberg,
    "What Teachers Should Know About the Bootstrap" (2015), the expanded percentile interval. NaN are left out and
    counted. `clusters` are labels beside the values, as the document of each. Values that are all the same have an interval
    of no width, however few they are; a single one has none.
    """
    (found,) = intervals(np.asarray(values, dtype=np.float64)[None, :], clusters, level, draws, seed)
    return found


def intervals(
    rows: Floats,
    clusters: Sequence[Hashable] | None = None,
    level: float = 0.95,
    draws: int = DRAWS,
    seed: int = 0,
) -> list[Interval]:
    """The `interval` of each row, configurations × goldens; those of rows that lack the same values are had together."""
    array, known = _judged(rows)
    alike: dict[bytes, list[int]] = {}
    for row, kept in enumerate(known):
        alike.setdefault(kept.tobytes(), []).append(row)
    found = [Interval(math.nan, math.nan, math.nan, 0, array.shape[1])] * len(array)
    for members in alike.values():
        kept = known[members[0]]
        by = units(int(kept.sum()), _labels(clusters, kept))
        if not by.number:
            continue
        values = array[members][:, kept]
        drawn = drawn_totals(totals(np.column_stack([values.T, np.ones(len(by.of))]), by), draws, seed)
        for place, row in enumerate(members):
            low, high = _percentiles(drawn[:, place] / drawn[:, -1], level, by.number)
            found[row] = Interval(float(array[row, kept].mean()), low, high, len(by.of), int((~kept).sum()))
    return found


def paired(
    a: Sequence[float] | Floats,
    b: Sequence[float] | Floats,
    clusters: Sequence[Hashable] | None = None,
    level: float = 0.95,
    draws: int = DRAWS,
    seed: int = 0,
) -> Difference:
    """The mean of a - b over the goldens that have both, with its bootstrap interval and p.

    p is of a randomisation test: the differences of a cluster change their sign together, and p is
    (r + 1) / (draws + 1) for r draws with a mean as far from 0 as that observed (Smucker, Allan and Carterette 2007).
    """
    if len(a) != len(b):
        raise ValueError(f"{len(a)} and {len(b)} values are not of the same goldens")
    differences = np.asarray(a, dtype=np.float64) - np.asarray(b, dtype=np.float64)
    _, kept = _judged(differences)
    found = interval(differences, clusters, level, draws, seed)
    if not found.n:
        return Difference(math.nan, math.nan, math.nan, math.nan, 0)
    sums = totals(differences[kept][:, None], units(found.n, _labels(clusters, kept)))
    flipped = np.abs(flipped_totals(sums, draws, seed)[:, 0])
    # The sign that was observed must count as at least as far, whatever the order of summing.
    observed = abs(float(sums.sum())) - 1e-9 * float(np.abs(sums).sum())
    p = (int((flipped >= observed).sum()) + 1) / (draws + 1)
    return Difference(found.mean, found.low, found.high, p, found.n)


def holm(p_values: Sequence[float]) -> list[float]:
    """The p values corrected for their number, in their order: Holm, "A Simple Sequentially Rejective Multiple Test Procedure" (1979).

    NaN stays NaN and does not count as a test.
    """
    ranked = sorted((p, place) for place, p in enumerate(p_values) if not math.isnan(p))
    corrected = [math.nan] * len(p_values)
    highest = 0.0
    for rank, (p, place) in enumerate(ranked):
        highest = max(highest, min(1.0, (len(ranked) - rank) * p))
        corrected[place] = highest
    return corrected


def compared(
    scores: "pd.DataFrame",
    reference: str,
    clusters: Mapping[str, Hashable] | None = None,
    level: float = 0.95,
    draws: int = DRAWS,
    seed: int = 0,
) -> dict[str, Difference]:
    """Every other configuration less `reference`; `scores` has configurations as rows and goldens as columns.

    `clusters` names the document of each golden.
    """
    labels = None if clusters is None else [clusters[golden] for golden in scores.columns]
    rows = {str(name): scores.loc[name].to_numpy(dtype=np.float64) for name in scores.index}
    return {
        name: paired(row, rows[reference], labels, level, draws, seed)
        for name, row in rows.items()
        if name != reference
    }


def ties(
    scores: "pd.DataFrame",
    clusters: Mapping[str, Hashable] | None = None,
    alpha: float = 0.05,
    draws: int = DRAWS,
    seed: int = 0,
) -> tuple[str, ...]:
    """The best configuration and those that the data do not tell from it, best first; one name where there is a winner.

    `scores` has configurations as rows and goldens as columns. The best has the highest mean, the first of equals. A
    configuration is tied where its paired difference from the best has a Holm-corrected p of `alpha` or more, or where
    they share no golden. One without any value is not ranked.
    """
    means = scores.mean(axis=1).dropna().sort_values(ascending=False, kind="stable")
    if means.empty:
        return ()
    order = [str(name) for name in means.index]
    differences = compared(scores.loc[order], order[0], clusters, draws=draws, seed=seed)
    corrected = dict(zip(differences, holm([found.p for found in differences.values()]), strict=True))
    return tuple(name for name in order if not corrected.get(name, 1.0) < alpha)


def spread(scores: "pd.DataFrame") -> float | None:
    """The standard deviation of paired differences, golden by golden, between the best configuration and another.

    `scores` has configurations as rows and goldens as columns. The variances of all others are averaged, but of those
    that score as the best does on all but five goldens or fewer, as how these would differ is not seen. None where that
    is so of all, or where what is left is under 0.05: the scores hardly differ from query to query, and that of other
    configurations cannot be told from it.
    """
    means = scores.mean(axis=1).dropna().sort_values(ascending=False, kind="stable")
    if len(means) < 2:
        return None
    best = means.index[0]
    differences = (scores.loc[means.index[1:]] - scores.loc[best]).to_numpy(dtype=np.float64)
    telling = differences[(np.abs(differences) > _SAME).sum(axis=1) >= FEWEST]
    if not len(telling):
        return None
    sd = math.sqrt(float(np.nanvar(telling, axis=1, ddof=1).mean()))
    return sd if sd >= _LEAST_SPREAD else None


def smallest_difference(
    values: Sequence[float] | Floats | float, n: int | None = None, power: float = 0.8, alpha: float = 0.05
) -> float:
    """The true mean difference that `n` queries would show as significant, two-sided, with a chance of `power`.

    `values` are paired differences, or their standard deviation. By the normal approximation for independent queries,
    (z(1 - alpha/2) + z(power)) · sd / sqrt(n); queries that share documents can show less. Without n, of as many
    queries as there are values. NaN where fewer than two values say how they vary.
    """
    if isinstance(values, int | float):
        sd = float(values)
        if n is None:
            raise ValueError("n: a standard deviation does not say of how many queries")
    else:
        array, kept = _judged(values)
        n = int(kept.sum()) if n is None else n
        sd = float(array[kept].std(ddof=1)) if kept.sum() > 1 else math.nan
    return _z(power, alpha) * sd / math.sqrt(n) if n else math.nan


def queries_needed(difference: float, sd: float, power: float = 0.8, alpha: float = 0.05) -> int:
    """How many queries show a true mean difference as significant, two-sided, with a chance of `power`.

    `sd` is that of the paired differences. By the normal approximation for independent queries, rounded up; at least 2.
    """
    if not difference:
        raise ValueError("difference: no number of queries shows one of 0")
    # Rounded first, so that the inverse of `smallest_difference` does not come out one too many.
    return max(2, math.ceil(round((_z(power, alpha) * sd / difference) ** 2, 6)))


def _z(power: float, alpha: float) -> float:
    from scipy.stats import norm

    return float(norm.ppf(1 - alpha / 2) + norm.ppf(power))


def _judged(values: Sequence[float] | Floats) -> tuple[Floats, NDArray[np.bool_]]:
    array = np.asarray(values, dtype=np.float64)
    return array, ~np.isnan(array)


def _labels(clusters: Sequence[Hashable] | None, kept: NDArray[np.bool_]) -> list[Hashable] | None:
    if clusters is None:
        return None
    if len(clusters) != len(kept):
        raise ValueError(f"{len(kept)} values, and {len(clusters)} labels of clusters")
    return [label for label, is_kept in zip(clusters, kept.tolist(), strict=True) if is_kept]


def _percentiles(drawn: Floats, level: float, number: int) -> tuple[float, float]:
    from scipy.stats import norm, t

    if number < 2:
        return math.nan, math.nan
    tail = float(norm.cdf(math.sqrt(number / (number - 1)) * t.ppf((1 - level) / 2, number - 1)))
    low, high = np.quantile(drawn, [tail, 1 - tail])
    return float(low), float(high)
