"""Which retrieved passages are worth a look: the best of several rankings that nobody has labelled yet."""

from collections.abc import Sequence
from itertools import zip_longest

from ragset.evaluation.metrics.layout import Place, place_of
from ragset.models import Span


def pooled(rankings: Sequence[Sequence[str]], labelled: Sequence[Span], first: Sequence[Span] = ()) -> list[str]:
    """The chunk ids of all rankings, each once: first the best of each ranking, then the second of each, and so on.

    What shares a character with a labelled span is left out, and so is a chunk that says mostly what one before it, or
    one of the `first`, says: that shares half of the shorter of the two with it. Pooling is how test collections are
    judged since TREC (Spärck Jones and van Rijsbergen, 1975).

    Raises:
        InputError: an id is not `doc_id:start-end`.
    """
    known = [_place(span) for span in labelled]
    taken = [_place(span) for span in first]
    found: list[str] = []
    for level in zip_longest(*rankings):
        for chunk_id in level:
            if chunk_id is None:
                continue
            place = place_of(chunk_id)
            if any(_shared(place, other) > 0 for other in known) or any(_much_alike(place, other) for other in taken):
                continue
            taken.append(place)
            found.append(chunk_id)
    return found


def _place(span: Span) -> Place:
    return Place(span.doc_id, span.start, span.end)


def _shared(one: Place, other: Place) -> int:
    """Characters; 0 or less where there are none."""
    return min(one.end, other.end) - max(one.start, other.start) if one.doc_id == other.doc_id else 0


def _much_alike(one: Place, other: Place) -> bool:
    return 2 * _shared(one, other) >= min(one.end - one.start, other.end - other.start)
