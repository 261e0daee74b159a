"""The data that the page's scripts show. Places within a text count UTF-16 units, as JavaScript does: an emoji is two."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest
from typing import Any

from ragset.dataset.completeness import judged_of, weight_of
from ragset.dataset.dialogue import dialogue_of
from ragset.dataset.labels import kind_of, labels_of
from ragset.dataset.place import Places
from ragset.dataset.report.census import shape_of
from ragset.dataset.report.chunk_map import ChunkMap
from ragset.documents.corpus import Corpus
from ragset.models import Golden, Reject, Span
from ragset.text.quotes import merge

REJECTS_SHOWN = 50  # of each reason; all of them are in `rejects.jsonl`
_AROUND = 240  # characters of the document shown before and after a passage
_LONGEST = 600  # characters shown of each text of a reject


def page_data(
    goldens: Sequence[Golden],
    rejects: Iterable[Reject],
    chunk_map: ChunkMap | None,
    corpus: Corpus,
    stages: Sequence[str],
) -> dict[str, Any]:
    """Plain data. Passages and documents are listed once, and goldens point at them; `stages` orders the rejects."""
    passages = _Passages(corpus)
    dots = chunk_map or ChunkMap(ids=(), doc_ids=(), x=(), y=(), explained=0, total=0, drawn={})
    return {
        "goldens": [_golden(golden, passages, dots.drawn) for golden in goldens],
        "rejects": _rejects(rejects, passages, stages),
        "map": {"x": dots.x, "y": dots.y, "doc": list(map(passages.document, dots.doc_ids))},
        "passages": passages.listed,
        "documents": passages.documents,
    }


class _Passages:
    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        self._places = Places(corpus)
        self._numbers: dict[str, int] = {}
        self.listed: list[dict[str, Any]] = []
        self.documents: list[dict[str, Any]] = []

    def document(self, doc_id: str) -> int:
        """The document's number."""
        if doc_id not in self._numbers:
            self._numbers[doc_id] = len(self.documents)
            document = self._corpus[doc_id]
            self.documents.append({"title": document.title or document.sources[0], "sources": document.sources})
        return self._numbers[doc_id]

    def place(self, span: Span) -> dict[str, int]:
        """Where a passage stands, without its text."""
        return {"doc": self.document(span.doc_id), "start": span.start, "end": span.end}

    def marked(self, span: Span, evidence: Iterable[Span]) -> dict[str, Any]:
        """The number of a passage, and where evidence stands in it."""
        text = self._corpus[span.doc_id].text
        if span.id not in self._numbers:
            self._numbers[span.id] = len(self.listed)
            before, inside, after = text[: span.start], text[span.start : span.end], text[span.end :]
            texts = {"before": _last_words(before), "text": inside, "after": _first_words(after)}
            self.listed.append({**self.place(span), "where": self._places.of(span).within, **texts})
        parts = merge(
            Span(doc_id=span.doc_id, start=max(part.start, span.start), end=min(part.end, span.end))
            for part in evidence
            if part.overlap(span)
        )
        marks = [tuple(_units(text[span.start : place]) for place in (part.start, part.end)) for part in parts]
        return {"at": self._numbers[span.id], "marks": marks}

    def excerpt(self, span: Span) -> str:
        return _cut(self._corpus[span.doc_id].text[span.start : span.end])


def _golden(golden: Golden, passages: _Passages, dots: Mapping[str, int]) -> dict[str, Any]:
    chunks = _shown_chunks(golden)
    elsewhere = [span for span in golden.evidence if not any(span.overlap(chunk) for chunk in chunks)]
    labels, hardness = labels_of(golden), golden.metadata.get("hardness")
    reasons: Any = hardness.get("reasons", ()) if isinstance(hardness, Mapping) else ()
    return {
        "id": golden.id,
        "query": golden.query,
        "answer": golden.answer,
        "kind": golden.kind,
        "cross": golden.cross_document,
        "shape": shape_of(golden),
        "style": kind_of(golden, "style", "draft"),
        "evolution": kind_of(golden, "evolution", "evolve") or "none",
        "scores": golden.scores,
        "passages": [passages.marked(span, golden.proof) for span in [*chunks, *elsewhere]],
        "chunks": len(chunks),
        "left_out": _left_out(golden, passages),
        "dots": [*dict.fromkeys(dots[chunk] for chunk in golden.chunks if chunk in dots)],
        "steps": [step.model_dump(exclude_none=True) for step in golden.lineage],
        "split": golden.split,
        "hardness": labels.hardness,
        "reasons": [str(reason) for reason in reasons],
        "closed_book": labels.closed_book,
        "round_trip": None if labels.round_trip is None else labels.round_trip._asdict(),
        "overlap": labels.overlap,
        "persona": labels.persona,
        "language": labels.language,
        "missing": labels.missing,
        "conversation": dialogue_of(golden),
        "assertions": _assertions(golden, passages),
        "asked": weight_of(golden),
        "graded": _graded(golden),
        "equivalents": [passages.marked(span, [span]) for span in golden.equivalents],
    }


