"""What the page's script shows of single goldens: scores, retrieved passages, answers."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from ragset.dataset.place import Places
from ragset.dataset.relevance.qrels import gold_of, is_hit_relevant, places_of
from ragset.documents.corpus import Corpus
from ragset.errors import InputError
from ragset.evaluation.results.model import Results
from ragset.evaluation.results.report.board import Board
from ragset.models import Golden, Span

LARGEST = 15_000_000
MOST_HITS = (10, 5, 3, 1, 0)
"""Passages that a page holds for each configuration and golden; with fewer than ten, it holds one metric alone."""


def gold_places(results: Results) -> list[list[Span]]:
    """All places of the evidence and equivalents of each golden."""
    gold = gold_of(results.goldens, results.corpus)
    return [[one for pieces in gold[golden.id] for places in pieces for one in places] for golden in results.goldens]


def browser_data(
    results: Results, board: Board, most: int, gold: Sequence[Sequence[Span]]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Plain data in two parts: what a dataset's report has too; scores, hits and answers by configuration and golden.

    There are `most` hits of each; `gold` is of `gold_places`.
    """
    passages = _Passages(results.corpus)
    names = [entry.name for entry in board.entries]
    goldens = [_golden(golden, passages) for golden in results.goldens]

    def hits_of(name: str, golden: Golden, places: Sequence[Span]) -> list[tuple[int, float, int]] | None:
        def relevant(id_: str) -> bool:
            return _span(id_, results.corpus) is not None and any(is_hit_relevant(id_, one) for one in places)

        hits = results.runs.get(name, {}).get(golden.id)
        if hits is None:
            return None
        return [(passages.number(hit.id), _rounded(hit.score) or 0.0, int(relevant(hit.id))) for hit in hits[:most]]

    hits = [[hits_of(name, *row) for row in zip(results.goldens, gold, strict=True)] for name in names]
    # After the hits, as by now every document of which a passage is shown has a number.
    for golden, places in zip(goldens, gold, strict=True):
        golden["gold"] = [
            (passages.numbers[one.doc_id], one.start, one.end) for one in places if one.doc_id in passages.numbers
        ]
    metrics = sorted(set(results.scores["metric"])) if most == MOST_HITS[0] else [results.primary, "gold_rank"]

    def rows_of(values: Mapping[tuple[str, str], float]) -> list[list[float | None]]:
        return [[_rounded(values.get((name, golden.id))) for golden in results.goldens] for name in names]

    return (
        {"goldens": goldens, "passages": passages.listed, "documents": passages.documents},
        {
            "primary": results.primary,
            "configurations": [{"name": entry.name, "label": entry.label} for entry in board.entries],
            "hits": hits,
            "values": {metric: rows_of(results.values_of(metric)) for metric in metrics},
            # By the number of the golden; None where the reader abstained.
            "answers": [
                {number: of[golden.id] for number, golden in enumerate(results.goldens) if golden.id in of}
                for of in (results.answers.get(name, {}) for name in names)
            ],
            # By configuration and the number of a corpus-wide golden, each assertion: whether the answer makes it, and why.
            "assertions": [
                {
                    number: [(claim.text, claim.answered, claim.reason) for claim in of[golden.id].reference]
                    for number, golden in enumerate(results.goldens)
                    if golden.assertions and golden.id in of
                }
                for of in (results.diagnoses.get(name, {}) for name in names)
            ],
            "most": most,
        },
    )


def left_out(most: int) -> str:
    """What a page with so many hits leaves out, in words."""
    passages = f"passages beyond the first {most}" if most else "all passages"
    return "" if most == MOST_HITS[0] else f"{passages}, the other metrics of single goldens"


def _golden(golden: Golden, passages: "_Passages") -> dict[str, Any]:
    tags = [str(value) for field in ("style", "shape") if isinstance(value := golden.metadata.get(field), str)]
    return {
        "id": golden.id,
        "query": golden.query,
        "answer": golden.answer,
        "kind": golden.kind,
        "tags": list(dict.fromkeys(tags)),
        "passages": [{"at": passages.number(span.id)} for span in golden.evidence or golden.proof],
    }


def _rounded(value: float | None) -> float | None:
    """With four decimals, or three digits that are not 0, as of what a query costs."""
    if value is None or not math.isfinite(value):
        return None
    return round(value, 4) if abs(value) >= 0.01 else float(f"{value:.3g}")


def _span(id_: str, corpus: Corpus) -> Span | None:
    """What an id of a hit names, of several places the longest; None where that is no place in the corpus."""
    try:
        places = [place for place in places_of(id_) if place.doc_id in corpus]
    except InputError:
        return None
    longest = max(places, key=lambda place: place.end - place.start, default=None)
    return longest and longest.span


class _Passages:
    """Passages and their documents, numbered as they come."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        self._places = Places(corpus)
        self._known: dict[str, int] = {}
        self.numbers: dict[str, int] = {}
        self.listed: list[dict[str, Any]] = []
        self.documents: list[dict[str, Any]] = []

    def number(self, id_: str) -> int:
        """The number of a passage; one that is not in the corpus has no text."""
        if id_ not in self._known:
            self._known[id_] = len(self.listed)
            span = _span(id_, self._corpus)
            place = {}
            if span:
                where = self._places.of(span).within
                place = {"start": span.start, "end": span.end, "where": where, "text": self._corpus.text(span)}
            self.listed.append({"doc": self._document(span.doc_id if span else id_), **place})
        return self._known[id_]

    def _document(self, doc_id: str) -> int:
        if doc_id not in self.numbers:
            self.numbers[doc_id] = len(self.documents)
            entry: dict[str, Any] = {"title": doc_id, "sources": []}
            if doc_id in self._corpus:
                document = self._corpus[doc_id]
                entry = {"title": document.title or document.sources[0], "sources": document.sources}
            self.documents.append(entry)
        return self.numbers[doc_id]
