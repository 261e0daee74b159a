"""What the page's script shows of single goldens: scores, retrieved passages, answers."""

import math
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from ragset.documents.corpus import Corpus
from ragset.errors import InputError
from ragset.evaluation.metrics.layout import places_of
from ragset.evaluation.metrics.qrels import gold_of, is_hit_relevant
from ragset.evaluation.results.model import Results
from ragset.evaluation.results.report.board import Board
from ragset.models import Golden, Span
from ragset.retrieval.fusion import Hit

LARGEST = 15_000_000
"""Characters of data in a page."""


class Share(NamedTuple):
    """How much of the results a page holds."""

    hits: int
    """Passages for each configuration and golden."""
    metrics: bool
    """All metrics of each golden, or only the primary one and the rank."""
    answers: bool

    @property
    def left_out(self) -> str:
        """In words; empty where nothing is."""
        left = [f"passages beyond the first {self.hits}" if self.hits else "all passages"] if self.hits < 10 else []
        left += [] if self.metrics else ["the other metrics of single goldens"]
        left += [] if self.answers else ["the answers"]
        return ", ".join(left)


SHARES = (
    Share(10, metrics=True, answers=True),
    *(Share(hits, metrics=False, answers=True) for hits in (10, 5, 3, 1, 0)),
    Share(0, metrics=False, answers=False),
)
"""From all to what a page can hold in any case."""


class BrowserData(NamedTuple):
    """Plain data, in two parts."""

    goldens: dict[str, Any]
    """Goldens, passages and documents: what the script of a dataset's report reads too."""
    runs: dict[str, Any]
    """Configurations with their scores, hits and answers; row for row with the goldens."""


def gold_places(results: Results) -> list[tuple[Span, ...]]:
    """Row for row with the goldens: where their evidence and its equivalents stand, and stand again word for word."""
    gold = gold_of(results.goldens, results.corpus)
    return [
        tuple(place for pieces in gold[golden.id] for places in pieces for place in places)
        for golden in results.goldens
    ]


def browser_data(
    results: Results, board: Board, share: Share, gold: Sequence[Sequence[Span]] | None = None
) -> BrowserData:
    """Passages are listed once, and hits point at them. `gold` is of `gold_places`, where it is known already."""
    gold = gold_places(results) if gold is None else gold
    passages = Passages(results.corpus)
    names = [entry.name for entry in board.entries]
    goldens = [_golden(golden, passages) for golden in results.goldens]
    hits = [
        [
            _hits(run[golden.id][: share.hits], passages, places) if golden.id in run else None
            for golden, places in zip(results.goldens, gold, strict=True)
        ]
        for run in (results.runs.get(name, {}) for name in names)
    ]
    # After the hits, as by now every document of which a passage is shown has a number.
    for golden, places in zip(goldens, gold, strict=True):
        golden["gold"] = passages.places(places)
    listed, pieces = passages.listed()
    metrics = sorted(set(results.scores["metric"])) if share.metrics else [results.primary, "gold_rank"]
    return BrowserData(
        {"goldens": goldens, "passages": listed, "documents": passages.documents},
        {
            "primary": results.primary,
            "configurations": [{"name": entry.name, "label": entry.label} for entry in board.entries],
            "pieces": pieces,
            "hits": hits,
            "values": {metric: _values(results, names, metric) for metric in metrics},
            "answers": [
                _answers(results.answers.get(name, {}), results.goldens) if share.answers else {} for name in names
            ],
            "most": share.hits,
        },
    )


def _hits(hits: Sequence[Hit], passages: "Passages", gold: Sequence[Span]) -> list[tuple[int, float, int]]:
    """Passage, score, and 1 for a relevant one."""
    return [
        (
            passages.number(hit.id),
            round(hit.score, 4) if math.isfinite(hit.score) else 0.0,
            int(passages.span(hit.id) is not None and any(is_hit_relevant(hit.id, place) for place in gold)),
        )
        for hit in hits
    ]


