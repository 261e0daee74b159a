"""Where the evidence of goldens stands in a corpus that has changed.

A document is known by its text, so evidence in a document that kept its id stands where it stood. Any other is looked
for by its own text, white space apart, since a paragraph that was wrapped anew says what it said. Of several places
the best is taken: one that can be retrieved, in the same file, with the surroundings most alike, and last at the
nearest relative position.

Not every place with the same words is the same passage. A short text stands in many places by chance, and counts only
where what is around it is alike; and a document that was there all along holds a copy, and counts only where the whole
paragraph is the same.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any, Literal, NamedTuple

from ragset.documents.corpus import Corpus
from ragset.models import UNANSWERABLE, Document, Golden, Model, Span
from ragset.text.context_window import alike, around, paragraph, sentence

SHORT = 30
"""Characters; a shorter text needs surroundings that are alike."""
ALIKE = 0.7
"""From which surroundings are alike, 0 to 1; unrelated English prose reaches 0.5."""
_RECORD = re.compile(r":\d+\Z")
"""What a record's source has behind the name of its file; rows that come before it move it."""

_CHUNK = re.compile(r"(.+):(\d{1,12})-(\d{1,12})", re.DOTALL)
"""The name of a chunk."""

Over = Callable[[Span], Sequence[Span]]
"""The chunks that can be retrieved and share characters with a span."""
_SPEAKING = ("left_out", "contradicted")
"""Metadata that are a list with a chunk in each entry."""
_SEED = "seed"
"""Metadata that are a chunk."""
Fate = Literal["valid", "moved", "stale"]
Why = Literal["", "document_gone", "text_gone", "one_chunk", "unproven"]


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
    """Whether all of the paragraph that holds it says what it said; false where it is gone."""
    same_sentence: bool = True
    """Whether all of the sentences that hold it say what they said; false where it is gone."""
    promoted: bool = False
    """Whether it is gone with its document, and `after` is an equivalent that stands in for it."""
    why: Why = ""
    """It is gone."""


class Anchored(Model):
    """A golden as it is now, and how it came to be so."""

    golden: Golden
    """With renewed evidence and chunks; as it was where it is stale."""
    fate: Fate
    anchors: tuple[Anchor, ...]
    why: Why = ""
    """It is stale."""


class _Place(NamedTuple):
    span: Span
    likeness: float
    same_paragraph: bool
    rank: tuple[Any, ...]
    """The least is the best."""


def realign(goldens: Sequence[Golden], before: Corpus, after: Corpus, over: Over) -> list[Anchored]:
    """Each golden with its evidence as spans of `after`, and its chunks as those that cover it; ids stay.

    `valid`: all evidence stands where it stood. `moved`: all is there, and some of it elsewhere. `stale`: some is gone,
    what needed several chunks stands in one now, or there was to be no answer and the corpus is another: it would have to
    be searched again. Equivalents that are gone are left out; one that is left stands in for the evidence of a golden of
    one chunk whose document is gone. Evidence must lie within the documents of `before`.
    """
    spans = dict.fromkeys(
        span
        for golden in goldens
        for span in (*golden.evidence, *golden.equivalents, *_told_chunks(golden))
        if span.doc_id in before
    )
    lost = [span for span in spans if span.doc_id not in after or not over(span)]
    changed = _Changed(before, after, over, _places(lost, before, after, over))
    return [_anchored(golden, changed) for golden in goldens]


def file_of(source: str) -> str:
    """The file of a document: the source without the number of a record."""
    return _RECORD.sub("", source)


def cover(evidence: Iterable[Span], over: Over) -> tuple[str, ...]:
    """Ids of the fewest chunks found that hold all of the evidence which any chunk holds, in the order of the evidence.

    Greedy: the chunk that holds most of what is not held yet comes next, so one that holds a span whole goes before
    neighbours that share a part of it.
    """
    chosen: list[Span] = []
    for span in evidence:
        chunks = over(span)
        missing = set(range(span.start, span.end))
        for chunk in chosen:
            if chunk.doc_id == span.doc_id:
                missing -= set(range(chunk.start, chunk.end))
        while missing:
            best = max(chunks, key=lambda chunk: (len(_within(missing, chunk)), -chunk.start), default=None)
            if best is None or not (held := _within(missing, best)):
                break
            chosen.append(best)
            missing -= held
    return tuple(dict.fromkeys(chunk.id for chunk in chosen))


def _within(characters: set[int], chunk: Span) -> set[int]:
    return characters & set(range(chunk.start, chunk.end))


@dataclass(frozen=True)
class _Changed:
    """Two corpora, and what is known of how one became the other."""

    before: Corpus
    after: Corpus
    over: Over
    places: Mapping[Span, Sequence[_Place]]
    """Of each span that does not stand where it stood, best first."""

    @cached_property
    def files(self) -> frozenset[str]:
        """That are there now."""
        return frozenset(file_of(source) for document in self.after for source in document.sources)


