"""Where the evidence of goldens stands in a changed corpus: in a document of the same id, or looked for by its text."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

from ragset.dataset.moved import Over, files_of, find_places
from ragset.documents.corpus import Corpus
from ragset.models import UNANSWERABLE, Conversation, Golden, Model, Span, in_reading_order
from ragset.text.context_window import sentence

Fate = Literal["valid", "moved", "stale"]
Why = Literal["", "document_gone", "text_gone", "one_chunk", "unproven"]

_CHUNK_LISTS = ("left_out", "contradicted", "partial")  # metadata that are lists with a chunk id in each entry


class Anchor(Model):
    """One span of evidence, before and after."""

    before: Span
    after: Span | None  # None where it is gone
    text: str  # as it was
    sources: tuple[str, ...]  # of the document before
    likeness: float = 1.0  # of the surroundings then and now, 0 to 1; 0 where it is gone
    same_paragraph: bool = True  # whether its whole paragraph is the same; false where it is gone
    same_sentence: bool = True  # whether its sentences are the same; false where it is gone
    promoted: bool = False  # whether it is gone with its document, and `after` is an equivalent that stands in for it
    why: Why = ""  # why it is gone


class Anchored(Model):
    """A golden as it is now, and how it came to be so."""

    golden: Golden  # with renewed evidence and chunks; unchanged if it is stale
    fate: Fate
    anchors: tuple[Anchor, ...]
    why: Why = ""  # why it is stale


def realign(
    goldens: Sequence[Golden], before: Corpus, after: Corpus, over: Over, *, passages: bool = False
) -> list[Anchored]:
    """Each golden with its evidence as spans of `after`, and its chunks as those that cover it; ids stay.

    Goldens drawn from `passages` keep them: where the passage stands now, or the evidence alone if the passage has changed.

    `valid`: all evidence stands where it stood. `moved`: some of it stands elsewhere. `stale`: some is gone, a golden of
    several chunks needs only one now, or an unanswerable one was never searched for in the changed corpus. An equivalent
    replaces the evidence of a single-chunk golden whose document is gone. Evidence must lie within `before`.
    """
    return [*map(_Realigner(goldens, before, after, over, passages=passages).realigned, goldens)]


def cover(evidence: Iterable[Span], over: Over) -> tuple[str, ...]:
    """Ids of few chunks that hold all of the evidence which any chunk holds, in the order of the evidence, greedily chosen."""
    chosen: list[Span] = []
    for span in evidence:
        chunks = sorted(over(span), key=lambda chunk: chunk.start)
        missing = set(range(span.start, span.end))
        for chunk in chosen:
            if chunk.doc_id == span.doc_id:
                missing.difference_update(range(chunk.start, chunk.end))
        while missing and chunks:
            best = max(chunks, key=lambda chunk: len(missing.intersection(range(chunk.start, chunk.end))))
            if missing.isdisjoint(range(best.start, best.end)):
                break
            chosen.append(best)
            missing.difference_update(range(best.start, best.end))
    return tuple(dict.fromkeys(chunk.id for chunk in chosen))


class _Realigner:
    def __init__(self, goldens: Sequence[Golden], before: Corpus, after: Corpus, over: Over, *, passages: bool) -> None:
        self.before, self.after, self.over, self.passages = before, after, over, passages
        spans = dict.fromkeys(
            span
            for golden in goldens
            for span in (
                *golden.evidence,
                *golden.equivalents,
                *_said(golden),
                *_chunks_in_metadata(golden),
                *self._drawn_from(golden),
            )
            if span.doc_id in before
        )
        lost = [span for span in spans if span.doc_id not in after or not over(span)]
        self.places = find_places(lost, before, after, over)
        self.files = {file for document in after for file in files_of(document)} if lost else set[str]()

    def realigned(self, golden: Golden) -> Anchored:
        if golden.kind == UNANSWERABLE and self.before.hash != self.after.hash:
            return Anchored(golden=golden, fate="stale", anchors=(), why="unproven")
        by_span: dict[Span, Anchor] = {}
        # Unmoved evidence comes first, so that nothing that moved takes its place.
        for span in sorted(golden.evidence, key=lambda span: span in self.places):
            by_span[span] = self._anchor(span, [*by_span.values()])
        anchors = tuple(by_span[span] for span in golden.evidence)
        settled = [*anchors]
        for span in golden.equivalents:
            anchor = self._anchor(span, settled)
            settled += [anchor] if anchor.after is not None else []
        equivalents = in_reading_order(_after(settled[len(anchors) :]))
        gone: list[Why] = [anchor.why for anchor in anchors if anchor.after is None]
        said = {span: self._anchor(span, ()) for span in _said(golden)}
        if gone and equivalents and golden.kind == "single-chunk" and set(gone) == {"document_gone"}:
            # Not where the document is still there without the text: then the equivalent may be out of date, too.
            first, *others = equivalents
            update: dict[str, Any] = {"after": first, "promoted": True, "why": ""}
            anchors = tuple(anchor.model_copy(update=update) for anchor in anchors)
            equivalents, gone = tuple(others), []
        gone.extend(anchor.why for anchor in said.values() if anchor.after is None)
        if gone:
            return Anchored(golden=golden, fate="stale", anchors=anchors, why=gone[0])
        fate: Fate = "valid" if all(anchor.after == anchor.before for anchor in anchors) else "moved"
        evidence, grades, chunks = golden.evidence, golden.grades, golden.chunks
        if fate == "moved":
            now = _after(anchors)
            evidence = in_reading_order(dict.fromkeys(now))
            grade_of = dict(zip(now, grades, strict=True)) if grades else {}
            grades = tuple(grade_of[span] for span in evidence) if grades else ()
        if self.passages:
            chunks = self._passages_now(golden, evidence)
        elif fate == "moved" or not self._there(chunks):
            chunks = cover(evidence, self.over) or chunks
        if golden.kind == "multi-chunk" and len(chunks) < 2 <= len(golden.chunks):
            return Anchored(golden=golden, fate="stale", anchors=anchors, why="one_chunk")
        update = {
            "evidence": evidence,
            "grades": grades,
            "equivalents": equivalents,
            "conversation": _moved(golden.conversation, said),
            "chunks": chunks,
            "metadata": {**self._renewed_metadata(golden), "refresh": fate},
        }
        return Anchored(golden=golden.model_copy(update=update), fate=fate, anchors=anchors)

    def _anchor(self, span: Span, settled: Sequence[Anchor]) -> Anchor:
        document = self.before[span.doc_id]
        text = document.text[span.start : span.end]
        there: dict[str, Any] = {"before": span, "text": text, "sources": document.sources}
        for place in self.places.get(span, ()):
            # Two passages that were apart must not become one.
            if not any(one.after and place.span.overlap(one.after) and not span.overlap(one.before) for one in settled):
                now = sentence(self.after[place.span.doc_id].text, place.span)
                return Anchor(
                    after=place.span,
                    likeness=round(place.likeness, 3),
                    same_paragraph=place.same_paragraph,
                    same_sentence=now == sentence(document.text, span),
                    **there,
                )
        if span not in self.places or span.doc_id in self.after:
            return Anchor(after=span, **there)
        why: Why = "document_gone" if self.files.isdisjoint(files_of(document)) else "text_gone"
        return Anchor(after=None, likeness=0.0, same_paragraph=False, same_sentence=False, why=why, **there)

    def _there(self, chunks: Sequence[str]) -> bool:
        now = {chunk.id for id_ in chunks for span in _spans_of(id_) for chunk in self.over(span)}
        return now.issuperset(chunks)

    def _drawn_from(self, golden: Golden) -> list[Span]:
        return [span for id_ in golden.chunks for span in _spans_of(id_)] if self.passages else []

    def _passages_now(self, golden: Golden, evidence: Sequence[Span]) -> tuple[str, ...]:
        """The passages where they stand now with evidence in them; else, in each document, the evidence with what is between."""
        spans = self._drawn_from(golden)
        now = [place.span for span in spans for place in self.places.get(span, [])]
        now += [span for span in spans if span.doc_id in self.after]
        held = [span for span in now if all(span.overlap(part) == part.end - part.start for part in evidence)]
        if held or not evidence:
            return (held[0].id,) if held else golden.chunks
        documents = dict.fromkeys(span.doc_id for span in evidence)
        parts = [[span for span in evidence if span.doc_id == doc_id] for doc_id in documents]
        hulls = (Span(doc_id=of[0].doc_id, start=min(s.start for s in of), end=max(s.end for s in of)) for of in parts)
        return tuple(hull.id for hull in hulls)

    def _renewed_metadata(self, golden: Golden) -> dict[str, Any]:
        """The metadata with today's chunk ids; entries of chunks that are gone are left out."""
        metadata = dict(golden.metadata)
        for key in _CHUNK_LISTS:
            if key in metadata:
                ids = [(entry, self._renamed(entry.get("chunk"))) for entry in _entries(golden, key)]
                metadata[key] = [{**entry, "chunk": id_} for entry, id_ in ids if id_]
        return metadata

    def _renamed(self, id_: object) -> str | None:
        """The id of today's chunk in the place of this one; None where it is gone."""
        for span in _spans_of(id_):
            if span in self.places:
                return next(iter(cover([place.span for place in self.places[span][:1]], self.over)), None)
            return span.id if span.doc_id in self.after else None
        return None


