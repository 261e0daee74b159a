"""Where the evidence of goldens stands in a corpus that has changed.

Evidence in a document with the same id stands where it stood. All other evidence is looked for by its text
(`ragset.dataset.moved`).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from ragset.dataset.moved import Over, Place, file_of, find_places
from ragset.documents.corpus import Corpus
from ragset.models import UNANSWERABLE, Golden, Model, Span
from ragset.text.context_window import sentence

Fate = Literal["valid", "moved", "stale"]
Why = Literal["", "document_gone", "text_gone", "one_chunk", "unproven"]

_CHUNK_LISTS = ("left_out", "contradicted")
"""Metadata that are lists with a chunk id in each entry."""
_SEED = "seed"
"""Metadata that are a chunk id."""


class Anchor(Model):
    """One span of evidence, before and after."""

    before: Span
    after: Span | None
    """None where it is gone."""
    text: str
    """As it was."""
    sources: tuple[str, ...]
    """Of the document before."""
    likeness: float = 1.0
    """Of the surroundings then and now, 0 to 1; 0 where it is gone."""
    same_paragraph: bool = True
    """Whether its whole paragraph is the same; false where it is gone."""
    same_sentence: bool = True
    """Whether its sentences are the same; false where it is gone."""
    promoted: bool = False
    """Whether it is gone with its document, and `after` is an equivalent that stands in for it."""
    why: Why = ""
    """Why it is gone."""


class Anchored(Model):
    """A golden as it is now, and how it came to be so."""

    golden: Golden
    """With renewed evidence and chunks; unchanged if it is stale."""
    fate: Fate
    anchors: tuple[Anchor, ...]
    why: Why = ""
    """Why it is stale."""


def realign(goldens: Sequence[Golden], before: Corpus, after: Corpus, over: Over) -> list[Anchored]:
    """Each golden with its evidence as spans of `after`, and its chunks as those that cover it; ids stay.

    `valid`: all evidence stands where it stood. `moved`: all is there, and some of it elsewhere. `stale`: some is gone, a
    golden of several chunks needs only one now, or an unanswerable one was never searched for in the changed corpus.
    Equivalents that are gone are left out. One that is left replaces the evidence of a single-chunk golden whose document is
    gone. Evidence must lie within the documents of `before`.
    """
    spans = dict.fromkeys(
        span
        for golden in goldens
        for span in (*golden.evidence, *golden.equivalents, *_chunks_in_metadata(golden))
        if span.doc_id in before
    )
    lost = [span for span in spans if span.doc_id not in after or not over(span)]
    changed = _Changed(before, after, over, find_places(lost, before, after, over))
    return [_anchored(golden, changed) for golden in goldens]


def cover(evidence: Iterable[Span], over: Over) -> tuple[str, ...]:
    """Ids of few chunks that hold all of the evidence which any chunk holds, in the order of the evidence.

    Greedy: the chunk with most of what is missing comes next, so one that holds a span whole goes before neighbours that
    share a part of it.
    """
    chosen: list[Span] = []
    for span in evidence:
        missing = set(range(span.start, span.end))
        for chunk in chosen:
            if chunk.doc_id == span.doc_id:
                missing.difference_update(range(chunk.start, chunk.end))
        while missing:
            held, best = max(
                ((missing.intersection(range(chunk.start, chunk.end)), chunk) for chunk in over(span)),
                key=lambda pair: (len(pair[0]), -pair[1].start),
                default=(set[int](), span),
            )
            if not held:
                break
            chosen.append(best)
            missing -= held
    return tuple(dict.fromkeys(chunk.id for chunk in chosen))


@dataclass(frozen=True)
class _Changed:
    """Two corpora, and how one became the other."""

    before: Corpus
    after: Corpus
    over: Over
    places: Mapping[Span, Sequence[Place]]
    """Of each span that does not stand where it stood, best first."""

    @cached_property
    def files(self) -> frozenset[str]:
        """Of the documents after."""
        return frozenset(file_of(source) for document in self.after for source in document.sources)


def _anchored(golden: Golden, changed: _Changed) -> Anchored:
    if golden.kind == UNANSWERABLE and changed.before.hash != changed.after.hash:
        return Anchored(golden=golden, fate="stale", anchors=(), why="unproven")
    by_span: dict[Span, Anchor] = {}
    # Unmoved evidence comes first, so that nothing that moved takes its place.
    for span in sorted(golden.evidence, key=lambda span: span in changed.places):
        by_span[span] = _anchor(span, changed, [*by_span.values()])
    anchors = tuple(by_span[span] for span in golden.evidence)
    equivalents = _equivalents(golden, anchors, changed)
    gone: list[Why] = [anchor.why for anchor in anchors if anchor.after is None]
    if gone and equivalents and golden.kind == "single-chunk" and set(gone) == {"document_gone"}:
        # Not where the document is still there without the text: then the equivalent may be out of date, too.
        first, *others = equivalents
        anchors = tuple(anchor.model_copy(update={"after": first, "promoted": True, "why": ""}) for anchor in anchors)
        equivalents, gone = tuple(others), []
    if gone:
        return Anchored(golden=golden, fate="stale", anchors=anchors, why=gone[0])
    fate: Fate = "valid" if all(anchor.after == anchor.before for anchor in anchors) else "moved"
    evidence, grades, chunks = golden.evidence, golden.grades, golden.chunks
    if fate == "moved":
        now = [anchor.after for anchor in anchors if anchor.after is not None]
        evidence = _in_reading_order(dict.fromkeys(now))
        grade_of = dict(zip(now, grades, strict=True)) if grades else {}
        grades = tuple(grade_of[span] for span in evidence) if grades else ()
    if fate == "moved" or not all(_is_chunk(chunk, changed.over) for chunk in chunks):
        chunks = cover(evidence, changed.over) or chunks
    if golden.kind == "multi-chunk" and len(chunks) < 2 <= len(golden.chunks):
        return Anchored(golden=golden, fate="stale", anchors=anchors, why="one_chunk")
    update = {
        "evidence": evidence,
        "grades": grades,
        "equivalents": equivalents,
        "chunks": chunks,
        "metadata": {**_renewed_metadata(golden, changed), "refresh": fate},
    }
    return Anchored(golden=golden.model_copy(update=update), fate=fate, anchors=anchors)


def _equivalents(golden: Golden, anchors: Sequence[Anchor], changed: _Changed) -> tuple[Span, ...]:
    """Those that are still there, apart from the evidence and from one another."""
    settled = [*anchors]
    for span in golden.equivalents:
        anchor = _anchor(span, changed, settled)
        if anchor.after is not None:
            settled.append(anchor)
    return _in_reading_order(anchor.after for anchor in settled[len(anchors) :] if anchor.after is not None)


def _in_reading_order(spans: Iterable[Span]) -> tuple[Span, ...]:
    return tuple(sorted(spans, key=lambda span: (span.doc_id, span.start, span.end)))


def _anchor(span: Span, changed: _Changed, settled: Sequence[Anchor]) -> Anchor:
    document = changed.before[span.doc_id]
    text = document.text[span.start : span.end]
    there: dict[str, Any] = {"before": span, "text": text, "sources": document.sources}
    for place in changed.places.get(span, ()):
        # Two passages that were apart must not become one.
        if not any(
            place.span.overlap(one.after) and not span.overlap(one.before) for one in settled if one.after is not None
        ):
            now = sentence(changed.after[place.span.doc_id].text, place.span)
            return Anchor(
                after=place.span,
                likeness=round(place.likeness, 3),
                same_paragraph=place.same_paragraph,
                same_sentence=now == sentence(document.text, span),
                **there,
            )
    if span not in changed.places or span.doc_id in changed.after:
        return Anchor(after=span, **there)
    left = any(file_of(source) in changed.files for source in document.sources)
    why: Why = "text_gone" if left else "document_gone"
    return Anchor(after=None, likeness=0.0, same_paragraph=False, same_sentence=False, why=why, **there)


def _is_chunk(id_: str, over: Over) -> bool:
    """Whether the changed corpus has a chunk of this id."""
    span = _span_of(id_)
    return span is not None and any(chunk.id == span.id for chunk in over(span))


def _chunks_in_metadata(golden: Golden) -> list[Span]:
    ids = [entry.get("chunk") for key in _CHUNK_LISTS for entry in _entries(golden, key)]
    return [span for id_ in (*ids, golden.metadata.get(_SEED)) if (span := _span_of(id_))]


def _renewed_metadata(golden: Golden, changed: _Changed) -> dict[str, Any]:
    """The metadata with today's chunk ids; entries of chunks that are gone are left out."""

    def renamed(id_: object) -> str | None:
        span = _span_of(id_)
        if span is None:
            return None
        if span not in changed.places:
            return span.id if span.doc_id in changed.after else None
        now = [place.span for place in changed.places[span][:1]]
        return next(iter(cover(now, changed.over)), None)

    metadata = dict(golden.metadata)
    for key in _CHUNK_LISTS:
        if key in metadata:
            ids = [(entry, renamed(entry.get("chunk"))) for entry in _entries(golden, key)]
            metadata[key] = [{**entry, "chunk": id_} for entry, id_ in ids if id_]
    if _SEED in metadata:
        seed = renamed(metadata.pop(_SEED))
        metadata |= {_SEED: seed} if seed else {}
    return metadata


def _entries(golden: Golden, key: str) -> list[dict[str, Any]]:
    """The objects of a list in the metadata, which people may have edited."""
    listed: Any = golden.metadata.get(key)
    return [entry for entry in listed if isinstance(entry, dict)] if isinstance(listed, list | tuple) else []


def _span_of(id_: object) -> Span | None:
    """None where it is no id of a chunk."""
    try:
        return Span.of_id(id_) if isinstance(id_, str) else None
    except ValueError:
        return None
