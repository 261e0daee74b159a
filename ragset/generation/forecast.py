"""How many candidates would enter each stage of a run: the run's rounds, simulated with uncertain pass rates."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ragset.generation.rounds import next_round

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


def forecast(rates: Sequence[Rate], *, wanted: int | None, eligible: int, prior_share: float) -> Forecast:
    """The mean over simulated runs, and the ends between which nine of ten lie, for each stage by itself.

    Each run draws its own rates, tries candidates in rounds as real runs do, and ends with `wanted` goldens or without
    candidates; `prior_share` is what its rounds go by. The same arguments give the same forecast.
    """
    rng = np.random.default_rng(0)
    runs = np.array([_run(rates, wanted, eligible, prior_share, rng) for _ in range(RUNS)])
    least, most = np.quantile(runs, _TAILS, axis=0).tolist()
    return Forecast(tuple(runs.mean(axis=0).tolist()), tuple(least), tuple(most))


def _run(
    rates: Sequence[Rate], wanted: int | None, eligible: int, prior_share: float, rng: np.random.Generator
) -> list[int]:
    shares = [rate.drawn(rng) for rate in rates]
    counts, kept = [0] * (len(rates) + 1), 0
    while size := next_round(
        wanted=wanted, kept=kept, tried=counts[0], left=eligible - counts[0], expected=prior_share
    ):
        left = size
        for number, share in enumerate(shares):
            counts[number] += left
            left = int(rng.binomial(left, share)) if share <= 1 else round(left * share)
        kept += left
    counts[-1] = kept if wanted is None else min(wanted, kept)
    return counts