def _golden(golden: Golden, passages: "Passages") -> dict[str, Any]:
    tags = [str(value) for field in ("style", "shape") if isinstance(value := golden.metadata.get(field), str)]
    return {
        "id": golden.id,
        "query": golden.query,
        "answer": golden.answer,
        "kind": golden.kind,
        "tags": list(dict.fromkeys(tags)),
        "passages": [{"at": passages.number(span.id)} for span in golden.evidence],
    }


def _values(results: Results, names: Sequence[str], metric: str) -> list[list[float | None]]:
    scores = results.values_of(metric)

    def value(name: str, golden: str) -> float | None:
        found = scores.get((name, golden), math.nan)
        return round(found, 4) if math.isfinite(found) else None

    return [[value(name, golden.id) for golden in results.goldens] for name in names]


def _answers(answers: Mapping[str, str | None], goldens: Sequence[Golden]) -> dict[int, str | None]:
    """By the number of the golden; None where the reader abstained."""
    return {number: answers[golden.id] for number, golden in enumerate(goldens) if golden.id in answers}


class Passages:
    """Passages, documents and the pieces of text that they lie in, numbered as they come.

    Each character of a document is held once, however many chunkings cut it. Places count characters of the document.
    """

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        self._numbers: dict[str, int] = {}
        self._documents: dict[str, int] = {}
        self._spans: list[Span | None] = []
        self.documents: list[dict[str, Any]] = []

    def number(self, id_: str) -> int:
        """Of the passage of that id; an id that names no place in the corpus has a number too, and no text."""
        if id_ not in self._numbers:
            self._numbers[id_] = len(self._spans)
            span = self.span(id_)
            self._document(span.doc_id if span else id_)
            self._spans.append(span)
        return self._numbers[id_]

    def span(self, id_: str) -> Span | None:
        """What an id of a hit names, of several places the longest; None where that is no place in the corpus."""
        try:
            places = [place for place in places_of(id_) if place.doc_id in self._corpus]
        except InputError:
            return None
        longest = max(places, key=lambda place: place.end - place.start, default=None)
        return longest and Span(doc_id=longest.doc_id, start=longest.start, end=longest.end)

    def _document(self, doc_id: str) -> None:
        if doc_id not in self._documents:
            self._documents[doc_id] = len(self.documents)
            entry: dict[str, Any] = {"title": doc_id, "sources": []}
            if doc_id in self._corpus:
                document = self._corpus[doc_id]
                entry = {"title": document.title or document.sources[0], "sources": document.sources}
            self.documents.append(entry)

    def places(self, spans: Iterable[Span]) -> list[tuple[int, int, int]]:
        """Document, start and end of those spans that are in documents with a number."""
        return [
            (self._documents[span.doc_id], span.start, span.end) for span in spans if span.doc_id in self._documents
        ]

    def listed(self) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
        """All passages, and the pieces of text that they point into (-1: none)."""
        pieces = _merged(span for span in self._spans if span)
        starts = [(piece.doc_id, piece.start) for piece in pieces]
        passages: list[dict[str, Any]] = []
        for id_, span in zip(self._numbers, self._spans, strict=True):
            if span is None:
                passages.append({"doc": self._documents[id_], "piece": -1, "start": 0, "end": 0})
            else:
                piece = bisect_right(starts, (span.doc_id, span.start)) - 1
                place = {"doc": self._documents[span.doc_id], "piece": piece, "start": span.start, "end": span.end}
                passages.append(place)
        return passages, [{"start": piece.start, "text": self._corpus.text(piece)} for piece in pieces]


def _merged(spans: Iterable[Span]) -> list[Span]:
    """Spans that touch or overlap made one, by document and in order."""
    merged: list[Span] = []
    for span in sorted(spans, key=lambda span: (span.doc_id, span.start)):
        last = merged[-1] if merged else None
        if last and last.doc_id == span.doc_id and span.start <= last.end:
            merged[-1] = Span(doc_id=span.doc_id, start=last.start, end=max(last.end, span.end))
        else:
            merged.append(span)
    return merged
