"""Contexts of a table found again in documents."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from ragset.dataset.alignment import Alignment, Passage, align_passages
from ragset.documents import clean_text
from ragset.models import Document, Span

_LEAST = 0.9
"""Share of a context's letters that a passage must have."""
_SHORT = 40
"""Characters; a context this short is looked for as it is first, as an alignment needs some letters."""
_ELLIPSIS = re.compile(r"\s*(?:\[(?:…|\.{3,})\]|…|\.{3,})\s*")
_NUMBER = re.compile(r"\d+")
_NOWHERE = "the context does not stand in the documents"


class Lookup(NamedTuple):
    """Where a context stands."""

    spans: tuple[Span, ...]
    reason: str = ""
    """Why there are none."""


def find_contexts(contexts: Sequence[str], documents: Iterable[Document]) -> Mapping[str, Lookup]:
    """Where each context stands: the same letters, or nearly the same with the same numbers.

    White space, case and punctuation make no difference. Of several places that have all its letters the first one counts,
    one that has it word for word before others. Where several passages only resemble it, none does.
    """
    by_id = {document.id: document for document in sorted(documents, key=lambda document: document.id)}
    cleaned = {context: clean_text(context) for context in contexts}
    pieces = [piece for text in cleaned.values() for piece in (text, *_ELLIPSIS.split(text)) if piece]
    aligned = align_passages([Passage(piece) for piece in pieces], by_id.values())

    def find(text: str) -> Lookup:
        if len(text) <= _SHORT and (exact := _exact(text, by_id.values())):
            return Lookup((exact,))
        return _nearly(text, aligned[Passage(text)], by_id) if text else Lookup((), _NOWHERE)

    found: dict[str, Lookup] = {}
    for context, text in cleaned.items():
        found[context] = find(text)
        parts = [piece for piece in _ELLIPSIS.split(text) if piece]
        if not found[context].spans and len(parts) > 1:
            spans = [span for part in parts for span in find(part).spans]
            in_order = spans == sorted(spans, key=lambda span: span.start)
            if len(spans) == len(parts) and in_order and len({span.doc_id for span in spans}) == 1:
                found[context] = Lookup(tuple(spans))
    return found


def _exact(text: str, documents: Iterable[Document]) -> Span | None:
    for document in documents:
        at = document.text.find(text)
        if at >= 0:
            return Span(doc_id=document.id, start=at, end=at + len(text))
    return None


def _nearly(text: str, alignment: Alignment, documents: Mapping[str, Document]) -> Lookup:
    if alignment.score < _LEAST:
        return Lookup((), _NOWHERE)
    if alignment.score < 1 and (alignment.second >= _LEAST or len(alignment.places) > 1):
        return Lookup((), "the context resembles several passages of the documents, and is none of them")
    places = list(alignment.places)
    exact = [_word_for_word(text, spans, documents) for spans in places]
    place = next(filter(None, exact), places[0])
    said = " ".join(documents[span.doc_id].text[span.start : span.end] for span in place)
    # One digit more or less is a small edit and another fact.
    return Lookup(place) if _NUMBER.findall(text) == _NUMBER.findall(said) else Lookup((), _NOWHERE)


def _word_for_word(text: str, spans: Sequence[Span], documents: Mapping[str, Document]) -> tuple[Span, ...] | None:
    first = spans[0]
    document = documents[first.doc_id].text
    at = document.find(text, max(0, first.start - len(text)), spans[-1].end + len(text))
    return (Span(doc_id=first.doc_id, start=at, end=at + len(text)),) if at >= 0 else None
