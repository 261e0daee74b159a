"""Questions with the contexts that answer them, found in documents, which become goldens with evidence."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from ragset.dataset.alignment.passages import Alignment, Passage, align_passages
from ragset.dataset.importers.imported import SetBuilder
from ragset.documents.cleaning import clean_text
from ragset.models import Document, Span

_LEAST = 0.9  # share of a context's letters that a passage must have
_SHORT = 40  # characters; a context this short is looked for as it is first, as an alignment needs some letters
_ELLIPSIS = re.compile(r"\s*(?:\[(?:…|\.{3,})\]|…|\.{3,})\s*")
_NUMBER = re.compile(r"\d+")
_NOWHERE = "the context does not stand in the documents"


class Lookup(NamedTuple):
    """The place of a context in the documents."""

    spans: tuple[Span, ...]
    reason: str = ""  # why there are none


def find_contexts(contexts: Sequence[str], documents: Iterable[Document]) -> Mapping[str, Lookup]:
    """Where each context stands: the same letters, or nearly the same with the same numbers.

    White space, case and punctuation make no difference. Of several places that have all its letters the first one counts,
    one that has it word for word before others. Where several passages only resemble it, none does.
    """
    by_id = {document.id: document for document in sorted(documents, key=lambda document: document.id)}
    cleaned = {context: clean_text(context) for context in contexts}
    parts = {text: [part for part in _ELLIPSIS.split(text) if part] for text in cleaned.values()}
    pieces = [piece for text in parts for piece in (text, *parts[text]) if piece]
    aligned = align_passages([Passage(piece) for piece in pieces], by_id.values())

    def find(text: str) -> Lookup:
        exact = (_exact(text, document) for document in by_id.values()) if 0 < len(text) <= _SHORT else ()
        if place := next(filter(None, exact), None):
            return Lookup((place,))
        return _nearly(text, aligned[Passage(text)], by_id) if text else Lookup((), _NOWHERE)

    found: dict[str, Lookup] = {}
    for context, text in cleaned.items():
        found[context] = find(text)
        if not found[context].spans and len(parts[text]) > 1:
            spans = [span for part in parts[text] for span in find(part).spans]
            in_order = spans == sorted(spans, key=lambda span: span.start)
            if len(spans) == len(parts[text]) and in_order and len({span.doc_id for span in spans}) == 1:
                found[context] = Lookup(tuple(spans))
    return found


def _nearly(text: str, alignment: Alignment, documents: Mapping[str, Document]) -> Lookup:
    if alignment.score < _LEAST:
        return Lookup((), _NOWHERE)
    if alignment.score < 1 and (alignment.second >= _LEAST or len(alignment.places) > 1):
        return Lookup((), "the context resembles several passages of the documents, and is none of them")
    near = ((documents[spans[0].doc_id], spans[0].start, spans[-1].end) for spans in alignment.places)
    found = (_exact(text, document, low - len(text), high + len(text)) for document, low, high in near)
    exact = next(filter(None, found), None)
    place: tuple[Span, ...] = (exact,) if exact else next(iter(alignment.places))
    said = " ".join(documents[span.doc_id].text[span.start : span.end] for span in place)
    # One digit more or less is a small edit and another fact.
    return Lookup(place) if _NUMBER.findall(text) == _NUMBER.findall(said) else Lookup((), _NOWHERE)


def _exact(text: str, document: Document, low: int = 0, high: int | None = None) -> Span | None:
    at = document.text.find(text, max(0, low), high)
    return Span(doc_id=document.id, start=at, end=at + len(text)) if at >= 0 else None


NO_CONTEXT = "there is no context"


class Question(NamedTuple):
    """One record of somebody else's test set."""

    where: str
    source: str
    query: str
    answers: tuple[str, ...]
    contexts: tuple[str, ...]
    metadata: Mapping[str, Any] = {}
    split: str = "test"
    places: Mapping[str, Span] = {}  # of contexts whose place in the documents is known
    unanswerable: bool = False  # whether it says that there is no context, where others only lack one


def add_questions(questions: Iterable[Question], builder: SetBuilder, documents: Sequence[Document] | None) -> None:
    """Add a golden for each question; its contexts are looked for in `documents`, or become documents themselves."""
    every = [*questions]
    found = _places(every, builder, documents)
    for question in every:
        if not question.contexts and not question.unanswerable:
            builder.report(question.where, NO_CONTEXT, question.query)
            continue
        known = {context: Lookup((span,)) for context, span in question.places.items()}
        lookups = [known.get(context) or found[context] for context in question.contexts]
        for context, lookup in zip(question.contexts, lookups, strict=True):
            if not lookup.spans:
                builder.report(question.where, lookup.reason, context)
        if not all(lookup.spans for lookup in lookups):
            continue  # with part of its evidence it would ask for less than its authors did
        answers = [clean_text(answer) for answer in question.answers]
        builder.add_golden(
            question.query,
            None if question.unanswerable else next(iter(answers), ""),
            [span for lookup in lookups for span in lookup.spans],
            where=question.where,
            source=question.source,
            split=question.split,
            metadata={**question.metadata, **({"answers": answers} if answers[1:] else {})},
        )


def _places(
    questions: Sequence[Question], builder: SetBuilder, documents: Sequence[Document] | None
) -> Mapping[str, Lookup]:
    """Of each context. One that several questions have is a document with the source of the first."""
    wanted = {
        context: question.source
        for question in reversed(questions)
        for context in question.contexts
        if context not in question.places
    }
    if documents is not None:
        return find_contexts(tuple(wanted), documents)
    return {context: own_document(context, wanted[context], builder) for context in reversed(wanted)}


def own_document(context: str, source: str, builder: SetBuilder, title: str = "") -> Lookup:
    """A context as a document of its own."""
    document = builder.add_document(context, source=source, title=title)
    if document is None:
        return Lookup((), NO_CONTEXT)
    return Lookup((Span(doc_id=document.id, start=0, end=len(document.text)),))