def _anchored(golden: Golden, changed: _Changed) -> Anchored:
    if golden.kind == UNANSWERABLE and changed.before.hash != changed.after.hash:
        return Anchored(golden=golden, fate="stale", anchors=(), why="unproven")
    by_span: dict[Span, Anchor] = {}
    # What stands where it stood is settled first: nothing that moved may take its place.
    for span in sorted(golden.evidence, key=lambda span: span in changed.places):
        by_span[span] = _anchor(span, changed, [*by_span.values()])
    anchors = tuple(by_span[span] for span in golden.evidence)
    equivalents = _equivalents(golden, anchors, changed)
    gone: list[Why] = [anchor.why for anchor in anchors if anchor.after is None]
    if gone and equivalents and golden.kind == "single-chunk" and set(gone) == {"document_gone"}:
        # It alone answers in full. Where the document is there and says it no more, it may well be out of date.
        first, *others = equivalents
        anchors = tuple(anchor.model_copy(update={"after": first, "promoted": True, "why": ""}) for anchor in anchors)
        equivalents, gone = tuple(others), []
    if gone:
        return Anchored(golden=golden, fate="stale", anchors=anchors, why=gone[0])
    fate: Fate = "valid" if all(anchor.after == anchor.before for anchor in anchors) else "moved"
    evidence, grades, chunks = golden.evidence, golden.grades, golden.chunks
    if fate == "moved":
        now = [anchor.after for anchor in anchors if anchor.after is not None]
        evidence = tuple(sorted(dict.fromkeys(now), key=lambda span: (span.doc_id, span.start, span.end)))
        grade_of = dict(zip(now, grades, strict=True)) if grades else {}
        grades = tuple(grade_of[span] for span in evidence) if grades else ()
    if fate == "moved" or not all(_still_there(chunk, changed.over) for chunk in chunks):
        chunks = cover(evidence, changed.over) or chunks
    if golden.kind == "multi-chunk" and len(chunks) < 2 <= len(golden.chunks):
        return Anchored(golden=golden, fate="stale", anchors=anchors, why="one_chunk")
    metadata = {**_told_anew(golden, changed), "refresh": fate}
    renewed = golden.model_copy(
        update={
            "evidence": evidence,
            "grades": grades,
            "equivalents": equivalents,
            "chunks": chunks,
            "metadata": metadata,
        }
    )
    return Anchored(golden=renewed, fate=fate, anchors=anchors)


def _equivalents(golden: Golden, anchors: Sequence[Anchor], changed: _Changed) -> tuple[Span, ...]:
    """Those that are still there, apart from the evidence and from one another, in reading order."""
    settled = [*anchors]
    for span in golden.equivalents:
        anchor = _anchor(span, changed, settled)
        if anchor.after is not None:
            settled.append(anchor)
    found = [anchor.after for anchor in settled[len(anchors) :] if anchor.after is not None]
    return tuple(sorted(found, key=lambda span: (span.doc_id, span.start, span.end)))


def _anchor(span: Span, changed: _Changed, settled: Sequence[Anchor]) -> Anchor:
    document = changed.before[span.doc_id]
    text = document.text[span.start : span.end]
    there: dict[str, Any] = {"before": span, "text": text, "sources": document.sources}
    if span not in changed.places:
        return Anchor(after=span, **there)
    for place in changed.places[span]:
        # Two passages that were apart must not become one.
        if not any(
            place.span.overlap(one.after) and not span.overlap(one.before) for one in settled if one.after is not None
        ):
            said = sentence(changed.after[place.span.doc_id].text, place.span)
            return Anchor(
                after=place.span,
                likeness=round(place.likeness, 3),
                same_paragraph=place.same_paragraph,
                same_sentence=said == sentence(document.text, span),
                **there,
            )
    if span.doc_id in changed.after:
        return Anchor(after=span, **there)
    left = any(file_of(source) in changed.files for source in document.sources)
    why: Why = "text_gone" if left else "document_gone"
    return Anchor(after=None, likeness=0.0, same_paragraph=False, same_sentence=False, why=why, **there)


def _places(spans: Sequence[Span], before: Corpus, after: Corpus, over: Over) -> dict[Span, list[_Place]]:
    """Where each of these stands in `after`, best first: in files of the same name, or else anywhere."""
    sought = {span: _Sought(span, before[span.doc_id]) for span in spans}
    found: dict[Span, list[_Place]] = {span: [] for span in spans}
    by_file: dict[str, list[_Sought]] = defaultdict(list)
    for one in sought.values():
        for file in one.files:
            by_file[file].append(one)
    for document in after if by_file else ():
        of_file = {one.span: one for source in document.sources for one in by_file.get(file_of(source), ())}
        _look(document, of_file.values(), found, before, over)
    rest = [one for span, one in sought.items() if not any(over(place.span) for place in found[span])]
    for document in after if rest else ():
        files = {file_of(source) for source in document.sources}
        _look(document, [one for one in rest if not files & one.files], found, before, over)
    for places in found.values():
        places.sort(key=lambda place: place.rank)
    return found


