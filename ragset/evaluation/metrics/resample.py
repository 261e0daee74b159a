"""Goldens drawn again: what the same benchmark could have shown with other goldens of the same kind.

Documents are drawn as clusters where there are ten or more. With fewer, goldens are drawn one by one, and an interval
holds for other queries about these documents, not for other documents.
"""

import math
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ragset.dataset.labels import labels_of
from ragset.models import Golden

DRAWS = 10_000
FEWEST_CLUSTERS = 10
"""The spread of fewer clusters says next to nothing."""
_DRAWN_AT_ONCE = 2_000_000
_BLOCKS_KEPT = 32

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
Weights = NDArray[np.int8]


def clusters_of(goldens: Iterable[Golden]) -> dict[str, Hashable]:
    """The document of each golden's first evidence, since queries of one document are not independent.

    An unanswerable golden belongs to the document of the passage that nearly answers it, or else stands alone.
    """

    def cluster(golden: Golden) -> str:
        passage = golden.evidence[0] if golden.evidence else labels_of(golden).near
        return passage.doc_id if passage else golden.id

    return {golden.id: cluster(golden) for golden in goldens}


def units_of(number: int, clusters: Sequence[Hashable] | None) -> Ints:
    """The number of the unit, from 0, that each golden is drawn with: its cluster, or itself where clusters are few."""
    if clusters is not None:
        numbers: dict[Hashable, int] = {}
        units = np.array([numbers.setdefault(label, len(numbers)) for label in clusters], dtype=np.intp)
        if len(numbers) >= FEWEST_CLUSTERS:
            return units
    return np.arange(number)


def rows_alike(rows: Floats, labels: Sequence[Hashable] | None) -> Iterator[tuple[list[int], Floats, Ints]]:
    """Groups of rows with values for the same goldens: the rows' numbers, their values, the unit of each golden.

    Rows without any value are left out. `labels` names the cluster of each golden.
    """
    known = ~np.isnan(rows)
    alike: dict[bytes, list[int]] = {}
    for row, kept in enumerate(known):
        alike.setdefault(kept.tobytes(), []).append(row)
    for members in alike.values():
        kept = np.flatnonzero(known[members[0]]).tolist()
        if len(kept):
            clusters = None if labels is None else [labels[place] for place in kept]
            yield members, rows[members][:, kept], units_of(len(kept), clusters)


def totals(values: Floats, units: Ints) -> Floats:
    """Sums over each unit of the rows of `values` (goldens × columns)."""
    sums = np.zeros((int(units.max()) + 1, values.shape[1]))
    np.add.at(sums, units, values)
    return sums


def drawn_totals(sums: Floats, draws: int, seed: int) -> Floats:
    """Draws × columns: sums over as many units as there are, drawn with replacement."""
    return _weighted(sums, draws, seed, _times_drawn)


def flipped_totals(sums: Floats, draws: int, seed: int) -> Floats:
    """Draws × columns: sums over all units, each with a random sign."""
    return _weighted(sums, draws, seed, _signs)


def _weighted(sums: Floats, draws: int, seed: int, weights: Callable[[int, int, int, int], Weights]) -> Floats:
    at_once = max(1, _DRAWN_AT_ONCE // len(sums))
    blocks = ((start, min(at_once, draws - start)) for start in range(0, draws, at_once))
    return np.concatenate([weights(len(sums), size, seed, start).astype(np.float64) @ sums for start, size in blocks])


# A benchmark asks for the same draws for every configuration and metric.
@lru_cache(maxsize=_BLOCKS_KEPT)
def _times_drawn(count: int, draws: int, seed: int, block: int) -> Weights:
    """Draws × units: how often each of `count` units was drawn."""
    drawn = np.random.default_rng((seed, block)).integers(0, count, (draws, count))
    drawn += count * np.arange(draws)[:, None]
    # Of any number of units none is drawn more than 127 times.
    return np.bincount(drawn.ravel(), minlength=draws * count).reshape(draws, count).astype(np.int8)


@lru_cache(maxsize=_BLOCKS_KEPT)
def _signs(count: int, draws: int, seed: int, block: int) -> Weights:
    return 2 * np.random.default_rng((seed, block)).integers(0, 2, (draws, count), dtype=np.int8) - 1


class Interval(NamedTuple):
    """A mean and its interval; NaN where nothing was judged, and the interval of a single value."""

    mean: float
    low: float
    high: float
    n: int
    missing: int


def intervals(
    rows: Floats, clusters: Sequence[Hashable] | None = None, level: float = 0.95, draws: int = DRAWS, seed: int = 0
) -> list[Interval]:
    """The mean of each row (configurations × goldens) with its bootstrap interval; `clusters` has a label for each golden.

    The interval is expanded, as a bootstrap of few values understates their spread: Hesterberg, "What Teachers Should Know
    About the Bootstrap" (2015).
    """
    width = rows.shape[1]
    found = [Interval(math.nan, math.nan, math.nan, 0, width)] * len(rows)
    for members, values, units in rows_alike(rows, clusters):
        n = values.shape[1]
        sums = totals(np.column_stack([values.T, np.ones(n)]), units)
        drawn = drawn_totals(sums, draws, seed)
        for place, row in enumerate(members):
            low, high = _percentiles(drawn[:, place] / drawn[:, -1], level, len(sums))
            found[row] = Interval(float(values[place].mean()), low, high, n, width - n)
    return found


def _percentiles(drawn: Floats, level: float, number: int) -> tuple[float, float]:
    from scipy.stats import norm, t

    if number < 2:
        return math.nan, math.nan
    tail = float(norm.cdf(math.sqrt(number / (number - 1)) * t.ppf((1 - level) / 2, number - 1)))
    low, high = np.quantile(drawn, [tail, 1 - tail])
    return float(low), float(high)
