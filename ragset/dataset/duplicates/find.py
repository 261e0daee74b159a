"""Which queries repeat others, of the same set or of earlier ones."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

import numpy as np

from ragset.dataset.duplicates.alike import Asked, Compared, How, alike
from ragset.dataset.duplicates.cosines import cosine_of, pairs_above
from ragset.dataset.duplicates.order import interchangeable
from ragset.errors import InputError
from ragset.models import Golden, Span
from ragset.retrieval.embedding.vectors import Vectors, normalised
from ragset.settings import OFFLINE
from ragset.text.rules.content_words import names_in

NEAR = 0.75
"""Similarity of letters from which on two queries of the same evidence are alike."""
SEMANTIC = 0.9
"""Cosine from which two queries are alike by an embedding model; see `least_cosine`."""
OFFLINE_SEMANTIC = 0.7
"""The same for the offline embedding, which is lexical."""

Pair = tuple[int, int]


@dataclass(frozen=True)
class Repeat:
    """A query that asks what another asks."""

    index: int
    of: int | str
    """Index of the query that it repeats, or the id of an earlier dataset's golden."""
    how: How
    """`exact`: the same words, in another order only where that is no difference; `near`: by words; `semantic`: by
    vectors; `judged`: by the critic."""
    similarity: float
    """0 to 1: 1 where exact, of letters where near, the cosine where semantic."""


def find_repeats(
    asked: Sequence[Asked],
    vectors: Vectors | None = None,
    *,
    earlier: Sequence[Golden] = (),
    earlier_vectors: Vectors | None = None,
    near: float = NEAR,
    semantic: float = SEMANTIC,
    language: str = "en",
) -> list[Repeat]:
    """All repeats of earlier queries of the set, or of goldens of `earlier` datasets.

    `vectors` are of the queries, a row each; without them nothing is compared by meaning. `earlier_vectors` are by the same
    embedding. A query with the same words as others is a repeat of the first alone; other repeats are pairs. The pairs do
    not depend on the order of the queries.

    Raises:
        InputError: the rows are not as many as the queries, or not of one size.
    """
    first = len(earlier)
    every: list[Asked] = [*earlier, *asked]
    names = names_in(text for one in every for text in (one.query, one.answer or ""))
    compared = [Compared.of(one, language, names) for one in every]
    rows = joined_rows(asked, vectors, earlier, earlier_vectors)

    def of(place: int) -> int | str:
        return earlier[place].id if place < first else place - first

    twins = _twins(compared)
    found: dict[Pair, Repeat] = {}
    for place, twin in enumerate(twins):
        if place >= first and twin != place:
            found[twin, place] = Repeat(place - first, of(twin), "exact", 1.0)
    for (one, other), same_evidence, known in _likely(every, compared, twins, rows, semantic, first):
        if twins[one] == twins[other] or (one, other) in found:
            continue
        cosine = cosine_of(rows, one, other) if known is None and rows is not None else known
        how = alike(
            compared[one],
            compared[other],
            near=near,
            semantic=semantic,
            same_evidence=same_evidence,
            cosine=cosine,
        )
        if how is not None:
            found[one, other] = Repeat(other - first, of(one), how[0], round(how[1], 4))
    return [found[pair] for pair in sorted(found, key=lambda pair: (pair[1], pair[0]))]


def least_cosine(embedder: str) -> float:
    """The value of `semantic` for vectors of this embedder."""
    return OFFLINE_SEMANTIC if embedder.startswith(OFFLINE) else SEMANTIC


def _twins(compared: Sequence[Compared]) -> list[int]:
    """For each query the first of the same words, which may be itself."""
    seen: dict[tuple[str, ...], int] = {}
    twins = [seen.setdefault(one.wording.words, place) for place, one in enumerate(compared)]
    turned: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for words, place in seen.items():
        turned[tuple(sorted(words))].append(place)
    for places in turned.values():
        # All that one leads to by way of others, so that it does not count which comes first.
        while places:
            group = [places.pop(0)]
            for one in group:
                like = [other for other in places if interchangeable(compared[one].wording, compared[other].wording)]
                group += like
                places = [other for other in places if other not in like]
            for one in group:
                twins[one] = min(group)
    return [twins[twin] for twin in twins]


