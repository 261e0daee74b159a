"""Which retrieved passages are worth a look: the best of several rankings that nobody has labelled yet."""

from collections.abc import Sequence
from itertools import zip_longest

from ragset.metrics.layout import Place, place_of
from ragset.models import Span


def pooled(rankings: Sequence[Sequence[str]], labelled: Sequence[Span]) -> list[str]:
    """The chunk ids of all rankings, each once: first the best of each ranking, then the second of each, and so on.

    What shares a character with a labelled span is left out, and so is a chunk that overlaps one before it: it says
    mostly the same. Pooling is how test collections are judged since TREC (Spärck Jones and van Rijsbergen, 1975).

    Raises:
        InputError: an id is not `doc_id:start-end`.
    """
    taken = [Place(span.doc_id, span.start, span.end) for span in labelled]
    found: list[str] = []
    for level in zip_longest(*rankings):
        for chunk_id in level:
            place = place_of(chunk_id) if chunk_id is not None else None
            if chunk_id is not None and place is not None and not any(_touches(place, other) for other in taken):
                taken.append(place)
                found.append(chunk_id)
    return found


def _touches(one: Place, other: Place) -> bool:
    return one.doc_id == other.doc_id and one.start < other.end and other.start < one.end
