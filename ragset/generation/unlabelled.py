"""Which retrieved passages may be relevant and unlabelled: the best of several rankings that nobody has judged yet."""

from collections.abc import Sequence
from itertools import zip_longest

from ragset.evaluation.metrics.layout import Place, place_of
from ragset.models import Span


def unlabelled_candidates(
    rankings: Sequence[Sequence[str]], labelled: Sequence[Span], first: Sequence[Span] = ()
) -> list[str]:
    """The chunk ids of all rankings, each once: first the best of each ranking, then the second of each, and so on.

    A chunk is left out if it shares a character with a labelled span, or half of the shorter of the two with a chunk
    before it or with one of the `first`. Test collections have been judged so since TREC (Spärck Jones and van
    Rijsbergen, 1975).

    Raises:
        InputError: an id is not `doc_id:start-end`.
    """
    known = [Place(span.doc_id, span.start, span.end) for span in labelled]
    taken = [Place(span.doc_id, span.start, span.end) for span in first]
    found: list[str] = []
    for chunk_id in (one for level in zip_longest(*rankings) for one in level if one is not None):
        place = place_of(chunk_id)
        if any(_shared(place, other) > 0 for other in known) or any(_mostly_same(place, other) for other in taken):
            continue
        taken.append(place)
        found.append(chunk_id)
    return found


def _shared(one: Place, other: Place) -> int:
    """Characters that both hold; 0 or less where there are none."""
    return min(one.end, other.end) - max(one.start, other.start) if one.doc_id == other.doc_id else 0


def _mostly_same(one: Place, other: Place) -> bool:
    return 2 * _shared(one, other) >= min(one.end - one.start, other.end - other.start)
