"""How many chunks to try next, and which of their goldens to keep.

Goldens are asked for in waves. The first takes as many chunks as goldens are wanted, since a corpus where
everything passes should cost nothing more; each later one is sized by the share kept until then.
"""

import math
import re
import unicodedata
from collections.abc import Iterable, Sequence

from ragset.models import Candidate, Golden, Reject

_WORD = re.compile(r"\w+")
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

    A query of the same words as one that is there already, in whatever order, is a duplicate: "How does A differ from B?"
    and "How does B differ from A?" test the same. Case, typography and punctuation do not count.
    """
    seen = {_words(golden.query) for golden in before}
    goldens: list[Golden] = []
    rejects: list[Reject] = []
    for candidate in grown:
        words = _words(candidate.query)
        if words in seen:
            rejects.append(candidate.rejected(stage, "duplicate_query"))
        elif wanted is not None and len(before) + len(goldens) >= wanted:
            rejects.append(candidate.rejected(stage, "surplus"))
        else:
            seen.add(words)
            goldens.append(Golden.of(candidate))
    return goldens, rejects


def _words(query: str) -> tuple[str, ...]:
    """Sorted; of a query without any, the query itself."""
    folded = unicodedata.normalize("NFKC", query).casefold()
    return tuple(sorted(_WORD.findall(folded))) or (folded.strip(),)
