"""Texts of what was retrieved, each character of a document once, however many chunkings cut it.

Places count characters of the document, as the ids of chunks do; the page's script counts them too.
"""

from bisect import bisect_right
from collections.abc import Iterable
from typing import Any

from ragset.documents.corpus import Corpus
from ragset.errors import InputError
from ragset.evaluation.metrics.layout import places_of
from ragset.models import Span


class Passages:
    """Passages, documents and the pieces of text that they lie in, numbered as they come."""

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

    def _document(self, doc_id: str) -> int:
        if doc_id not in self._documents:
            self._documents[doc_id] = len(self.documents)
            if doc_id in self._corpus:
                document = self._corpus[doc_id]
                self.documents.append({"title": document.title or document.sources[0], "sources": document.sources})
            else:
                self.documents.append({"title": doc_id, "sources": []})
        return self._documents[doc_id]

    def places(self, spans: Iterable[Span]) -> list[tuple[int, int, int]]:
        """Document, start and end of those spans that are in documents with a number."""
        return [
            (self._documents[span.doc_id], span.start, span.end) for span in spans if span.doc_id in self._documents
        ]

    def listed(self) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
        """All passages, and the pieces of text that they point into (-1: none)."""
        pieces: list[dict[str, Any]] = []
        first: dict[str, list[int]] = {}
        numbers: dict[tuple[str, int], int] = {}
        for doc_id, ranges in sorted(_merged(span for span in self._spans if span).items()):
            text = self._corpus[doc_id].text
            first[doc_id] = [start for start, _ in ranges]
            for start, end in ranges:
                numbers[doc_id, start] = len(pieces)
                pieces.append({"start": start, "text": text[start:end]})
        passages: list[dict[str, Any]] = []
        for id_, span in zip(self._numbers, self._spans, strict=True):
            if span is None:
                passages.append({"doc": self._documents[id_], "piece": -1, "start": 0, "end": 0})
                continue
            starts = first[span.doc_id]
            piece = numbers[span.doc_id, starts[bisect_right(starts, span.start) - 1]]
            passages.append({"doc": self._documents[span.doc_id], "piece": piece, "start": span.start, "end": span.end})
        return passages, pieces


def _merged(spans: Iterable[Span]) -> dict[str, list[tuple[int, int]]]:
    """Ranges that touch or overlap made one, in order, by document."""
    merged: dict[str, list[tuple[int, int]]] = {}
    for span in sorted(spans, key=lambda span: (span.doc_id, span.start)):
        ranges = merged.setdefault(span.doc_id, [])
        if ranges and span.start <= ranges[-1][1]:
            ranges[-1] = (ranges[-1][0], max(ranges[-1][1], span.end))
        else:
            ranges.append((span.start, span.end))
    return merged
