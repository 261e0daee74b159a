"""Retrieval in characters: how much of the evidence came back, and how much else.

As in Smith and Troynikov, "Evaluating Chunking Strategies for Retrieval" (Chroma, 2024), whose definitions are for tokens
and whose program counts characters:

- recall: characters of the evidence that were retrieved, each once, of all its characters;
- precision: the same characters, of all characters retrieved, where those in two chunks count twice;
- IoU: the same characters, of all characters retrieved (again with repeats) and those of the evidence that were not;
- precision-omega: of the characters of every chunk that overlaps the evidence, and of the evidence that no chunk holds,
  here each once, the share that is evidence that a chunk holds.

Evidence spans that overlap each other count as one. A text that stands in several places is the evidence in the place of
which most was retrieved. Where several sets of passages suffice, recall and precision-omega are of the set that scores best,
precision counts the characters of any set, and IoU is of the best set, with what came back of the others left out.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ragset.dataset.relevance.qrels import UNALIGNED, Layout, Place, length_of, places_of
from ragset.evaluation.metrics.registry import Need, at_sizes, metrics_of
from ragset.evaluation.metrics.scores import Bounds, Score
from ragset.models import Span
from ragset.retrieval.fusion import Hit

if TYPE_CHECKING:
    from ragset.dataset.relevance.qrels import Gold, Pieces


class RetrievedSpans(NamedTuple):
    """Characters that were retrieved for one golden.

    Each metric takes a number of unaligned characters that count as evidence not yet found: 0 at worst.
    """

    sets: list[tuple[int, int]]
    """For each set of evidence its characters, and those that were retrieved."""
    of_any: int
    retrieved: int
    """All retrieved characters, with repeats."""

    def recall(self, more: int) -> float:
        """The recall of the best set."""
        return max(min(evidence, found + more) / evidence for evidence, found in self.sets)

    def precision(self, more: int) -> float:
        """The precision of all sets together."""
        return min(1.0, (self.of_any + more) / self.retrieved) if self.retrieved else 0.0

    def iou(self, more: int) -> float:
        """The intersection over union of the best set."""
        others = self.retrieved - self.of_any
        reached = [(evidence, found, min(evidence, found + more)) for evidence, found in self.sets]
        return max(both / (evidence + others - (both - found)) for evidence, found, both in reached)


def span_scores(
    run: Mapping[str, Sequence[Hit]],
    gold: "Gold",
    k: int,
    chunk_ids: Iterable[str] | None = None,
    *,
    touching: bool = False,
) -> list[Score]:
    """The metrics that need spans, of every golden with evidence, from the first k hits; without hits all are 0.

    With `chunk_ids`, those of all chunks, also the metrics that need an index. With `touching`, precision-omega also counts
    chunks that only touch the evidence, as the published numbers do.
    """
    layout = None if chunk_ids is None else Layout(chunk_ids)
    scores: list[Score] = []
    for golden, sets in gold.items():
        if sets:
            places = [place for hit in run.get(golden, ())[:k] for place in places_of(hit.id)]
            scores += _scores(golden, "spans", sets, places, k)
            scores += (
                Score(golden, metric.name, max(metric.compute(pieces, layout, touching) for pieces in sets))
                for metric in (metrics_of("index") if layout else ())
                if metric.compute
            )
    return scores


def recall_at_tokens(
    run: Mapping[str, Sequence[Hit]], gold: "Gold", budget: int, tokens: Callable[[Span], int]
) -> list[Score]:
    """The metrics that need tokens, of every golden with evidence, from the hits that fit the budget.

    Of the first hit that no longer fits, its beginning counts, in proportion. `tokens` counts those of a chunk.
    """
    return [
        score
        for golden, sets in gold.items()
        if sets
        for score in _scores(golden, "tokens", sets, list(_fitting(run.get(golden, ()), budget, tokens)), budget)
    ]


def _scores(golden: str, need: Need, sets: Sequence["Pieces"], places: Sequence[Place], k: int) -> Iterator[Score]:
    """With bounds where there are unaligned characters: each of them could be evidence not yet found."""
    chosen = [_chosen(pieces, lambda _: places) for pieces in sets]
    covered = [_intersection(evidence, places) for evidence in chosen]
    counts = [(length_of(evidence), length_of(found)) for evidence, found in zip(chosen, covered, strict=True)]
    of_any = length_of(_union(place for found in covered for place in found))
    spans = RetrievedSpans(counts, of_any, length_of(places))
    unknown = length_of(place for place in places if place.doc_id.startswith(UNALIGNED))
    for name, metric, _ in at_sizes(metrics_of(need), (k,)):
        if metric.compute:
            worst, best = metric.compute(spans, 0), metric.compute(spans, unknown)
            yield Score(golden, name, worst, Bounds(worst=worst, best=best) if unknown else None)


def precision_omega(pieces: "Pieces", layout: Layout, touching: bool = False) -> float:
    """The precision of a search that finds every chunk over the evidence and no other."""

    def chunks_over(place: Place) -> list[Place]:
        wider = Place(place.doc_id, place.start - touching, place.end + touching)
        return [Place(place.doc_id, chunk.start, chunk.end) for chunk in layout.overlapping(wider)]

    evidence = _chosen(pieces, chunks_over)
    chunks = [chunk for place in evidence for chunk in chunks_over(place)]
    return length_of(_intersection(evidence, chunks)) / length_of(_union([*evidence, *chunks]))


def _fitting(hits: Iterable[Hit], budget: int, tokens: Callable[[Span], int]) -> Iterator[Place]:
    left = budget
    for place in (place for hit in hits for place in places_of(hit.id)):
        if left <= 0:
            return
        needed = tokens(place.span)
        kept = place.end - place.start
        if needed > left:
            kept = kept * left // needed
        if kept:
            yield place._replace(end=place.start + kept)
        left -= needed


def _chosen(pieces: "Pieces", covering: Callable[[Place], Sequence[Place]]) -> list[Place]:
    """For each piece of evidence the place of it that is covered best; those that overlap are made one."""

    def share(place: Place) -> float:
        return length_of(_intersection([place], covering(place))) / (place.end - place.start)

    # `max` keeps the first of equals: the golden's own.
    return _union(max((Place(span.doc_id, span.start, span.end) for span in spans), key=share) for spans in pieces)


def _intersection(disjoint: Sequence[Place], others: Sequence[Place]) -> list[Place]:
    return _union(
        Place(one.doc_id, max(one.start, other.start), min(one.end, other.end))
        for one in disjoint
        for other in others
        if one.doc_id == other.doc_id and one.start < other.end and other.start < one.end
    )


def _union(places: Iterable[Place]) -> list[Place]:
    union: list[Place] = []
    for place in sorted(places):
        if union and union[-1].doc_id == place.doc_id and place.start <= union[-1].end:
            union[-1] = union[-1]._replace(end=max(union[-1].end, place.end))
        else:
            union.append(place)
    return union
