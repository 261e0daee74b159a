"""Questions with the contexts that answer them, which become goldens with evidence."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from ragset.dataset.importers.contexts import Lookup, find_contexts
from ragset.dataset.importers.imported import SetBuilder
from ragset.documents import clean_text
from ragset.models import Document, Span

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
        lookups = [_known(question, context) or found[context] for context in question.contexts]
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


def _known(question: Question, context: str) -> Lookup | None:
    return Lookup((question.places[context],)) if context in question.places else None


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
