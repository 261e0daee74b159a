"""How many chunks to try next.

Goldens are asked for in waves. The first takes as many chunks as goldens are wanted, since a corpus where
everything passes should cost nothing more; each later one is sized by the share kept until then.
"""

import math

_RARE = 0.02
"""The least share of kept chunks that a wave is sized by: where fewer pass, waves stay bounded."""
_GROWTH = 4
"""Times what was tried before, at most: a share is known no better than that."""


def next_wave(*, wanted: int | None, kept: int, tried: int, left: int) -> int:
    """How many of the `left` chunks to try now; 0 when there is nothing to do.

    `wanted` None asks for all. After each wave the share of chunks kept is known better, and the last few goldens
    are worth a little surplus rather than a wave for each.
    """
    if wanted is None:
        return left
    missing = wanted - kept
    if missing <= 0 or left <= 0:
        return 0
    if tried == 0:
        return min(left, missing)
    share = max(kept / tried, _RARE)
    wished = math.ceil(missing / share + math.sqrt(missing) * (1 - share))
    return min(left, wished, max(32, _GROWTH * tried))
