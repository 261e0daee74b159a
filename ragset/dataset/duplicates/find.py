"""Which queries repeat others, of the same set or of earlier ones, and which of them are kept."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import NamedTuple

import numpy as np

from ragset.dataset.duplicates.alike import Asked, Compared, How, alike
from ragset.models import Candidate, Golden, Span
from ragset.retrieval.embedding.vectors import Vectors, normalised
from ragset.settings import OFFLINE

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
    compared = Compared.each(every, language)
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


class Choice(NamedTuple):
    """The queries to keep and to drop, by index, both rising."""

    kept: tuple[int, ...]
    dropped: tuple[Repeat, ...]  # each with the query that stays in its place, and how it repeats that


def keep_better(scored: Sequence[Candidate | Golden], repeats: Sequence[Repeat]) -> Choice:
    """Keep the better queries, so that none repeats another or an earlier dataset's, whatever their order.

    The critic's mean score decides, then groundedness, then having evidence, then the shorter query. A query that repeats
    only dropped ones stays.
    """
    group = list(range(len(scored)))  # for each query the first of those of the same words
    for repeat in sorted(repeats, key=lambda repeat: repeat.index):
        if repeat.how == "exact" and isinstance(repeat.of, int):
            group[repeat.index] = group[repeat.of]
    beside: dict[int, list[Repeat]] = defaultdict(list)
    for repeat in repeats:
        beside[group[repeat.index]].append(repeat)
        if isinstance(repeat.of, int):
            beside[group[repeat.of]].append(repeat)

    kept: dict[int, int] = {}  # by group
    gone: dict[int, Repeat] = {}
    reasons: dict[int, Repeat] = {}
    worths = [_worth(one) for one in scored]
    for index in sorted(range(len(scored)), key=worths.__getitem__):
        root = group[index]
        reason = reasons.get(root) or _reason(root, group, beside[root], kept)
        if reason is None:
            kept[root] = index
            reasons[root] = Repeat(index, index, "exact", 1.0)
        else:
            reasons[root] = reason
            gone[index] = replace(reason, index=index)
    return Choice(tuple(sorted(kept.values())), tuple(gone[index] for index in sorted(gone)))


def _worth(one: Candidate | Golden) -> tuple[float, float, bool, int, str, str, str]:
    """The better, the smaller."""
    mean = sum(one.scores.values()) / len(one.scores) if one.scores else 0.0
    places = " ".join(sorted(span.id for span in one.evidence))
    grounded = float(one.scores.get("groundedness", 0))
    return -mean, -grounded, not one.evidence, len(one.query), one.query, one.answer or "", places


def _reason(root: int, group: Sequence[int], beside: Sequence[Repeat], kept: Mapping[int, int]) -> Repeat | None:
    """The repeat of something that stays, an earlier dataset's first, then the most alike; None if it may stay."""
    found: list[Repeat] = []
    for repeat in beside:
        if isinstance(repeat.of, str):
            found.append(repeat)
            continue
        other = group[repeat.of] if group[repeat.index] == root else group[repeat.index]
        if other in kept and other != root:
            found.append(replace(repeat, of=kept[other]))
    return min(found, key=lambda one: (isinstance(one.of, int), -one.similarity, str(one.of)), default=None)