class _Sought:
    """A text to look for, and what stood around it."""

    def __init__(self, span: Span, document: Document) -> None:
        self.span = span
        self.document = document
        self.files = {file_of(source) for source in document.sources}
        words = document.text[span.start : span.end].split()
        self.folded = " ".join(words)
        self._around = around(document.text, span)
        self._paragraph = paragraph(document.text, span)
        self._pattern = _pattern(words, document.text, span)

    def spans_in(self, document: Document, folded: str) -> list[Span]:
        """Each place of the text in `document`, whose text with single blanks is `folded`."""
        if not self.folded or self.folded not in folded:
            return []
        matches = self._pattern.finditer(document.text)
        return [Span(doc_id=document.id, start=match.start(), end=match.end()) for match in matches]

    def judged(self, document: Document, span: Span, *, copy: bool, retrievable: bool) -> _Place | None:
        """The place with its rank; None where it is another passage with the same words."""
        sides = [alike(*pair) for pair in zip(self._around, around(document.text, span), strict=True)]
        known = [side for side in sides if side is not None]
        same_paragraph = paragraph(document.text, span) == self._paragraph
        if copy and not same_paragraph:
            return None
        if len(self.folded) < SHORT and max(known, default=0.0) < ALIKE:
            return None
        likeness = sum(1.0 if side is None else side for side in sides) / 2
        other = not self.files & {file_of(source) for source in document.sources}
        then, now = self.span.start / len(self.document.text), span.start / len(document.text)
        rank = (not retrievable, other, -likeness, abs(then - now), span.doc_id, span.start)
        return _Place(span, likeness, same_paragraph, rank)


def _look(
    document: Document, sought: Iterable[_Sought], found: dict[Span, list[_Place]], before: Corpus, over: Over
) -> None:
    folded = ""
    for one in sought:
        folded = folded or " ".join(document.text.split())
        for span in one.spans_in(document, folded):
            place = one.judged(document, span, copy=document.id in before, retrievable=bool(over(span)))
            if place is not None:
                found[one.span].append(place)


def _pattern(words: Sequence[str], text: str, span: Span) -> re.Pattern[str]:
    """Of these words with any white space between them, where no word or number is cut that was whole before.

    "5" is not in "15", nor in "1.5".
    """
    start = span.start + len(text[span.start : span.end]) - len(text[span.start : span.end].lstrip())
    middle = r"\s+".join(map(re.escape, words))
    for head, tail in product((r"(?<!\w)(?<!\d[.,])", r"(?<!\w)", ""), (r"(?!\w)(?![.,]\d)", r"(?!\w)", "")):
        pattern = re.compile(head + middle + tail)
        if pattern.match(text, start):
            return pattern
    raise AssertionError("a text is found where it stands")


def _still_there(chunk: str, over: Over) -> bool:
    span = _span_of(chunk)
    return span is not None and span in [Span(doc_id=one.doc_id, start=one.start, end=one.end) for one in over(span)]


def _told_chunks(golden: Golden) -> list[Span]:
    """Chunks that the metadata speak of."""
    told = [_span_of(entry.get("chunk")) for key in _SPEAKING for entry in _entries(golden, key)]
    return [span for span in (*told, _span_of(golden.metadata.get(_SEED))) if span]


def _told_anew(golden: Golden, changed: _Changed) -> dict[str, Any]:
    """The metadata, with the chunks that they speak of as they are called now; those that are gone are left out."""

    def renamed(name: object) -> str | None:
        span = _span_of(name)
        if span is None:
            return None
        if span not in changed.places:
            return span.id if span.doc_id in changed.after else None
        now = next((place.span for place in changed.places[span]), None)
        return next(iter(cover([now], changed.over)), None) if now else None

    metadata = dict(golden.metadata)
    for key in _SPEAKING:
        if key in metadata:
            names = [(entry, renamed(entry.get("chunk"))) for entry in _entries(golden, key)]
            metadata[key] = [{**entry, "chunk": name} for entry, name in names if name]
    if _SEED in metadata:
        seed = renamed(metadata.pop(_SEED))
        metadata |= {_SEED: seed} if seed else {}
    return metadata


def _entries(golden: Golden, key: str) -> list[dict[str, Any]]:
    """Of a list in the metadata, as anybody may have written it."""
    told: Any = golden.metadata.get(key)
    return [entry for entry in told if isinstance(entry, dict)] if isinstance(told, list | tuple) else []


def _span_of(chunk: object) -> Span | None:
    """None where it is no name of a chunk."""
    named = _CHUNK.fullmatch(chunk) if isinstance(chunk, str) else None
    if named is None or int(named[2]) >= int(named[3]):
        return None
    return Span(doc_id=named[1], start=int(named[2]), end=int(named[3]))