def _after(anchors: Iterable[Anchor]) -> list[Span]:
    return [anchor.after for anchor in anchors if anchor.after is not None]


def _said(golden: Golden) -> list[Span]:
    return [span for turn in golden.conversation.turns for span in turn.evidence] if golden.conversation else []


def _moved(conversation: Conversation | None, said: Mapping[Span, Anchor]) -> Conversation | None:
    if conversation is None:
        return None
    moved = (
        turn.model_copy(update={"evidence": in_reading_order(_after(said[span] for span in turn.evidence))})
        for turn in conversation.turns
    )
    return conversation.model_copy(update={"turns": tuple(moved)})


def _chunks_in_metadata(golden: Golden) -> list[Span]:
    ids = [entry.get("chunk") for key in _CHUNK_LISTS for entry in _entries(golden, key)]
    return [span for id_ in ids for span in _spans_of(id_)]


def _entries(golden: Golden, key: str) -> list[dict[str, Any]]:
    """The objects of a list in the metadata, which people may have edited."""
    listed: Any = golden.metadata.get(key)
    return [entry for entry in listed if isinstance(entry, dict)] if isinstance(listed, list | tuple) else []


def _spans_of(id_: object) -> list[Span]:
    """The span of a chunk's id; none where it is no such id."""
    try:
        return [Span.of_id(id_)] if isinstance(id_, str) else []
    except ValueError:
        return []