def _likely(
    every: Sequence[Asked],
    compared: Sequence[Compared],
    twins: Sequence[int],
    rows: Vectors | None,
    semantic: float,
    first: int,
) -> Iterator[tuple[Pair, bool, float | None]]:
    """The pairs worth comparing, whether their evidence is the same, and their cosine where that is known already.

    Nothing else can be a repeat: words of content may differ only where evidence is shared or vectors are alike.
    """
    evidence = [one.evidence for one in every]
    seen: set[tuple[int, tuple[Span, ...], frozenset[str]]] = set()
    for place, one in enumerate(compared):
        key = twins[place], evidence[place], one.answer
        if key in seen:
            evidence[place] = ()  # what it repeats, its twin repeats
        seen.add(key)
    sharing: set[Pair] = set()
    for (one, other), whole in _sharing(evidence, first):
        ours, theirs = compared[one].core, compared[other].core
        # Half of the evidence in common is half of the answer, of "A against B" and of "A against C", unless one of them
        # only says more than the other.
        if (whole and ours & theirs) or (ours and ours <= theirs) or (theirs and theirs <= ours):
            sharing.add((one, other))
    for pair in sorted(sharing):
        yield pair, True, None
    by_core: dict[frozenset[str], list[int]] = defaultdict(list)
    for place, one in enumerate(compared):
        # Of queries of the same words the first will do: without evidence only words count.
        if twins[place] == place and one.core:
            by_core[one.core].append(place)
    for places in by_core.values():
        for one, other in combinations(places, 2):
            if other >= first and (one, other) not in sharing:
                yield (one, other), False, None
    if rows is not None:
        for one, other, cosine in pairs_above(rows, semantic, first):
            if (one, other) not in sharing:
                yield (one, other), False, cosine


def overlapping(evidence: Sequence[Iterable[Span]]) -> set[Pair]:
    """Pairs (i, j), i < j, that share a character of a document."""
    return {(one.place, other.place) for one, other in _touching(evidence, 0)}


def _sharing(evidence: Sequence[Collection[Span]], first: int) -> Iterator[tuple[Pair, bool]]:
    """Pairs (i, j), i < j and j >= `first`, that share evidence, and whether each span of either overlaps the other's."""
    touched: dict[Pair, set[_Placed]] = defaultdict(set)
    for one, other in _touching(evidence, first):
        touched[one.place, other.place] |= {one, other}
    for pair, spans in touched.items():
        yield pair, len(spans) == sum(len(set(evidence[place])) for place in pair)


class _Placed(NamedTuple):
    """A span, and the query whose evidence it is."""

    start: int
    end: int
    doc_id: str
    place: int


def _touching(evidence: Sequence[Iterable[Span]], first: int) -> Iterator[tuple[_Placed, _Placed]]:
    """Every two overlapping spans of two queries, the earlier query's first; the later query is `first` or after."""
    by_document: dict[str, list[_Placed]] = defaultdict(list)
    for place, spans in enumerate(evidence):
        for span in set(spans):
            by_document[span.doc_id].append(_Placed(span.start, span.end, span.doc_id, place))
    for spans in by_document.values():
        still_open: list[_Placed] = []
        for span in sorted(spans):
            still_open = [other for other in still_open if other.end > span.start]
            for other in still_open:
                if other.place != span.place and max(other.place, span.place) >= first:
                    yield (other, span) if other.place < span.place else (span, other)
            still_open.append(span)


def joined_rows(
    asked: Sequence[Asked], vectors: Vectors | None, earlier: Sequence[Golden], earlier_vectors: Vectors | None
) -> Vectors | None:
    """The vectors of all, earlier ones first; those without any are all zero, so alike to nothing."""
    given = (("earlier_vectors", len(earlier), earlier_vectors), ("vectors", len(asked), vectors))
    size = next((rows.shape[1] for _, _, rows in given if rows is not None and len(rows)), 0)
    if not size:
        return None
    parts: list[Vectors] = []
    for name, count, rows in given:
        if rows is not None and (len(rows) != count or (count and rows.shape[1] != size)):
            raise InputError(f"{name}: {count} queries have vectors of shape {rows.shape}; embed both by one model")
        if rows is None or not len(rows):
            rows = np.zeros((count, size), dtype=np.float32)
        parts.append(normalised(rows))
    return np.concatenate(parts)
