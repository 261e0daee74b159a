"""What the page's script shows: goldens with their passages, rejects by reason, the map."""

from collections.abc import Iterable, Sequence
from typing import Any

from ragset.corpus import Corpus
from ragset.models import Golden, Reject, Span
from ragset.report.chunk_map import ChunkMap

REJECTS_SHOWN = 40
"""Of each reason; all of them are in `rejects.jsonl`."""
_AROUND = 240
"""Characters of the document shown before and after a chunk."""
_LONGEST = 600
"""Characters shown of a rejected chunk."""


def page_data(
    goldens: Sequence[Golden], rejects: Iterable[Reject], chunk_map: ChunkMap, corpus: Corpus
) -> dict[str, Any]:
    """Plain data. Passages and documents are listed once, and goldens point at them."""
    passages = _Passages(corpus)
    shown = [_golden(golden, passages) for golden in goldens]
    place = {golden.id: number for number, golden in enumerate(goldens)}
    by_chunk = {chunk: place[golden.id] for golden in reversed(goldens) for chunk in golden.chunks}
    return {
        "goldens": shown,
        "rejects": _rejects(rejects, passages),
        "map": {
            "x": chunk_map.x,
            "y": chunk_map.y,
            "doc": [passages.document(doc_id) for doc_id in chunk_map.doc_ids],
            "golden": [by_chunk.get(id_, -1) for id_ in chunk_map.ids],
        },
        "passages": passages.listed,
        "documents": passages.documents,
    }


class _Passages:
    """Passages and documents, numbered as they come."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        self._numbers: dict[str, int] = {}
        self._documents: dict[str, int] = {}
        self.listed: list[dict[str, Any]] = []
        self.documents: list[dict[str, Any]] = []

    def document(self, doc_id: str) -> int:
        if doc_id not in self._documents:
            self._documents[doc_id] = len(self.documents)
            document = self._corpus[doc_id]
            self.documents.append({"title": document.title or document.sources[0], "sources": document.sources})
        return self._documents[doc_id]

    def number(self, span: Span) -> int:
        """Of the passage with what stands around it."""
        if span.id not in self._numbers:
            self._numbers[span.id] = len(self.listed)
            text = self._corpus[span.doc_id].text
            self.listed.append(
                {
                    "doc": self.document(span.doc_id),
                    "start": span.start,
                    "before": text[max(0, span.start - _AROUND) : span.start],
                    "text": text[span.start : span.end],
                    "after": text[span.end : span.end + _AROUND],
                }
            )
        return self._numbers[span.id]

    def excerpt(self, chunk_id: str) -> str:
        span = _span_of(chunk_id)
        return self._corpus[span.doc_id].text[span.start : min(span.end, span.start + _LONGEST)]


def _golden(golden: Golden, passages: _Passages) -> dict[str, Any]:
    chunks = [_span_of(chunk) for chunk in golden.chunks]
    apart = [span for span in golden.evidence if not any(span.overlap(chunk) for chunk in chunks)]
    return {
        "id": golden.id,
        "query": golden.query,
        "answer": golden.answer,
        "style": str(golden.metadata.get("style", "")),
        "evolution": str(golden.metadata.get("evolution", "none")),
        "scores": golden.scores,
        "passages": [passages.number(span) for span in (*chunks, *apart)],
        "evidence": [
            {"doc": passages.document(span.doc_id), "start": span.start, "end": span.end} for span in golden.evidence
        ],
        "steps": [step.model_dump(exclude_none=True) for step in golden.lineage],
    }


def _rejects(rejects: Iterable[Reject], passages: _Passages) -> list[dict[str, Any]]:
    groups: dict[tuple[str, str], dict[str, Any]] = {}
    for reject in rejects:
        group = groups.setdefault(
            (reject.stage, reject.reason), {"stage": reject.stage, "reason": reject.reason, "count": 0, "shown": []}
        )
        group["count"] += 1
        if len(group["shown"]) < REJECTS_SHOWN:
            group["shown"].append(
                {
                    "detail": reject.detail,
                    "query": reject.query,
                    "answer": reject.answer,
                    "text": passages.excerpt(reject.chunks[0]) if reject.chunks else "",
                    "doc": passages.document(_span_of(reject.chunks[0]).doc_id) if reject.chunks else -1,
                }
            )
    return list(groups.values())


def _span_of(chunk_id: str) -> Span:
    doc_id, _, place = chunk_id.rpartition(":")
    start, _, end = place.partition("-")
    return Span(doc_id=doc_id, start=int(start), end=int(end))
