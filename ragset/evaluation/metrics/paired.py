"""Whether configurations differ, golden by golden: a randomisation test, its correction, and intervals that agree with it.

The test flips the signs of the differences, by document where there are ten or more (`ragset.evaluation.metrics.resample`).
A difference of delta is refuted where the differences less delta have a sum that few flips reach. The interval holds every
delta that the test does not refute at the level that Holm's procedure tests the pair at, so it excludes 0 exactly where
the corrected p is below `ALPHA`. Its ends are quantiles of the means of random subsets: a flip parts the documents in two,
and reaches delta where delta lies between the means of the two parts (Hartigan, "Using subsample values as typical
values", 1969).
"""

import math
from collections.abc import Hashable, Sequence
from typing import NamedTuple

import numpy as np

from ragset.evaluation.metrics.resample import DRAWS, Floats, Units, flipped_totals, rows_alike, totals

ALPHA = 0.05
"""Of a corrected p, below which a difference counts."""
POWER = 0.8
"""The chance with which a difference is called one that a pair could show."""
FEWEST = 6
"""Goldens that must differ: with fewer no p of the randomisation test is below 0.05, however they differ."""
SAME = 1e-9
"""Below it two scores are the same, summed in another order."""
_DRAWS_A_TEST = 100
"""So that the smallest p that draws can give stays below `ALPHA` when it is multiplied by the number of tests."""


class KnownScores(NamedTuple):
    """Scores as rows × goldens, with what each could be; all three are NaN where a golden is not scored in the row's metric."""

    values: Floats
    """NaN where a judgement could not be had, too."""
    worst: Floats
    best: Floats

    @classmethod
    def of(cls, values: Sequence[float] | Sequence[Sequence[float]] | Floats) -> "KnownScores":
        """Values that are certain; what is NaN is not scored."""
        rows = np.atleast_2d(np.asarray(values, dtype=np.float64))
        return cls(rows, rows, rows)

    def rows(self, numbers: list[int]) -> "KnownScores":
        """Some of the rows, in this order."""
        return KnownScores(*(part[numbers] for part in self))


class Difference(NamedTuple):
    """How much higher one configuration scores than another, golden by golden; NaN where no golden has both."""

    mean: float
    low: float
    """Minus infinity where the goldens are too few for an interval at this level."""
    high: float
    p: float
    """Two-sided: the chance of a difference as large between configurations that are alike. The largest that the bounds allow."""
    p_holm: float
    """Corrected for the number of comparisons."""
    smallest: float
    """The true difference that this pair would show in 4 of 5 benchmarks, at the same level; infinity where that is not known."""
    n: int
    """Goldens with both values."""

    @property
    def told(self) -> bool:
        """Whether the data tell the two apart, whatever is behind values that are not known."""
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

    `labels` names the document of each golden. `chosen` says that all are compared with the one that scored highest. Any
    of them could have been that one, so the number of tests is that of all pairs among the configurations that are not
    yet told from it: with Holm's own number, equal configurations are called different too often.

    p is (r + 1) / (draws + 1) for r flips with a sum as far from 0 as that observed (Smucker, Allan and Carterette 2007).
    Where values have bounds, a difference counts only if it does at the bounds as well that bring it nearest to 0.
    """
    found: list[Difference] = []
    for test in _test(ours, theirs, labels, chosen, draws, seed):
        if math.isnan(test.p):
            found.append(Difference(*(math.nan,) * 6, n=0))
            continue
        given = _row(test.values, labels)
        low, high = _interval(given, test)
        if test.extremes:
            lowest, highest = test.extremes
            low = min(low, _interval(_row(lowest, labels), test)[0])
            high = max(high, _interval(_row(highest, labels), test)[1])
        if not test.p_holm < ALPHA:
            # 0 is not refuted; summed in another order it may come out a hair beside the end.
            low, high = min(low, 0.0), max(high, 0.0)
        smallest = _smallest(given, low, high)
        found.append(Difference(given.mean, low, high, test.p, test.p_holm, smallest, len(given.by.of)))
    return found


def ties(
    scores: KnownScores,
    names: Sequence[str],
    labels: Sequence[Hashable] | None = None,
    *,
    draws: int = DRAWS,
    seed: int = 0,
) -> tuple[str, ...]:
    """The best configuration and those that the data do not tell from it, best first; one name where there is a winner.

    The rows of `scores` are those of `names`. The best has the highest mean, the first of equals. A configuration is tied
    where its p is `ALPHA` or more (as `differences` corrects it), or where they share no golden. One without any value is not
    ranked.
    """
    order = ranked(scores, names)
    if not order:
        return ()
    best, *others = (names.index(name) for name in order)
    tests = _test(scores.rows(others), scores.rows([best] * len(others)), labels, True, draws, seed)
    return (order[0], *(name for name, test in zip(order[1:], tests, strict=True) if not test.p_holm < ALPHA))


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
    """The names by their means, the highest first, of equals as they stand; without those that have no value."""
    means = {
        name: float(row[~np.isnan(row)].mean())
        for name, row in zip(names, scores.values, strict=True)
        if not np.isnan(row).all()
    }
    return sorted(means, key=lambda name: -means[name])


def holm(p_values: Sequence[float], counts: Sequence[int] | None = None) -> list[float]:
    """The p values corrected for their number, in their order: Holm, "A Simple Sequentially Rejective Multiple Test Procedure" (1979).

    `counts` are the numbers that the smallest, the next, … are multiplied by, if other than n, n - 1, …, 1. NaN stays NaN
    and does not count as a test.
    """
    corrected = [math.nan] * len(p_values)
    highest = 0.0
    for count, p, place in _in_turn(p_values, counts or range(len(p_values), 0, -1)):
        corrected[place] = highest = max(highest, min(1.0, count * p))
    return corrected


def _in_turn(p_values: Sequence[float], counts: Sequence[int]) -> list[tuple[int, float, int]]:
    """Number of tests, p and place, the smallest p first."""
    ranked = sorted((p, place) for place, p in enumerate(p_values) if not math.isnan(p))
    last = counts[len(counts) - len(ranked) :]
    return [(count, p, place) for count, (p, place) in zip(last, ranked, strict=True)]


class _Test(NamedTuple):
    """One pair."""

    values: Floats
    """Its differences."""
    extremes: tuple[Floats, Floats] | None
    """The lowest and the highest that they could be; None where all are certain."""
    p: float
    p_holm: float
    tests: int
    """The number of tests at which Holm's procedure decided on it."""
    draws: int
    seed: int


