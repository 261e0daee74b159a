"""Passages of another system as hits: each with the characters of the documents that it holds."""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePath
from typing import Any, NamedTuple

from ragset.dataset.alignment.passages import Alignment, Passage, align_passages
from ragset.dataset.importers import excerpt
from ragset.dataset.relevance.qrels import ADDED, UNALIGNED, place_of, places_of
from ragset.documents.corpus import Corpus
from ragset.errors import InputError
from ragset.evaluation.efficiency import REPLY
from ragset.evaluation.results.facts import ExternalFacts, UnalignedPassage
from ragset.evaluation.results.model import RetrievalResult
from ragset.evaluation.systems.replies import Reply, Returned
from ragset.models import Document, Golden, Span
from ragset.retrieval.fusion import Hit

LEAST_ALIGNED = 0.5
"""Share of a passage's letters from which it counts as found."""
_LEAST_ADDED = 20
"""Characters beside what was found that take room in a token budget; fewer are bullets and numbers."""


class Aligned(NamedTuple):
    """Where a passage stands, as the id of a hit."""

    ids: list[str]
    """Of equally good places."""
    score: float
    reason: str = ""


def align_replies(
    replies: Mapping[str, Reply],
    goldens: Sequence[Golden],
    corpus: Corpus,
    chunks: Mapping[str, Returned],
    **known: Any,
) -> RetrievalResult:
    """The replies as hits. Each passage is one hit and keeps its rank, found or not.

    A text that stands in several places counts at the one with most of the golden's evidence, as the system did not say
    which it is from. `known` are other fields of `ExternalFacts`.
    """
    passages = [
        (golden, chunks[one.id]._replace(score=one.score) if one.start is None and one.id in chunks else one)
        for golden, reply in replies.items()
        for one in reply.passages
    ]
    aligned = align([one for _, one in passages], corpus, bool(chunks))
    evidence = {golden.id: (*golden.evidence, *golden.equivalents) for golden in goldens}
    hits: dict[str, list[Hit]] = {golden: [] for golden in replies}
    texts: dict[str, str] = {}
    scores: list[float] = []
    unaligned: list[UnalignedPassage] = []
    for (golden, one), (ids, score, reason) in zip(passages, aligned, strict=True):
        id_ = max(ids, key=lambda id_: _shared(id_, evidence[golden]))
        hits[golden].append(Hit(id_, one.score))
        if one.text is not None:
            texts[id_] = one.text
            scores.append(score)
        if score < LEAST_ALIGNED:
            text = excerpt(one.text if one.text is not None else one.id or one.document)
            unaligned.append(UnalignedPassage(golden=golden, text=text, score=round(score, 3), reason=reason))
    facts = ExternalFacts(
        queries=len(goldens),
        answered=len(replies),
        passages=len(passages),
        unaligned=len(unaligned),
        unaligned_queries=len({one.golden for one in unaligned}),
        examples=tuple(unaligned[:3]),
        alignment=round(sum(scores) / len(scores), 4) if scores else None,
        **known,
    )
    answers = {golden: reply.answer for golden, reply in replies.items()}
    return RetrievalResult(
        hits={golden: tuple(found) for golden, found in hits.items()},
        answers=answers if any(answers.values()) else {},
        texts=texts,
        cited={golden: reply.cited for golden, reply in replies.items() if reply.cited is not None},
        efforts={REPLY: {golden: reply.effort for golden, reply in replies.items()}},
        external=facts,
    )


def align(passages: Sequence[Returned], corpus: Corpus, has_chunks: bool) -> list[Aligned]:
    """The places of each passage."""
    documents = documents_called(corpus, {one.document or one.id for one in passages if one.document or one.id})

    def span(document: str, start: int, end: int) -> Span | None:
        inside = document in corpus and 0 <= start < end <= len(corpus[document].text)
        return Span(doc_id=document, start=start, end=end) if inside else None

    def named(one: Returned) -> Span | None:
        document = documents.get(one.document, "")
        if one.start is not None and one.end is not None:
            return span(document, one.start, one.end)
        if one.text is not None:
            return None
        try:
            return span(*place_of(one.id))
        except InputError:
            document = document or documents.get(one.id, "")
            return span(document, 0, len(corpus[document].text)) if document else None

    def why(one: Returned) -> str:
        if one.document in documents:
            return f"document {one.document!r} has no characters {one.start} to {one.end}"
        if one.document:
            return f"no document, or more than one, is called {one.document!r}"
        if has_chunks:
            return f"the file of chunks has no id {one.id!r}"
        return f"id {one.id!r} is no doc_id:start-end of these documents; give a file of `chunks` for ids of your own"

    spans = {one: named(one) for one in passages}
    sought = {
        one: Passage(one.text, documents.get(one.document, ""))
        for one, place in spans.items()
        if one.text is not None and place is None
    }
    texts = align_passages(list(sought.values()), corpus)
    found: list[Aligned] = []
    for one in passages:
        if exact := spans[one]:
            found.append(Aligned([exact.id], 1.0))
        elif one in sought:
            found.append(_aligned_text(sought[one].text, texts[sought[one]]))
        else:
            found.append(Aligned([_unaligned(repr(one[1:]), 1)], 0.0, why(one)))
    return found


def _aligned_text(text: str, found: Alignment) -> Aligned:
    if not found.places:
        return Aligned([_unaligned(text, len(text))], found.score, "the documents do not have this text")
    lengths, reason = (found.before, found.beside), ""
    before, beside = ([f"{ADDED}:0-{length}"] if length >= _LEAST_ADDED else [] for length in lengths)
    if found.score < LEAST_ALIGNED:
        before, beside = [], [_unaligned(text, sum(lengths))]
        reason = "the documents have less than half of this text"
    ids = ["+".join([*before, *(span.id for span in spans), *beside]) for spans in found.places]
    return Aligned(ids, found.score, reason)


def _unaligned(what: str, length: int) -> str:
    """An id for text that is in no document: the same for the same text."""
    digest = hashlib.sha256(what.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return f"{UNALIGNED}-{digest}:0-{max(1, length)}"


def _shared(id_: str, evidence: Iterable[Span]) -> int:
    return sum(place.span.overlap(other) for place in places_of(id_) for other in evidence)


def documents_called(corpus: Corpus, names: set[str]) -> dict[str, str]:
    """Which document each name is of (see `names_of`), if it is of one alone."""
    found: dict[str, set[str]] = defaultdict(set)
    for document in corpus if names else ():
        called = names_of(document)
        for source in document.sources:
            # Absolute paths, as the system itself may have read the files.
            called |= {name for name in names if name.endswith(f"/{source}")}
        for name in names & called:
            found[name].add(document.id)
    return {name: min(ids) for name, ids in found.items() if len(ids) == 1}


def names_of(document: Document) -> set[str]:
    """Its id, its title, its paths and the ends of these, and the ids of the records that it was read from."""
    called = {document.id, document.title}
    for source in document.sources:
        parts = PurePath(source).parts
        # As in `corpus.jsonl:d12`, of a set that gives its documents ids.
        called |= {source, source.rpartition(":")[2], *("/".join(parts[number:]) for number in range(len(parts)))}
    return called
