"""Which chunks are relevant to which golden: derived from the evidence spans, so that one test set scores every chunking.

A chunk is relevant to an evidence span where they share at least half of the shorter of the two. An evidence span is
stood for by every place in the corpus that says the same word for word. The grade of a chunk is the highest of the spans
that it is relevant to.

A golden's evidence, all of it together, suffices for the answer; so does each of its equivalents, alone. What a metric
makes of several sets that suffice, `ragset.evaluation.metrics.ranking` and `ragset.evaluation.metrics.spans` say.
"""

from collections.abc import Iterable, Mapping, Sequence

from ragset.documents.corpus import Corpus
from ragset.evaluation.metrics.layout import Layout, length_of, places_of
from ragset.evaluation.metrics.repeats import find_repeats
from ragset.models import Golden, Span

Pieces = Sequence[Sequence[Span]]
"""Passages that suffice together: for each of them all places that hold it, the span itself first."""

Gold = Mapping[str, Sequence[Pieces]]
"""By golden id, the sets of passages of which each suffices, the evidence first; none of a golden without evidence."""

Relevant = Mapping[str, int]
"""The chunks relevant to one set with their grade, from 1."""

Grades = Mapping[str, Sequence[int]]
"""By golden id, the grade of each span of the evidence; a golden that is not in it has evidence of grade 1."""
NO_GRADES: Grades = {}

Qrels = Mapping[str, Sequence[Relevant]]
"""By golden id, set for set with its gold."""


def gold_of(goldens: Iterable[Golden], corpus: Corpus) -> dict[str, tuple[tuple[tuple[Span, ...], ...], ...]]:
    """Each golden's evidence, and each of its equivalents, with all their places in the corpus; () for a golden without.

    Texts are the same where only white space differs. Evidence of fewer than 20 characters stands for itself alone: so
    little is said in many places by chance.

    Raises:
        InputError: evidence or an equivalent lies outside the corpus.
    """
    goldens = tuple(goldens)
    repeats = find_repeats((span for golden in goldens for span in (*golden.evidence, *golden.equivalents)), corpus)

    def placed(*spans: Span) -> tuple[tuple[Span, ...], ...]:
        return tuple((span, *repeats[span]) for span in spans)

    return {
        golden.id: (placed(*golden.evidence), *map(placed, golden.equivalents)) if golden.evidence else ()
        for golden in goldens
    }


def grades_of(goldens: Iterable[Golden]) -> dict[str, tuple[int, ...]]:
    """The grades of those goldens that have any."""
    return {golden.id: golden.grades for golden in goldens if golden.grades}


def qrels(gold: Gold, chunk_ids: Iterable[str], grades: Grades = NO_GRADES) -> dict[str, tuple[dict[str, int], ...]]:
    """The relevant chunks of each golden that has evidence; a set is empty where the chunking lost all of it.

    An equivalent stands in a set by itself, where its grade makes no difference: it is 1.

    Raises:
        InputError: an id is not `doc_id:start-end`.
    """
    layout = Layout.of(chunk_ids)

    def graded(golden: str, place: int, pieces: Pieces) -> Sequence[int]:
        return grades[golden] if place == 0 and golden in grades else [1] * len(pieces)

    return {
        golden: tuple(_relevant(pieces, graded(golden, place, pieces), layout) for place, pieces in enumerate(sets))
        for golden, sets in gold.items()
        if sets
    }


def is_relevant(start: int, end: int, evidence: Span) -> bool:
    """Whether `start` to `end`, of the same document, share at least half of the shorter with the evidence."""
    shared = min(end, evidence.end) - max(start, evidence.start)
    return 2 * shared >= min(end - start, evidence.end - evidence.start)


def is_hit_relevant(id_: str, evidence: Span) -> bool:
    """`is_relevant` of a hit, which may be several places."""
    shared = sum(
        max(0, min(place.end, evidence.end) - max(place.start, evidence.start))
        for place in places_of(id_)
        if place.doc_id == evidence.doc_id
    )
    return shared > 0 and 2 * shared >= min(length_of(id_), evidence.end - evidence.start)


def _relevant(pieces: Pieces, grades: Sequence[int], layout: Layout) -> dict[str, int]:
    """By `is_relevant`, where a passage in several ranges counts as one."""
    found: dict[str, int] = {}
    for grade, place in ((grade, place) for grade, places in zip(grades, pieces, strict=True) for place in places):
        shared: dict[str, int] = {}
        for chunk in layout.overlapping(place):
            overlap = min(chunk.end, place.end) - max(chunk.start, place.start)
            shared[chunk.id] = shared.get(chunk.id, 0) + overlap
        length = place.end - place.start
        for id_, overlap in shared.items():
            if 2 * overlap >= min(length_of(id_), length):
                found[id_] = max(grade, found.get(id_, 0))
    return found
