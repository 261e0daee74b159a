"""Retrieval in characters: how much of the evidence came back, and how much else.

As in Smith and Troynikov, "Evaluating Chunking Strategies for Retrieval" (Chroma, 2024), whose definitions are for tokens
and whose program counts characters:

- recall: characters of the evidence that were retrieved, each once, of all its characters;
- precision: the same characters, of all characters retrieved, where those in two chunks count twice;
- IoU: the same characters, of all characters retrieved (again with repeats) and those of the evidence that were not;
- precision-omega: of the characters of every chunk that overlaps the evidence, and of the evidence that no chunk holds,
  here each once, the share that is evidence that a chunk holds.

One thing differs: there, a chunk that ends where the evidence begins counts as overlapping for precision-omega, which costs
much where chunks end with sentences. Here one character has to be shared, unless `touching` is asked for.

Evidence spans that overlap each other count as one. A text that stands in several places is the evidence in any of them:
the place of which most was retrieved counts, the first of equals; what came back from the others lowers the precision.

Where several sets of passages suffice, recall and precision-omega are of the set that scores best, and precision counts
the characters of any set. IoU is of the best set, where what came back of the others is neither found nor held against it.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ragset.evaluation.metrics.layout import UNALIGNED, Layout, Place, places_of
from ragset.evaluation.metrics.registry import Need, at_sizes, metrics_of
from ragset.evaluation.metrics.scores import Bounds, Score
from ragset.models import Span
from ragset.retrieval.fusion import Hit

if TYPE_CHECKING:
    from ragset.evaluation.metrics.qrels import Gold, Pieces


class RetrievedSpans(NamedTuple):
    """Characters that were retrieved for one golden.

    Each metric takes a number of unaligned characters that count as evidence not yet found: 0 at worst.
    """

    sets: list[tuple[int, int]]
    """For each set of evidence its characters, and those that were retrieved."""
    of_any: int
    """Retrieved characters that belong to any set, each once."""
    retrieved: int
    """All retrieved characters, with repeats."""

    def recall(self, more: int) -> float:
        """Of the best set."""
        return max(min(evidence, found + more) / evidence for evidence, found in self.sets)

    def precision(self, more: int) -> float:
        """Of all sets together."""
        return min(1.0, (self.of_any + more) / self.retrieved) if self.retrieved else 0.0

    def iou(self, more: int) -> float:
        """Of the best set."""
        others = self.retrieved - self.of_any
        return max(
            min(evidence, found + more) / (evidence + others - (min(evidence, found + more) - found))
            for evidence, found in self.sets
        )


def span_scores(
    run: Mapping[str, Sequence[Hit]],
    gold: "Gold",
    k: int,
    chunk_ids: Iterable[str] | None = None,
    *,
    touching: bool = False,
) -> list[Score]:
    """The metrics that need spans, of every golden with evidence, from the first k hits.

    And those that need an index, where the ids of all chunks are given; with `touching` precision-omega also counts chunks
    that only touch the evidence, as the published numbers do. Without hits all are 0. A chunk that comes twice among
    the hits is counted twice.

    Raises:
        InputError: an id is not `doc_id:start-end`.
    """
    layout = None if chunk_ids is None else Layout(chunk_ids)
    scores: list[Score] = []
    for golden, sets in gold.items():
        if sets:
            places = [place for hit in run.get(golden, ())[:k] for place in places_of(hit.id)]
            scores += _scores(golden, "spans", sets, places, k)
            if layout is not None:
                for metric in metrics_of("index"):
                    if metric.compute:
                        value = max(metric.compute(pieces, layout, touching) for pieces in sets)
                        scores.append(Score(golden, metric.name, value))
    return scores


def recall_at_tokens(
    run: Mapping[str, Sequence[Hit]], gold: "Gold", budget: int, tokens: Callable[[Span], int]
) -> list[Score]:
    """The metrics that need tokens, of every golden with evidence, from the hits that fit the budget.

    Hits are taken in order; of the first that no longer fits, its beginning: as many characters as it has tokens left in
    proportion. `tokens` counts those of a chunk.

    Raises:
        InputError: an id is not `doc_id:start-end`.
    """
    scores: list[Score] = []
    for golden, sets in gold.items():
        if sets:
            scores += _scores(golden, "tokens", sets, list(_fitting(run.get(golden, ()), budget, tokens)), budget)
    return scores


def _scores(golden: str, need: Need, sets: Sequence["Pieces"], places: Sequence[Place], k: int) -> Iterator[Score]:
    """With bounds where there are unaligned characters: each of them could be evidence not yet found."""
    chosen = [_chosen(pieces, lambda _: places) for pieces in sets]
    covered = [_intersection(evidence, places) for evidence in chosen]
    counts = [(_length(evidence), _length(found)) for evidence, found in zip(chosen, covered, strict=True)]
    of_any = _length(_union(place for found in covered for place in found))
    spans = RetrievedSpans(counts, of_any, _length(places))
    unknown = _length(place for place in places if place.doc_id.startswith(UNALIGNED))
    for name, metric, _ in at_sizes(metrics_of(need), (k,)):
        if metric.compute:
            worst = metric.compute(spans, 0)
            best = metric.compute(spans, unknown)
            yield Score(golden, name, worst, Bounds(worst=worst, best=best) if unknown else None)


def precision_omega(pieces: "Pieces", layout: Layout, touching: bool = False) -> float:
    """The precision of a search that finds every chunk over the evidence and no other."""
    margin = int(touching)

    def chunks_over(place: Place) -> list[Place]:
        wider = Place(place.doc_id, place.start - margin, place.end + margin)
        return [Place(place.doc_id, chunk.start, chunk.end) for chunk in layout.overlapping(wider)]

    evidence = _chosen(pieces, chunks_over)
    chunks = [chunk for place in evidence for chunk in chunks_over(place)]
    return _length(_intersection(evidence, chunks)) / _length(_union([*evidence, *chunks]))


def _fitting(hits: Iterable[Hit], budget: int, tokens: Callable[[Span], int]) -> Iterator[Place]:
    left = budget
    for place in (place for hit in hits for place in places_of(hit.id)):
        if left <= 0:
            return
        needed = tokens(Span(doc_id=place.doc_id, start=place.start, end=place.end))
        kept = place.end - place.start
        if needed > left:
            kept = kept * left // needed
        if kept:
            yield place._replace(end=place.start + kept)
        left -= needed


def _chosen(pieces: "Pieces", covering: Callable[[Place], Sequence[Place]]) -> list[Place]:
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
        if one.doc_id == other.doc_id and one.start < other.end and other.start < one.end
    )
    return _union(shared)


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
