"""How many chunks to try next.

Goldens are made in rounds. The first tries as many chunks as goldens are wanted, since a corpus where everything passes
should cost nothing more; each later round is sized by the share of chunks kept until then.
"""

import math

_RARE = 0.02
"""The least share of kept chunks that a round is sized by: where fewer pass, rounds stay bounded."""
_GROWTH = 4
"""Times what was tried before, at most: a share is known no better than that."""


def next_round(*, wanted: int | None, kept: int, tried: int, left: int) -> int:
    """How many of the `left` chunks to try now; 0 when enough are kept or none is left. `wanted` None asks for all."""
    if wanted is None:
        return left
    missing = wanted - kept
    if missing <= 0 or left <= 0:
        return 0
    if tried == 0:
        return min(left, missing)
    share = max(kept / tried, _RARE)
    # A little surplus costs less than another round for the last few goldens.
    wished = math.ceil(missing / share + math.sqrt(missing) * (1 - share))
    return min(left, wished, max(32, _GROWTH * tried))
