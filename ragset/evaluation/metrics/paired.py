"""Whether configurations differ, golden by golden: a randomisation test, its correction, and intervals that agree with it.

The test flips the signs of the differences, by document where there are ten or more (`ragset.evaluation.metrics.resample`).
p is (r + 1) / (draws + 1) for r flips whose sum is as far from 0 as the observed one (Smucker, Allan and Carterette 2007).
The interval holds every difference that the test does not refute at the level of Holm's procedure for the pair, so it
excludes 0 exactly where the corrected p is below `ALPHA`. Its ends are quantiles of the means of random subsets
(Hartigan, "Using subsample values as typical values", 1969).
"""

import math
from collections.abc import Hashable, Sequence
from typing import NamedTuple

import numpy as np

from ragset.evaluation.metrics.holm import ALPHA, holm
from ragset.evaluation.metrics.resample import DRAWS, Floats, flipped_totals, rows_alike, totals

POWER = 0.8
"""The chance of showing a difference that is said to show."""
FEWEST = 6
"""Goldens that must differ, as with fewer no p of the randomisation test is below 0.05."""
SAME = 1e-9
"""Scores that differ by less are the same, summed in another order."""
_AT_ONCE = 10_000_000
"""Draws × tests in memory."""
_DRAWS_A_TEST = 100
"""Draws for each test, so that the smallest p stays below `ALPHA` when it is multiplied by the number of tests."""


class KnownScores(NamedTuple):
    """Scores as configurations × goldens with their bounds; all three are NaN where a golden has no score."""

    values: Floats
    worst: Floats
    best: Floats

    @classmethod
    def of(cls, values: Sequence[float] | Sequence[Sequence[float]] | Floats) -> "KnownScores":
        """Certain values; NaN means not scored."""
        rows = np.atleast_2d(np.asarray(values, dtype=np.float64))
        return cls(rows, rows, rows)

    def rows(self, numbers: list[int]) -> "KnownScores":
        """Some of the rows, in this order."""
        return KnownScores(*(part[numbers] for part in self))


class Difference(NamedTuple):
    """How much higher one configuration scores than another; NaN where no golden has both scores."""

    mean: float
    low: float
    """Minus infinity where the goldens are too few for an interval at this level."""
    high: float
    p: float
    """Two-sided, the largest that the bounds of the scores allow."""
    p_holm: float
    smallest: float
    """The true difference that this pair would show in 4 of 5 benchmarks; infinity where that is not known."""
    n: int

    @property
    def told(self) -> bool:
        """Whether the data tell the two apart, whatever the unknown scores are."""
        return self.p_holm < ALPHA


def differences(
    ours: KnownScores,
    theirs: KnownScores,
    labels: Sequence[Hashable] | None = None,
    *,
    chosen: bool = False,
    draws: int = DRAWS,
    seed: int = 0,
) -> list[Difference]:
    """Each row of `ours` less that of `theirs`, corrected together by Holm's method.

    `labels` names the document of each golden. `chosen` says that `theirs` is the configuration that scored highest: as any
    could have been that one, the number of tests is that of all pairs among the configurations not yet told from it.
    A difference counts only if it counts at the bounds that bring it nearest to 0, too.
    """
    found: list[Difference] = []
    for test in _tested(ours, theirs, labels, chosen, draws, seed):
        if math.isnan(test.p):
            found.append(Difference(*(math.nan,) * 6, n=0))
            continue
        known, sums = _unit_sums(test.values, labels)
        mean = float(known.mean())
        low, high = _interval(sums, test)
        if test.extremes:
            lowest, highest = (_interval(_unit_sums(values, labels)[1], test) for values in test.extremes)
            low, high = min(low, lowest[0]), max(high, highest[1])
        if not test.p_holm < ALPHA:
            # 0 is not refuted; summed in another order it may come out a hair beside the end.
            low, high = min(low, 0.0), max(high, 0.0)
        found.append(Difference(mean, low, high, test.p, test.p_holm, _smallest(mean, sums, low, high), len(known)))
    return found


def ties(
    scores: KnownScores,
    names: Sequence[str],
    labels: Sequence[Hashable] | None = None,
    *,
    draws: int = DRAWS,
    seed: int = 0,
) -> tuple[str, ...]:
    """The best configuration and those that the data do not tell from it, best first; one name where there is a winner."""
    order = ranked(scores, names)
    if not order:
        return ()
    best, *others = (names.index(name) for name in order)
    tests = _tested(scores.rows(others), scores.rows([best] * len(others)), labels, True, draws, seed)
    return (order[0], *(name for name, test in zip(order[1:], tests, strict=True) if not test.p_holm < ALPHA))


class Discrimination(NamedTuple):
    """How many pairs of configurations the data tell apart."""

    told: int
    pairs: int


def discrimination(
    scores: KnownScores, labels: Sequence[Hashable] | None = None, *, draws: int = DRAWS, seed: int = 0
) -> Discrimination:
    """All pairs tested and corrected together; `labels` as for `differences`."""
    ours, theirs = (side.tolist() for side in np.triu_indices(len(scores.values), 1))
    tests = _tested(scores.rows(ours), scores.rows(theirs), labels, False, draws, seed)
    return Discrimination(sum(test.p_holm < ALPHA for test in tests), len(tests))