def _test(
    ours: KnownScores, theirs: KnownScores, labels: Sequence[Hashable] | None, chosen: bool, draws: int, seed: int
) -> list[_Test]:
    # What the smallest p is multiplied by, the next, and so on: the pairs left, or all pairs among what is left.
    counts = [left * (left + 1) // 2 if chosen else left for left in range(len(ours.values), 0, -1)]
    draws = max(draws, _DRAWS_A_TEST * max(counts, default=0))
    given = ours.values - theirs.values
    bounds = zip(ours.worst - theirs.best, ours.best - theirs.worst, strict=True)
    extremes = [both if _unsure(values, *both) else None for values, both in zip(given, bounds, strict=True)]
    p_values = _p_values(given, labels, draws, seed)
    for row, both in enumerate(extremes):
        if both and not math.isnan(p_values[row]):
            # The largest p between the bounds: 1 where they lie on both sides of 0.
            lowest, highest = (float(np.nansum(values)) for values in both)
            at_bounds = _p_values(np.array(both), labels, draws, seed)
            p_values[row] = 1.0 if lowest <= 0 <= highest else max(p_values[row], *at_bounds)
    corrected = holm(p_values.tolist(), counts)
    tests = _tests_of_each(p_values.tolist(), corrected, counts)
    return [
        _Test(given[row], both, float(p_values[row]), corrected[row], tests.get(row, 0), draws, seed)
        for row, both in enumerate(extremes)
    ]


def _tests_of_each(p_values: Sequence[float], corrected: Sequence[float], counts: Sequence[int]) -> dict[int, int]:
    """By row, the number of tests at which Holm's procedure decided on it: all that it does not refute are left at one."""
    tests: dict[int, int] = {}
    stopped = 0
    for count, _, place in _in_turn(p_values, counts):
        if not stopped and not corrected[place] < ALPHA:
            stopped = count
        tests[place] = stopped or count
    return tests


def _unsure(given: Floats, lowest: Floats, highest: Floats) -> bool:
    """Whether bounds say more than the values."""
    scored = ~np.isnan(lowest)
    return bool(np.isnan(given[scored]).any() or (highest[scored] - lowest[scored] > SAME).any())


def _p_values(rows: Floats, labels: Sequence[Hashable] | None, draws: int, seed: int) -> Floats:
    """Of each row of differences; NaN where all of it is."""
    p_values = np.full(len(rows), np.nan)
    for members, values, by in rows_alike(rows, labels):
        sums = totals(values.T, by)
        # The signs that were observed must count as at least as far, whatever the order of summing.
        observed = np.abs(sums.sum(axis=0)) - SAME * np.abs(sums).sum(axis=0)
        reached = (np.abs(flipped_totals(sums, draws, seed)) >= observed).sum(axis=0)
        p_values[members] = (reached + 1) / (draws + 1)
    return p_values


class _Row(NamedTuple):
    """The differences of one pair that are known."""

    mean: float
    by: Units
    sums: Floats
    """Of each unit the sum of its differences, and their number."""


def _row(values: Floats, labels: Sequence[Hashable] | None) -> _Row:
    [(_, known, by)] = rows_alike(values[None, :], labels)
    return _Row(float(known[0].mean()), by, totals(np.column_stack([known[0], np.ones(len(by.of))]), by))


def _interval(row: _Row, test: _Test) -> tuple[float, float]:
    """All differences that the test does not refute at `ALPHA` by its number of tests."""
    flipped, total = flipped_totals(row.sums, test.draws, test.seed), row.sums.sum(axis=0)
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


def _smallest(row: _Row, low: float, high: float) -> float:
    """How far the interval reaches towards 0, and what the mean may fall short by in one benchmark of five."""
    from scipy.stats import t

    mean, by, sums = row
    if by.number < 2 or (np.abs(sums[:, 0]) > SAME).sum() < FEWEST:
        return math.inf
    reach = max(high - mean if mean <= 0 else 0.0, mean - low if mean >= 0 else 0.0)
    beside = sums[:, 0] - mean * sums[:, 1]
    error = math.sqrt(by.number / (by.number - 1) * float((beside**2).sum())) / len(by.of)
    return reach + float(t.ppf(POWER, by.number - 1)) * error
