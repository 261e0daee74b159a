"""Contexts of a table found again in documents."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from ragset.dataset.alignment.passages import Alignment, Passage, align_passages
from ragset.documents import clean_text
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
