"""Chunks that another program cut, mapped onto the documents: what each holds of them, as the id of a hit says it.

Scores follow from these places. What a search finds, and what a reader is given, is the text of the chunk as it is.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from ragset.dataset.importers import excerpt
from ragset.dataset.relevance.qrels import ADDED, UNALIGNED, Place, places_of
from ragset.documents import distinct
from ragset.documents.cleaning import clean_text
from ragset.documents.corpus import Corpus
from ragset.evaluation.results.facts import MappingFacts
from ragset.evaluation.results.model import RetrievalResult
from ragset.evaluation.systems.alignment import LEAST_ALIGNED, align, documents_called
from ragset.evaluation.systems.replies import Returned
from ragset.models import Chunk, Document, Model, Reject, Span, in_reading_order
from ragset.retrieval.existing import ExistingChunk
from ragset.retrieval.fusion import Hit

NOT_FOUND = "not_in_documents"
_WIDEST = 2  # a chunk of several parts is one span of at most so many times their length; else its longest part is


class MappedChunk(Model):
    """A chunk with its place in the documents."""

    id: str  # its own
    text: str
    place: str  # as the id of a hit, unique among the chunks: `doc_id:start-end`, or several of them joined by `+`
    reason: str = ""  # why it is in no document; empty: it is in one

    @property
    def places(self) -> list[Place]:
        """The parts of documents that it holds; none if it is in no document."""
        parts = [] if self.reason else places_of(self.place)
        return [part for part in parts if part.doc_id != ADDED and not part.doc_id.startswith(f"{UNALIGNED}-")]

    @property
    def span(self) -> Span | None:
        """What it is as one span: all its parts if they stand close together, else the longest; None: in no document."""
        parts = self.places
        if not parts:
            return None
        longest = max(parts, key=lambda part: part.end - part.start)
        near = [part for part in parts if part.doc_id == longest.doc_id]
        start, end = min(part.start for part in near), max(part.end for part in near)
        whole = end - start <= _WIDEST * sum(part.end - part.start for part in near)
        return Span(doc_id=longest.doc_id, start=start, end=end) if whole else longest.span


class ChunkMap(Model):
    """The existing chunks that an index searches, each as a document of its own, by their ids in the index."""

    chunks: dict[str, MappedChunk]

    @property
    def spans(self) -> list[Span]:
        """What the chunks hold of the documents."""
        return [place.span for chunk in self.chunks.values() for place in chunk.places]

    def translated(self, ranked: RetrievalResult) -> RetrievalResult:
        """What was found with the chunks' places for their ids in the index, and their texts."""
        hits = {
            golden: tuple(Hit(self.chunks[hit.id].place, hit.score) for hit in found)
            for golden, found in ranked.hits.items()
        }
        texts = {chunk.place: chunk.text for chunk in self.chunks.values()}
        places = {hit.id for found in hits.values() for hit in found}
        return ranked.model_copy(update={"hits": hits, "texts": {place: texts[place] for place in sorted(places)}})

    def facts(self, repeated: int) -> MappingFacts:
        """What a reader of the scores must know; `repeated` chunks are left out of the index."""
        lost = [chunk for chunk in self.chunks.values() if chunk.reason]
        examples = tuple(f"{one.id[:100]}: {excerpt(one.text)!r} ({one.reason})" for one in lost[:3])
        return MappingFacts(chunks=len(self.chunks), repeated=repeated, not_found=len(lost), examples=examples)


def searched_chunks(mapped: Sequence[MappedChunk]) -> tuple[ChunkMap, list[Chunk], list[Reject]]:
    """The chunks to search by their own texts, each text once, and those that are left out."""
    found: dict[str, MappedChunk] = {}
    chunks: list[Chunk] = []
    rejects: list[Reject] = []
    for one in mapped:
        doc_id = Document.of(one.text, source="").id
        if not one.text.strip():
            rejects.append(Reject(stage="chunk", reason="near_empty", detail=one.id[:100]))
            continue
        chunk = Chunk(doc_id=doc_id, start=0, end=len(one.text), text=one.text)
        if chunk.id in found:
            detail = f"{one.id[:100]}: the same text as {found[chunk.id].id[:100]}"
            rejects.append(Reject(stage="chunk", reason="repeated", detail=detail))
            continue
        found[chunk.id] = one
        chunks.append(chunk)
    return ChunkMap(chunks=found), chunks, rejects


