"""Goldens drawn again: what the same benchmark could have shown with other goldens of the same kind."""

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ragset.dataset.labels import labels_of
from ragset.models import Golden

DRAWS = 10_000
"""For an interval or a test."""
FEWEST_CLUSTERS = 10
"""Below it clusters are not drawn again: the spread of so few says next to nothing."""
_DRAWN_AT_ONCE = 2_000_000
_KEPT = 32
"""Blocks of draws; 64 MB of each kind."""

Floats = NDArray[np.float64]
Weights = NDArray[np.int8]


def clusters_of(goldens: Iterable[Golden]) -> dict[str, Hashable]:
    """The document of each golden's first evidence: queries of one document are not independent of each other.

    Of an unanswerable golden it is the document of the passage that nearly answers it, or else the golden itself.
    """

    def cluster(golden: Golden) -> str:
        if golden.evidence:
            return golden.evidence[0].doc_id
        near = labels_of(golden).near
        return near.doc_id if near else golden.id

    return {golden.id: cluster(golden) for golden in goldens}


class Units(NamedTuple):
    """What is drawn as one: clusters, or goldens one by one."""

    of: NDArray[np.intp]
    """For each golden the number of its unit, from 0."""
    number: int


def units(number: int, clusters: Sequence[Hashable] | None) -> Units:
    """How `number` goldens are drawn: by cluster, or one by one without clusters and where there are fewer than 10.

    `clusters` has a label for each golden.
    """
    if clusters is None:
        return Units(np.arange(number), number)
    numbers: dict[Hashable, int] = {}
    of = np.array([numbers.setdefault(label, len(numbers)) for label in clusters], dtype=np.intp)
    return Units(of, len(numbers)) if len(numbers) >= FEWEST_CLUSTERS else Units(np.arange(number), number)


def rows_alike(rows: Floats, labels: Sequence[Hashable] | None) -> Iterator[tuple[list[int], Floats, Units]]:
    """Rows that lack the same values, by their numbers, with the values that they have and how these are drawn.

    Rows without any value are left out.
    """
    known = ~np.isnan(rows)
    alike: dict[bytes, list[int]] = {}
    for row, kept in enumerate(known):
        alike.setdefault(kept.tobytes(), []).append(row)
    for members in alike.values():
        kept = known[members[0]]
        if kept.any():
            yield members, rows[members][:, kept], units(int(kept.sum()), _kept_labels(labels, kept))


def _kept_labels(labels: Sequence[Hashable] | None, kept: NDArray[np.bool_]) -> list[Hashable] | None:
    if labels is None:
        return None
    if len(labels) != len(kept):
        raise ValueError(f"{len(kept)} values, and {len(labels)} labels of clusters")
    return [label for label, is_kept in zip(labels, kept.tolist(), strict=True) if is_kept]


def totals(values: Floats, by: Units) -> Floats:
    """Sums of rows of `values` (goldens × columns) over each unit."""
    sums = np.zeros((by.number, values.shape[1]))
    np.add.at(sums, by.of, values)
    return sums


def drawn_totals(sums: Floats, draws: int, seed: int) -> Floats:
    """Draws × columns: sums over as many units as there are, drawn with replacement."""
    return _weighted(sums, draws, seed, _times_drawn)


def flipped_totals(sums: Floats, draws: int, seed: int) -> Floats:
    """Draws × columns: sums over all units, each with a sign by the toss of a coin."""
    return _weighted(sums, draws, seed, _signs)


def _weighted(sums: Floats, draws: int, seed: int, weights: Callable[[int, int, int, int], Weights]) -> Floats:
    at_once = max(1, _DRAWN_AT_ONCE // max(1, len(sums)))
    found = [
        weights(len(sums), min(at_once, draws - start), seed, start).astype(np.float64) @ sums
        for start in range(0, draws, at_once)
    ]
    return np.concatenate(found) if found else np.zeros((0, sums.shape[1]))


# A benchmark asks for the same draws for every configuration and metric.
@lru_cache(maxsize=_KEPT)
def _times_drawn(count: int, draws: int, seed: int, block: int) -> Weights:
    """Draws × units: how often each of `count` units was drawn."""
    drawn = np.random.default_rng((seed, block)).integers(0, count, (draws, count))
    drawn += count * np.arange(draws)[:, None]
    # Of any number of units none is drawn more than 127 times.
    return np.bincount(drawn.ravel(), minlength=draws * count).reshape(draws, count).astype(np.int8)


@lru_cache(maxsize=_KEPT)
def _signs(count: int, draws: int, seed: int, block: int) -> Weights:
    """Draws × units: 1 or -1."""
    return 2 * np.random.default_rng((seed, block)).integers(0, 2, (draws, count), dtype=np.int8) - 1
