"""How many candidates would enter each stage of a run: the run's rounds, simulated with uncertain pass rates."""

import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

RUNS = 400
_TAILS = (0.05, 0.95)
"""The ends of a forecast: nine of ten simulated runs lie between them."""


class Rate(NamedTuple):
    """The share of candidates that pass a stage, and how well it is known."""

    share: float
    """Above 1 where a stage makes several candidates of one."""
    seen: float
    """Candidates that the share is known from: the fewer, the further it may be off."""

    def drawn(self, rng: np.random.Generator) -> float:
        """A share that the true one may be: Beta distributed around this one."""
        if not 0 < self.share < 1:
            return self.share
        return float(rng.beta(self.share * self.seen, (1 - self.share) * self.seen))


class Forecast(NamedTuple):
    """Candidates that enter each stage, in order; the last number counts the goldens."""

    expected: tuple[float, ...]
    at_least: tuple[float, ...]
    at_most: tuple[float, ...]


def forecast(
    rates: Sequence[Rate], *, wanted: int | None, eligible: int, prior_share: float, most_each: int = 1
) -> Forecast:
    """The mean over simulated runs, and the ends between which nine of ten lie, for each stage by itself.

    Each run draws its own rates, tries candidates in rounds as real runs do, and ends with `wanted` goldens or without
    candidates; `prior_share` and `most_each` are what its rounds go by. The same arguments give the same forecast.
    """
    rng = np.random.default_rng(0)
    size_of_round = partial(next_round, wanted=wanted, expected=prior_share, most_each=most_each)
    runs = np.array([_run(rates, eligible, size_of_round, rng) for _ in range(RUNS)])
    if wanted is not None:
        runs[:, -1] = runs[:, -1].clip(max=wanted)
    least, most = np.quantile(runs, _TAILS, axis=0).tolist()
    return Forecast(tuple(runs.mean(axis=0).tolist()), tuple(least), tuple(most))


def _run(
    rates: Sequence[Rate], eligible: int, size_of_round: Callable[..., int], rng: np.random.Generator
) -> list[int]:
    shares = [rate.drawn(rng) for rate in rates]
    counts = [0] * (len(rates) + 1)
    while left := size_of_round(kept=counts[-1], tried=counts[0], left=eligible - counts[0]):
        for number, share in enumerate(shares):
            counts[number] += left
            left = int(rng.binomial(left, share)) if share <= 1 else round(left * share)
        counts[-1] += left
    return counts


_PRIOR_TRIES = 4
"""As many tries of this run count as much as the share expected before it."""
_DEVIATIONS = 0.9
"""How far a round stays below what is missing, in standard deviations of the number of goldens that it gives."""


def next_round(*, wanted: int | None, kept: int, tried: int, left: int, expected: float, most_each: int = 1) -> int:
    """How many of the `left` candidates to try now. `wanted` None asks for all.

    `expected` is the share kept that was expected before the run: a constant, so that a run resumed draws the same. The
    first round has as many candidates as goldens are missing, or so few that nothing is too much where `most_each` come of each.
    Later ones go by the share kept until then and stay below what is missing by the uncertainty of that share, because a surplus
    golden is paid for and another round is not.
    """
    if wanted is None:
        return left
    missing = wanted - kept
    if missing <= 0 or left <= 0:
        return 0
    if tried == 0:
        return min(left, math.ceil(missing / most_each))
    seen = kept + _PRIOR_TRIES * expected
    share = seen / (tried + _PRIOR_TRIES)
    # Of a binomial number of goldens, and of its mean, which is known from `seen` goldens only.
    variance = missing * max(0.0, 1 - share) * (1 + missing / seen)
    aim = max(1.0, missing - _DEVIATIONS * math.sqrt(variance))
    return min(left, max(1, math.floor(aim / share)), max(32, 4 * tried))
