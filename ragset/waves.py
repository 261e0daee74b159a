"""How many chunks to try next, and which of their goldens to keep.

Goldens are asked for in waves. The first takes as many chunks as goldens are wanted, since a corpus where
everything passes should cost nothing more; each later one is sized by the share kept until then.
"""

import math
import unicodedata
from collections.abc import Iterable, Sequence

from ragset.models import Candidate, Golden, Reject

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


def keep(
    grown: Iterable[Candidate], before: Sequence[Golden], wanted: int | None, *, stage: str = "keep"
) -> tuple[list[Golden], list[Reject]]:
    """The first candidates, in the order given, that make `before` up to `wanted` goldens, and the rest with reasons.

    A query that is there already, apart from case, accents of typography and white space, is a duplicate.
    """
    seen = {_folded(golden.query) for golden in before}
    goldens: list[Golden] = []
    rejects: list[Reject] = []
    for candidate in grown:
        folded = _folded(candidate.query)
        if folded in seen:
            rejects.append(candidate.rejected(stage, "duplicate_query"))
        elif wanted is not None and len(before) + len(goldens) >= wanted:
            rejects.append(candidate.rejected(stage, "surplus"))
        else:
            seen.add(folded)
            goldens.append(Golden.of(candidate))
    return goldens, rejects


def _folded(query: str) -> str:
    words = unicodedata.normalize("NFKC", query).casefold().split()
    return " ".join(words).rstrip("?!. ")
