"""Which queries repeat others, of the same set or of earlier ones."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from ragset.dataset.duplicates.alike import Asked, Compared, How, alike
from ragset.models import Golden, Span
from ragset.retrieval.embedding.vectors import Vectors, normalised
from ragset.settings import OFFLINE
from ragset.text.rules.content_words import names_in

_ROWS = 1_024
_SLACK = 1e-5  # products in single precision differ in the last digits with the size of the block


def pairs_above(vectors: Vectors, least: float) -> Iterator[tuple[int, int]]:
    """Pairs of rows (i, j), i < j, with a cosine of at least `least`."""
    rows = normalised(vectors)
    for low in range(0, len(rows), _ROWS):
        left, right = np.nonzero(np.triu(rows[low : low + _ROWS] @ rows[low:].T, 1) >= least - _SLACK)
        for i, j in zip((left + low).tolist(), (right + low).tolist(), strict=True):
            if cosine_of(rows, i, j) >= least:
                yield i, j


def cosine_of(rows: Vectors, i: int, j: int) -> float:
    """Of two rows of length 1, to 6 digits: the same whichever comes first."""
    return round(float(rows[i].astype(np.float64) @ rows[j].astype(np.float64)), 6)


def highest(left: Vectors, right: Vectors) -> float:
    """The highest cosine of a row of `left` and one of `right`; both have rows."""
    ours, others = normalised(left), normalised(right)
    return max(float((ours[low : low + _ROWS] @ others.T).max()) for low in range(0, len(ours), _ROWS))


SEMANTIC = 0.9  # cosine from which two queries are alike by an embedding model; see `least_cosine`
OFFLINE_SEMANTIC = 0.7  # the same for the offline embedding, which is lexical

Pair = tuple[int, int]


@dataclass(frozen=True)
class Repeat:
    """A query that asks what another asks."""

    index: int
    of: int | str  # index of the query that it repeats, or the id of an earlier dataset's golden
    how: How  # `exact`: the same words; `near`: by words; `semantic`: by vectors; `judged`: by the critic
    similarity: float  # 0 to 1: 1 where exact, of letters where near, the cosine where semantic


def find_repeats(
    asked: Sequence[Asked],
    vectors: Vectors | None = None,
    *,
    earlier: Sequence[Golden] = (),
    earlier_vectors: Vectors | None = None,
    semantic: float = SEMANTIC,
    language: str = "en",
) -> list[Repeat]:
    """All repeats of earlier queries of the set, or of goldens of `earlier` datasets, whatever the order of the queries.

    Without `vectors`, a row each, nothing is compared by meaning. A query with the same words as others repeats the first
    alone; other repeats are pairs.
    """
    first = len(earlier)
    every: list[Asked] = [*earlier, *asked]
    names = names_in(text for one in every for text in (one.query, one.answer or ""))
    compared = [Compared.of(one, language, names) for one in every]
    rows = joined_rows(vectors, earlier, earlier_vectors)
    ids: list[int | str] = [*(golden.id for golden in earlier), *range(len(asked))]
    seen: dict[tuple[str, ...], int] = {}
    twins = [seen.setdefault(one.words, place) for place, one in enumerate(compared)]
    """For each query the first of the same words, which may be itself."""
    found = {
        (twin, place): Repeat(place - first, ids[twin], "exact", 1.0)
        for place, twin in enumerate(twins)
        if place >= first and twin != place
    }
    for (one, other), same_evidence in _likely(every, compared, twins, rows, semantic):
        if twins[one] == twins[other] or (one, other) in found or other < first:
            continue
        cosine = None if rows is None else cosine_of(rows, one, other)
        how = alike(compared[one], compared[other], semantic=semantic, same_evidence=same_evidence, cosine=cosine)
        if how is not None:
            found[one, other] = Repeat(other - first, ids[one], how[0], round(how[1], 4))
    return [found[pair] for pair in sorted(found, key=lambda pair: (pair[1], pair[0]))]


def least_cosine(embedder: str) -> float:
    """The value of `semantic` for vectors of this embedder."""
    return OFFLINE_SEMANTIC if embedder.startswith(OFFLINE) else SEMANTIC


def _likely(
    every: Sequence[Asked], compared: Sequence[Compared], twins: Sequence[int], rows: Vectors | None, semantic: float
) -> Iterator[tuple[Pair, bool]]:
    """The pairs worth comparing, and whether their evidence is the same; no other pair can be a repeat."""
    evidence = [one.evidence for one in every]
    seen: set[tuple[int, tuple[Span, ...], frozenset[str]]] = set()
    for place, one in enumerate(compared):
        key = twins[place], evidence[place], one.answer
        if key in seen:
            evidence[place] = ()  # what it repeats, its twin repeats
        seen.add(key)
    sharing: set[Pair] = set()
    for (one, other), spans in _touching(evidence).items():
        ours, theirs = compared[one].core, compared[other].core
        whole = len(spans) == len(set(evidence[one])) + len(set(evidence[other]))
        # Half of the evidence in common is half of the answer, of "A against B" and of "A against C", unless one of them
        # only says more than the other.
        if (whole and ours & theirs) or (ours and ours <= theirs) or (theirs and theirs <= ours):
            sharing.add((one, other))
    yield from ((pair, True) for pair in sorted(sharing))
    by_core: dict[frozenset[str], list[int]] = defaultdict(list)
    for place, one in enumerate(compared):
        # Of queries of the same words the first will do: without evidence only words count.
        if twins[place] == place and one.core:
            by_core[one.core].append(place)
    same_core = [pair for places in by_core.values() for pair in combinations(places, 2)]
    near = [] if rows is None else pairs_above(rows, semantic)
    yield from ((pair, False) for pair in (*same_core, *near) if pair not in sharing)


def overlapping(evidence: Sequence[Iterable[Span]]) -> set[Pair]:
    """Pairs (i, j), i < j, that share a character of a document."""
    return set(_touching(evidence))


def _touching(evidence: Sequence[Iterable[Span]]) -> dict[Pair, set[tuple[int, Span]]]:
    """Pairs (i, j), i < j, that share a character, with the spans of either that overlap the other's, by place."""
    by_document: dict[str, list[tuple[int, int, int, Span]]] = defaultdict(list)
    for place, spans in enumerate(evidence):
        for span in set(spans):
            by_document[span.doc_id].append((span.start, span.end, place, span))
    touched: dict[Pair, set[tuple[int, Span]]] = defaultdict(set)
    for placed in by_document.values():
        still_open: list[tuple[int, int, int, Span]] = []
        for one in sorted(placed, key=lambda one: one[:3]):
            still_open = [other for other in still_open if other[1] > one[0]]
            for other in still_open:
                if other[2] != one[2]:
                    touched[min(one[2], other[2]), max(one[2], other[2])] |= {one[2:], other[2:]}
            still_open.append(one)
    return touched


def joined_rows(vectors: Vectors | None, earlier: Sequence[Golden], earlier_vectors: Vectors | None) -> Vectors | None:
    """The vectors of all, earlier ones first; earlier ones without any are zero, so alike to nothing."""
    if vectors is None or not len(vectors):
        return None
    if earlier_vectors is None:
        earlier_vectors = np.zeros((len(earlier), vectors.shape[1]), dtype=np.float32)
    return normalised(np.concatenate([earlier_vectors, vectors]) if earlier else vectors)