def _assertions(golden: Golden, passages: _Passages) -> list[dict[str, Any]]:
    """Each statement with the documents that support it and its quotes, then those that the critic dropped, with its reason."""
    kept = [
        {
            "statement": one.statement,
            "quotes": [{**passages.place(span), "text": passages.excerpt(span)} for span in one.evidence],
            "dropped": "",
        }
        for one in golden.assertions
    ]
    dropped: Any = golden.metadata.get("dropped_assertions", ())
    return [*kept, *({"statement": one["statement"], "quotes": [], "dropped": one["reason"]} for one in dropped)]


def _graded(golden: Golden) -> str:
    """How many of its graded passages have each grade, the best first; empty where none was graded."""
    counts = Counter(one.grade for one in judged_of(golden))
    return ", ".join(f"{counts[grade]} of grade {grade}" for grade in sorted(counts, reverse=True))


def _shown_chunks(golden: Golden) -> list[Span]:
    """The chunks in the order of the golden's documents and of reading, widened by evidence that reaches out of them."""
    chunks = [Span.of_id(chunk) for chunk in golden.chunks]
    documents = [chunk.doc_id for chunk in chunks]
    chunks.sort(key=lambda chunk: (documents.index(chunk.doc_id), chunk.start))
    shown: list[Span] = []
    for chunk, following in zip_longest(chunks, chunks[1:]):
        inside = [chunk, *(span for span in golden.evidence if span.overlap(chunk))]
        start, end = min(span.start for span in inside), max(span.end for span in inside)
        if shown and shown[-1].doc_id == chunk.doc_id:
            start = max(start, shown[-1].end)
        if following and following.doc_id == chunk.doc_id:
            end = min(end, max(following.start, chunk.end))
        if start < end:
            shown.append(Span(doc_id=chunk.doc_id, start=start, end=end))
    return shown


def _left_out(golden: Golden, passages: _Passages) -> list[dict[str, Any]]:
    """Chunks of the context that the golden does not need, each with the stage and the reason."""
    left_out: Any = golden.metadata.get("left_out", ())
    last = {str(left["chunk"]): left for left in left_out if left["chunk"] not in golden.chunks}
    return [
        {**passages.place(Span.of_id(chunk)), "stage": str(left["stage"]), "reason": _cut(str(left["reason"]))}
        for chunk, left in last.items()
    ]


def _rejects(rejects: Iterable[Reject], passages: _Passages, stages: Sequence[str]) -> list[dict[str, Any]]:
    """Groups of one stage and reason each: in the order of the stages, the largest first."""
    groups: dict[tuple[str, str], dict[str, Any]] = {}
    for reject in rejects:
        named = {"stage": reject.stage, "reason": reject.reason}
        group = groups.setdefault((reject.stage, reject.reason), {**named, "count": 0, "shown": []})
        group["count"] += 1
        if len(group["shown"]) < REJECTS_SHOWN:
            group["shown"].append(_reject(reject, passages))
    place = {stage: number for number, stage in enumerate(stages)}
    return sorted(groups.values(), key=lambda group: (place.get(group["stage"], len(place)), -group["count"]))


def _reject(reject: Reject, passages: _Passages) -> dict[str, Any]:
    span = Span.of_id(reject.chunks[0]) if reject.chunks else None
    return {
        "detail": _cut(reject.detail),
        "query": _cut(reject.query),
        "answer": _cut(reject.answer),
        "text": passages.excerpt(span) if span else "",
        "doc": passages.document(span.doc_id) if span else -1,
        "more": max(0, len(reject.chunks) - 1),
    }


def _last_words(text: str) -> str:
    around = text[-_AROUND:]
    return text if len(text) <= _AROUND else "…" + (around.partition(" ")[2] or around)


def _first_words(text: str) -> str:
    around = text[:_AROUND]
    return text if len(text) <= _AROUND else (around.rpartition(" ")[0] or around) + " …"


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else text[:_LONGEST] + "…"


def _units(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2