def map_chunks(chunks: Sequence[ExistingChunk], corpus: Corpus) -> list[MappedChunk]:
    """Each chunk with its place, in their order.

    Offsets of the other program count only if the document has the text of the chunk there. Repeats of a text in a document that
    is named are taken in the order of the chunks.
    """
    exact = _exact_places(chunks, corpus)
    sought = [chunk for chunk in chunks if chunk.id not in exact]
    returned = [Returned(0.0, chunk.text, chunk.document) for chunk in sought]
    found = dict(zip((chunk.id for chunk in sought), align(returned, corpus, has_chunks=True), strict=True))
    times: Counter[str] = Counter()
    mapped: list[MappedChunk] = []
    for chunk in chunks:
        span, reason = exact.get(chunk.id), ""
        if span:
            place = span.id
        else:
            ids, score, why = found[chunk.id]
            reason = why if score < LEAST_ALIGNED else ""
            place = ids[0] if reason else _verbatim(chunk.text, ids[0], corpus)
        # Two chunks at one place are two hits: a character beside the second tells them apart.
        number, times[place] = times[place], times[place] + 1
        mapped.append(
            MappedChunk(
                id=chunk.id,
                text=chunk.text,
                place=f"{place}+{ADDED}:{number}-{number + 1}" if number else place,
                reason=reason,
            )
        )
    return mapped


def chunks_of(mapped: Sequence[MappedChunk], corpus: Corpus) -> tuple[list[Chunk], list[Reject]]:
    """The chunks as exact spans of the documents, and those that are in none."""
    rejects = [
        Reject(stage="chunk", reason=NOT_FOUND, detail=f"{one.id[:100]}: {one.reason}") for one in mapped if one.reason
    ]
    found = {span.id: span for one in mapped if (span := one.span)}
    spans = in_reading_order(found.values())
    chunks = [
        Chunk(**span.model_dump(), text=corpus.text(span), title=corpus[span.doc_id].title)  # of one document at a time
        for span in spans
    ]
    return chunks, rejects


def documents_of(chunks: Sequence[ExistingChunk]) -> list[Document]:
    """Each chunk as a document, whose source is the chunk's id; a text counts once, and one that is empty not at all."""
    texts = ((chunk, clean_text(chunk.text)) for chunk in chunks)
    return distinct(Document.of(text, source=chunk.id, title=chunk.document) for chunk, text in texts if text)


def _exact_places(chunks: Sequence[ExistingChunk], corpus: Corpus) -> dict[str, Span]:
    """By id, where documents have a chunk's very text: a whole document, or at its offsets, or in the document that it names."""
    named = documents_called(corpus, {chunk.document for chunk in chunks if chunk.document})
    found: dict[str, Span] = {}
    by_document: dict[str, list[ExistingChunk]] = defaultdict(list)
    for chunk in chunks:
        whole = Document.of(clean_text(chunk.text), source="").id
        if whole in corpus:
            found[chunk.id] = Span(doc_id=whole, start=0, end=len(corpus[whole].text))
        elif doc_id := named.get(chunk.document):
            by_document[doc_id].append(chunk)
    for doc_id, members in by_document.items():
        found.update(_places_within(corpus[doc_id], members))
    return found


def _verbatim(text: str, place: str, corpus: Corpus) -> str:
    """The place of the very text, if it stands where its letters were found; else that of the letters."""
    first, *others = places_of(place)
    if others:
        return place
    sought, beside = clean_text(text), len(text) // 2
    at = corpus[first.doc_id].text.find(sought, max(0, first.start - beside), first.end + beside)
    return place if at < 0 else Span(doc_id=first.doc_id, start=at, end=at + len(sought)).id


def _places_within(document: Document, chunks: Sequence[ExistingChunk]) -> Iterator[tuple[str, Span]]:
    text, after = document.text, 0
    for chunk in chunks:
        sought = clean_text(chunk.text)
        at = chunk.start if chunk.start is not None and text.startswith(sought, chunk.start) else -1
        if at < 0:
            at = text.find(sought, after)
        if at < 0:
            at = text.find(sought)
        if sought and at >= 0:
            after = at + 1
            yield chunk.id, Span(doc_id=document.id, start=at, end=at + len(sought))