def compared(
    scores: KnownScores,
    names: Sequence[str],
    reference: str,
    labels: Sequence[Hashable] | None = None,
    *,
    chosen: bool = False,
    draws: int = DRAWS,
    seed: int = 0,
) -> dict[str, Difference]:
    """Every other configuration less `reference`, as `differences`; the rows of `scores` are those of `names`."""
    others = [place for place, name in enumerate(names) if name != reference]
    theirs = scores.rows([names.index(reference)] * len(others))
    found = differences(scores.rows(others), theirs, labels, chosen=chosen, draws=draws, seed=seed)
    return dict(zip((names[place] for place in others), found, strict=True))


def ranked(scores: KnownScores, names: Sequence[str]) -> list[str]:
    """The names by their means, the highest first; without those that have no value."""
    rows = zip(names, scores.values, strict=True)
    means = {name: float(row[~np.isnan(row)].mean()) for name, row in rows if not np.isnan(row).all()}
    return sorted(means, key=lambda name: -means[name])


class _Test(NamedTuple):
    values: Floats
    extremes: tuple[Floats, Floats] | None
    """Their lowest and highest values; None where all are certain."""
    p: float
    p_holm: float
    tests: int
    draws: int
    seed: int


def _tested(
    ours: KnownScores, theirs: KnownScores, labels: Sequence[Hashable] | None, chosen: bool, draws: int, seed: int
) -> list[_Test]:
    counts = [left * (left + 1) // 2 if chosen else left for left in range(len(ours.values), 0, -1)]
    draws = max(draws, _DRAWS_A_TEST * max(counts, default=0))
    given = ours.values - theirs.values
    lowest, highest = ours.worst - theirs.best, ours.best - theirs.worst
    doubtful = (np.isnan(given) & ~np.isnan(lowest)) | (highest - lowest > SAME)
    unsure: list[bool] = [bool(row.any()) for row in doubtful]
    p_values = _p_values(given, labels, draws, seed)
    for row in (row for row, p in enumerate(p_values) if unsure[row] and not math.isnan(p)):
        # The largest p between the bounds: 1 where they lie on both sides of 0.
        at_bounds = _p_values(np.array([lowest[row], highest[row]]), labels, draws, seed)
        around = float(np.nansum(lowest[row])) <= 0 <= float(np.nansum(highest[row]))
        p_values[row] = 1.0 if around else max(p_values[row], *at_bounds)
    return [
        _Test(given[row], (lowest[row], highest[row]) if unsure[row] else None, p, *corrected, draws, seed)
        for row, (p, corrected) in enumerate(zip(p_values.tolist(), holm(p_values.tolist(), counts), strict=True))
    ]


def _p_values(rows: Floats, labels: Sequence[Hashable] | None, draws: int, seed: int) -> Floats:
    p_values = np.full(len(rows), np.nan)
    for members, values, units in rows_alike(rows, labels):
        sums = totals(values.T, units)
        # The signs that were observed must count as at least as far, whatever the order of summing.
        observed = np.abs(sums.sum(axis=0)) - SAME * np.abs(sums).sum(axis=0)
        size = max(1, _AT_ONCE // draws)
        for first in range(0, len(members), size):
            part = slice(first, first + size)
            reached = (np.abs(flipped_totals(sums[:, part], draws, seed)) >= observed[part]).sum(axis=0)
            p_values[members[part]] = (reached + 1) / (draws + 1)
    return p_values


def _unit_sums(values: Floats, labels: Sequence[Hashable] | None) -> tuple[Floats, Floats]:
    """The differences that are known; for each unit the sum of its differences, and their number."""
    [(_, [known], units)] = rows_alike(values[None, :], labels)
    return known, totals(np.column_stack([known, np.ones(len(known))]), units)


def _interval(sums: Floats, test: _Test) -> tuple[float, float]:
    """All differences that the test does not refute at `ALPHA` by its number of tests."""
    flipped, total = flipped_totals(sums, test.draws, test.seed), sums.sum(axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        parts = np.stack([(total + sign * flipped) for sign in (1, -1)])
        means = np.where(parts[..., 1] > 0, parts[..., 0] / parts[..., 1], np.nan)
    # Where one part is empty all signs are the same, and no difference is beyond such a flip.
    whole = np.isnan(means).any(axis=0)
    low = np.where(whole, -np.inf, means.min(axis=0))
    high = np.where(whole, np.inf, means.max(axis=0))
    reached = max(0, math.ceil(ALPHA / test.tests * (test.draws + 1) - 1 - SAME))
    if not reached:
        return -math.inf, math.inf
    return float(np.partition(low, reached - 1)[reached - 1]), float(np.partition(high, -reached)[-reached])


def _smallest(mean: float, sums: Floats, low: float, high: float) -> float:
    """How far the interval reaches towards 0, and by how much the mean falls short in one benchmark of five."""
    from scipy.stats import t

    units = len(sums)
    if units < 2 or (np.abs(sums[:, 0]) > SAME).sum() < FEWEST:
        return math.inf
    reach = max(high - mean if mean <= 0 else 0.0, mean - low if mean >= 0 else 0.0)
    beside = sums[:, 0] - mean * sums[:, 1]
    error = math.sqrt(units / (units - 1) * float((beside**2).sum())) / int(sums[:, 1].sum())
    return reach + float(t.ppf(POWER, units - 1)) * error
