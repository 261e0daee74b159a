"""How many candidates to try next, so that few goldens more are made than asked for."""

import math

_PRIOR_TRIES = 4
"""As many tries of this run count as much as the share expected before it."""
_DEVIATIONS = 0.9
"""How far a round stays below what is missing, in standard deviations of the number of goldens that it gives."""


def next_round(*, wanted: int | None, kept: int, tried: int, left: int, expected: float) -> int:
    """How many of the `left` candidates to try now. `wanted` None asks for all.

    `expected` is the share kept that was expected before the run: a constant, so that a run resumed draws the same. The
    first round has as many candidates as goldens are missing. Later ones go by the share kept until then and stay below
    what is missing by the uncertainty of that share, because a surplus golden is paid for and another round is not.
    """
    if wanted is None:
        return left
    missing = wanted - kept
    if missing <= 0 or left <= 0:
        return 0
    if tried == 0:
        return min(left, missing)
    seen = kept + _PRIOR_TRIES * expected
    share = seen / (tried + _PRIOR_TRIES)
    # Of a binomial number of goldens, and of its mean, which is known from `seen` goldens only.
    variance = missing * max(0.0, 1 - share) * (1 + missing / seen)
    aim = max(1.0, missing - _DEVIATIONS * math.sqrt(variance))
    return min(left, max(1, math.floor(aim / share)), max(32, 4 * tried))
