"""Which retrieved passages may be relevant and unlabelled: the best of several rankings that nobody has judged yet."""

from collections.abc import Sequence
from itertools import zip_longest

from ragset.evaluation.metrics.layout import place_of
from ragset.evaluation.metrics.qrels import is_relevant
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
    taken = list(first)
    found: list[str] = []
    for chunk_id in (one for level in zip_longest(*rankings) for one in level if one is not None):
        doc_id, start, end = place_of(chunk_id)
        place = Span(doc_id=doc_id, start=start, end=end)
        repeats = (is_relevant(start, end, other) for other in taken if other.doc_id == doc_id)
        if any(map(place.overlap, labelled)) or any(repeats):
            continue
        taken.append(place)
        found.append(chunk_id)
    return found
