"""Retrieval in characters: how much of the evidence came back, and how much else.

As in Smith and Troynikov, "Evaluating Chunking Strategies for Retrieval" (Chroma, 2024), whose definitions are for
tokens and whose program counts characters. It is followed so:

- recall: characters of the evidence that were retrieved, each once, of all its characters;
- precision: the same characters, of all characters retrieved, where those in two chunks count twice;
- IoU: the same characters, of all characters retrieved (again with repeats) and those of the evidence that were not;
- precision-omega: of the characters of every chunk that overlaps the evidence, and of the evidence that no chunk holds,
  here each once, the share that is evidence that a chunk holds.

It differs in one thing: to precision-omega a chunk that ends where the evidence begins is there an overlapping one, which
costs much where chunks end with sentences; here one character has to be shared, unless `touching` is asked for.
Evidence spans that overlap each other are counted as one.

A text that stands in several places is the evidence in any of them: the place of which most was retrieved counts, the
first of equals. What came back from the others is then a repeat, and lowers the precision.

Where several sets of passages suffice, recall and precision-omega are of the set that scores best. Precision counts the
characters of any set. IoU is of the best set too, where what came back of the others is neither found nor held against it:
characters of the set that were retrieved, of all retrieved but those, and those of the set that were not.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from ragset.evaluation.metrics.bounds import Bounds
from ragset.evaluation.metrics.layout import UNALIGNED, Layout, Place, places_of, unaligned_in
from ragset.evaluation.metrics.qrels import Gold, Pieces
from ragset.evaluation.metrics.score import Score
from ragset.models import Span
from ragset.retrieval.fusion import Hit


def span_scores(
    run: Mapping[str, Sequence[Hit]],
    gold: Gold,
    k: int,
    chunk_ids: Iterable[str] | None = None,
    *,
    touching: bool = False,
) -> list[Score]:
    """`span_recall@k`, `span_precision@k` and `span_iou@k` of every golden with evidence, from the first k hits.

    And `span_precision_omega`, where the ids of all chunks are given: the precision of a perfect retriever over them;
    with `touching` also those chunks are in it that only touch the evidence, as in the published numbers.
    Where nothing is retrieved all are 0. A chunk that comes twice among the hits is counted twice.

    Raises:
        InputError: an id is not `doc_id:start-end`.
    """
    layout = None if chunk_ids is None else Layout.of(chunk_ids)
    scores: list[Score] = []
    for golden, sets in gold.items():
        if not sets:
            continue
        hits = run.get(golden, ())[:k]
        retrieved = [place for hit in hits for place in places_of(hit.id)]
        unknown = sum(unaligned_in(hit.id) for hit in hits)
        matches = [_match(pieces, retrieved) for pieces in sets]
        of_any = _length(_union(place for match in matches for place in match.covered))
        length = _length(retrieved)

        def precision(more: int, of_any: int = of_any, length: int = length) -> float:
            return min(1.0, (of_any + more) / length) if length else 0.0

        def iou(more: int, matches: Sequence[_Match] = matches, of_any: int = of_any, length: int = length) -> float:
            return max(match.iou(more, length - of_any) for match in matches)

        def recall(more: int, matches: Sequence[_Match] = matches) -> float:
            return max(match.recall(more) for match in matches)

        for name, value in (("span_recall", recall), ("span_precision", precision), ("span_iou", iou)):
            scores.append(_score(golden, f"{name}@{k}", value, unknown))
        if layout is not None:
            omega = max(_precision_omega(pieces, layout, margin=int(touching)) for pieces in sets)
            scores.append(Score(golden, "span_precision_omega", omega))
    return scores


def recall_at_tokens(
    run: Mapping[str, Sequence[Hit]], gold: Gold, budget: int, tokens: Callable[[Span], int]
) -> list[Score]:
    """`recall@{budget}tokens` of every golden with evidence: the share of its characters in the hits that fit the budget.

    Hits are taken in order; of the one that no longer fits, its beginning, by as many characters as it has tokens left
    in proportion. `tokens` counts those of a chunk.

    Raises:
        InputError: an id is not `doc_id:start-end`.
    """
    scores: list[Score] = []
    for golden, sets in gold.items():
        if sets:
            fitting = list(_fitting(run.get(golden, ()), budget, tokens))
            unknown = sum(place.end - place.start for place in fitting if place.doc_id.startswith(UNALIGNED))
            matches = [_match(pieces, fitting) for pieces in sets]

            def recall(more: int, matches: Sequence[_Match] = matches) -> float:
                return max(match.recall(more) for match in matches)

            scores.append(_score(golden, f"recall@{budget}tokens", recall, unknown))
    return scores


def _score(golden: str, metric: str, value: Callable[[int], float], unknown: int) -> Score:
    """The value without any unaligned characters, and bounds where there are some: each could be evidence not yet found."""
    worst = value(0)
    return Score(golden, metric, worst, Bounds(worst=worst, best=value(unknown)) if unknown else None)


class _Match(NamedTuple):
    """What was retrieved of one set."""

    evidence: int
    """Its characters."""
    covered: list[Place]
    """Of these the retrieved ones, each once."""

    def recall(self, more: int = 0) -> float:
        """Covered, of all; with so many characters more of it, as far as it lacks them."""
        return self._found(more) / self.evidence

    def iou(self, more: int, others: int) -> float:
        """Covered, of all and the `others` that were retrieved, of which `more` may be evidence."""
        found = self._found(more)
        return found / (self.evidence + others - (found - self._found(0)))

    def _found(self, more: int) -> int:
        return min(self.evidence, _length(self.covered) + more)


def _fitting(hits: Iterable[Hit], budget: int, tokens: Callable[[Span], int]) -> Iterator[Place]:
    left = budget
    for hit in hits:
        if left <= 0:
            return
        for place in places_of(hit.id):
            needed = tokens(Span(doc_id=place.doc_id, start=place.start, end=place.end))
            if needed <= left:
                yield place
            elif left > 0:
                end = place.start + (place.end - place.start) * left // needed
                if end > place.start:
                    yield place._replace(end=end)
            left -= needed


def _precision_omega(pieces: Pieces, layout: Layout, margin: int) -> float:
    def chunks_over(place: Place) -> list[Place]:
        wider = Place(place.doc_id, place.start - margin, place.end + margin)
        return [Place(place.doc_id, chunk.start, chunk.end) for chunk in layout.overlapping(wider)]

    evidence = _chosen(pieces, chunks_over)
    chunks = [chunk for place in evidence for chunk in chunks_over(place)]
    return _length(_intersection(evidence, chunks)) / _length(_union([*evidence, *chunks]))


def _match(pieces: Pieces, retrieved: Sequence[Place]) -> _Match:
    evidence = _chosen(pieces, lambda _: retrieved)
    return _Match(_length(evidence), _intersection(evidence, retrieved))


def _chosen(pieces: Pieces, covering: Callable[[Place], Sequence[Place]]) -> list[Place]:
    """For each piece of evidence the place of it that is covered best; those that overlap are made one."""

    def share(place: Place) -> float:
        return _length(_intersection([place], covering(place))) / (place.end - place.start)

    # `max` keeps the first of equals: the golden's own.
    return _union(max((Place(span.doc_id, span.start, span.end) for span in spans), key=share) for spans in pieces)


def _intersection(disjoint: Sequence[Place], others: Sequence[Place]) -> list[Place]:
    """The characters of `disjoint` that lie in any of the others, each once."""
    shared = (
        Place(one.doc_id, max(one.start, other.start), min(one.end, other.end))
        for one in disjoint
        for other in others
        if _shared(one, other)
    )
    return _union(shared)


def _shared(one: Place, other: Place) -> bool:
    return one.doc_id == other.doc_id and one.start < other.end and other.start < one.end


def _union(places: Iterable[Place]) -> list[Place]:
    union: list[Place] = []
    for place in sorted(places):
        last = union[-1] if union else None
        if last and last.doc_id == place.doc_id and place.start <= last.end:
            union[-1] = last._replace(end=max(last.end, place.end))
        else:
            union.append(place)
    return union


def _length(places: Iterable[Place]) -> int:
    return sum(place.end - place.start for place in places)
