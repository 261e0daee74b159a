"""An imported test set, and how a reader builds it."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from ragset.documents.cleaning import clean_text
from ragset.models import Candidate, Document, Golden, Model, Span
from ragset.text.quotes import merge

EXCERPT = 120


class Unaligned(Model):
    """A question, passage or judgement that did not become part of a golden, or repeats one."""

    where: str  # file, and line or id
    reason: str
    text: str = ""  # how the question or passage begins, at most 120 characters


class ImportedSet(NamedTuple):
    """A test set that was read."""

    goldens: tuple[Golden, ...]
    """In the order of the data. An answer of "" means that the data give none; None that the corpus does not hold it."""
    documents: tuple[Document, ...]  # all documents of the data, by id
    problems: tuple[Unaligned, ...]


class SetBuilder:
    """Collects documents, goldens and problems for a reader."""

    def __init__(self, documents: Iterable[Document] = ()) -> None:
        self._documents = {document.id: document for document in documents}
        self._goldens: dict[str, Golden] = {}
        self._problems: list[Unaligned] = []

    def add_document(
        self, text: str, *, source: str, title: str = "", metadata: Mapping[str, Any] | None = None
    ) -> Document | None:
        """Add the document of `text` as normalised; None where the text is empty. Equal texts are one document."""
        cleaned = clean_text(text)
        if not cleaned:
            return None
        document = Document.of(cleaned, source=clean_text(source), title=_line(title), metadata=dict(metadata or {}))
        if known := self._documents.get(document.id):
            sources = tuple(sorted({*known.sources, *document.sources}))
            document = known.model_copy(update={"sources": sources, "title": known.title or document.title})
        self._documents[document.id] = document
        return document

    def add_documents(self, documents: Iterable[Document]) -> None:
        """Add documents as they are."""
        self._documents |= {document.id: document for document in documents}

    def add(self, golden: Golden, where: str) -> None:
        """Add a golden as it is, or report that its query is empty or its id comes again."""
        if not golden.query.strip() or golden.id in self._goldens:
            self.report(
                where, f"repeats {golden.id}" if golden.query.strip() else "the question is empty", golden.query
            )
        else:
            self._goldens[golden.id] = golden

    def add_golden(
        self,
        query: str,
        answer: str | None,
        evidence: Iterable[Span],
        *,
        where: str,
        source: str,
        split: str = "test",
        metadata: Mapping[str, Any] | None = None,
        grades: Mapping[Span, int] | None = None,
        equivalents: Iterable[Span] = (),
    ) -> None:
        """Add a golden, or report that its question is empty or repeats an earlier one with the same evidence.

        `grades` are of the spans of `evidence`, which must not touch then. Of `equivalents` those that overlap it are left out.
        """
        query = clean_text(query)
        if not query:
            self.report(where, "the question is empty")
            return
        evidence = merge(evidence)
        candidate = Candidate(
            chunks=(),
            query=query,
            answer=clean_text(answer or ""),
            evidence=evidence,
            equivalents=merge(one for one in equivalents if not any(map(one.overlap, evidence))),
            metadata={**(metadata or {}), "source": clean_text(source)},
        )
        golden = Golden.of(candidate, split=split)
        if known := self._goldens.get(golden.id):
            self.report(where, f"repeats {known.metadata['source']}: the same question with the same evidence", query)
            return
        # A candidate's kind goes by its chunks, and these goldens were drawn from none.
        kind = "unanswerable" if answer is None else "single-chunk" if len(golden.evidence) == 1 else "multi-chunk"
        graded = tuple(grades[span] for span in golden.evidence) if grades and set(grades.values()) != {1} else ()
        changes = {"kind": kind, "answer": None if answer is None else golden.answer, "grades": graded}
        self._goldens[golden.id] = golden.model_copy(update=changes)

    def report(self, where: str, reason: str, text: str = "") -> None:
        """Add a problem."""
        self._problems.append(Unaligned(where=clean_text(where), reason=clean_text(reason), text=excerpt(text)))

    def result(self) -> ImportedSet:
        """The set."""
        documents = tuple(self._documents[key] for key in sorted(self._documents))
        return ImportedSet(tuple(self._goldens.values()), documents, tuple(self._problems))


def excerpt(text: str) -> str:
    """The beginning of a text, in one line of at most 120 characters."""
    line = _line(text[: 4 * EXCERPT])
    return line if len(line) <= EXCERPT else line[: EXCERPT - 1].rstrip() + "…"


def _line(text: str) -> str:
    return " ".join(clean_text(text).split())


class Judgement(NamedTuple):
    """One line of a file of judgements."""

    where: str
    query: str
    document: str
    grade: int


Find = Callable[[str], Span | str]
"""The span that the name of a document stands for, or why there is none."""


def add_judged(
    builder: SetBuilder,
    judgements: Iterable[Judgement],
    queries: Mapping[str, str],
    find: Find,
    *,
    split: str,
    told: str,
) -> None:
    """Add each query that was judged, with all of its relevant passages; `told` is the file of the queries."""
    by_query: dict[str, list[Judgement]] = defaultdict(list)
    for judgement in judgements:
        by_query[judgement.query].append(judgement)
    for id_, judged in by_query.items():
        where, query = judged[0].where, queries.get(id_)
        relevant = [judgement for judgement in judged if judgement.grade > 0]
        if query is None:
            builder.report(where, f"{told} has no query {id_}")
            continue
        if not relevant:
            builder.report(where, f"no document is judged relevant to query {id_}", query)
        grades: dict[Span, int] = {}
        for judgement in relevant:
            found = find(judgement.document)
            if isinstance(found, str):
                builder.report(judgement.where, found, query)
            else:
                grades[found] = max(judgement.grade, grades.get(found, 0))
        # Passages that touch are one piece of evidence.
        whole = {span: max(grade for one, grade in grades.items() if span.overlap(one)) for span in merge(grades)}
        if whole:
            builder.add_golden(query, "", whole, where=where, source=id_, split=split, grades=whole)
