"""The nouns: Document, Span, Chunk, Candidate, Golden, Reject.

Evidence is half-open character offsets into the normalised text of a document, and a chunk is a span with its text: the
relevance of a chunk is derived by overlap, so one test set scores every chunking strategy.
"""

import hashlib
from collections.abc import Collection, Iterable
from html import escape
from typing import Any, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

_SHOWN = 1_000  # characters of a field in a notebook
UNANSWERABLE = "unanswerable"  # the kind of a golden whose answer the corpus does not hold, and its key in metadata
CORPUS_WIDE = "corpus-wide"  # the kind of a golden about a theme of many documents, whose reference are assertions


class Model(BaseModel):
    """Frozen and closed: a field that nobody declared is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    def _repr_html_(self) -> str:
        """A row for each field that is not empty, for notebooks."""
        fields = {name: _told(value) for name, value in self if value not in (None, "", (), {})}
        cell = '<td style="text-align:left;white-space:pre-wrap">'
        rows = (f"<tr><th>{escape(name)}</th>{cell}{escape(told)}</td></tr>" for name, told in fields.items())
        return f"<table>{''.join(rows)}</table>"


def _told(value: Any) -> str:
    """A value of a field as lines of text, cut where it is long."""
    if isinstance(value, tuple | list):
        text = "\n".join(map(_told, value))
    elif isinstance(value, dict):
        text = "\n".join(f"{name}: {said}" for name, said in value.items())
    elif isinstance(value, Span):
        text = value.id
    else:
        text = " · ".join(_told(said) for _, said in value if said) if isinstance(value, Model) else str(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


class Span(Model):
    """Half-open character range of one document."""

    doc_id: str
    start: int = Field(ge=0)
    end: int

    @model_validator(mode="after")
    def _not_empty(self) -> Self:
        if self.end <= self.start:
            raise ValueError(f"span {self.doc_id}:{self.start}-{self.end} is empty")
        return self

    @property
    def id(self) -> str:
        """`doc_id:start-end`."""
        return f"{self.doc_id}:{self.start}-{self.end}"

    @classmethod
    def of_id(cls, id_: str) -> "Span":
        """The span of an id; raises ValueError if it is not `doc_id:start-end`."""
        doc_id, _, place = id_.rpartition(":")
        start, _, end = place.partition("-")
        return Span(doc_id=doc_id, start=int(start), end=int(end))

    def overlap(self, other: "Span") -> int:
        """The number of shared characters; 0 across documents."""
        shared = min(self.end, other.end) - max(self.start, other.start)
        return max(0, shared) if self.doc_id == other.doc_id else 0


def in_reading_order(spans: Iterable[Span]) -> tuple[Span, ...]:
    """By document, beginning and end."""
    return tuple(sorted(spans, key=lambda span: (span.doc_id, span.start, span.end)))


class Document(Model):
    """A text as normalised (Unicode NFC, line ends of one character), known by its SHA-256."""

    id: str  # first 16 hexadecimal digits of the SHA-256 of `text`
    text: str
    title: str = ""
    sources: tuple[str, ...]  # where the text was found: paths relative to the folder that was read, or URLs; sorted
    metadata: dict[str, Any] = Field(default_factory=dict)

    @classmethod
    def of(cls, text: str, *, source: str, title: str = "", metadata: dict[str, Any] | None = None) -> Self:
        """The document of an already normalised text."""
        digest = hashlib.sha256(text.encode()).hexdigest()[:16]
        return cls(id=digest, text=text, title=title, sources=(source,), metadata=metadata or {})

    def found_at(self, sources: Iterable[str]) -> Self:
        """This document, found in these places too."""
        return self.model_copy(update={"sources": tuple(sorted({*self.sources, *sources}))})


class Chunk(Span):
    """The retrievable unit: a span with its text. `document.text[start:end] == text`."""

    text: str
    title: str = ""  # of the document
    headings: tuple[str, ...] = ()  # of the sections that hold the chunk, outermost first, if the strategy knows them
    before: str = (
        ""  # some of the document in front of it and behind it, where somebody is to see what stands around it
    )
    after: str = ""

    @property
    def section(self) -> str:
        """Where it stands, as models are told: the title of the document and the headings above it, as in "Tea > Brewing"."""
        parts = dict.fromkeys(" ".join(part.split()) for part in (self.title, *self.headings))
        return " > ".join(part for part in parts if part)[:300]

    @property
    def span(self) -> Span:
        """The span without the text."""
        return Span(doc_id=self.doc_id, start=self.start, end=self.end)


class Step(Model):
    """One change in the making of a golden."""

    stage: str  # draft, evolve, answer, critique, …
    kind: str = ""  # which of the stage's ways: `open`, `factoid`, …; `generalise`, `reasoning`, …
    prompt: str  # `name@version#digest`
    model: str  # `offline` where rules stood in for a model
    query: str | None = None  # the query as this step left it, where the step changed it


class Turn(Model):
    """An earlier question of a conversation, with its answer and the spans that prove it."""

    question: str
    answer: str
    evidence: tuple[Span, ...]


class Conversation(Model):
    """A dialogue whose last question leans on what was said; a golden's `query` is that question rewritten to stand alone."""

    turns: tuple[Turn, ...] = Field(min_length=1)
    question: str


class Assertion(Model):
    """A statement that an answer to a corpus-wide query should make, with the spans that prove it, of one document or several."""

    statement: str
    evidence: tuple[Span, ...]

    @property
    def documents(self) -> set[str]:
        """Ids of the documents that support it."""
        return {span.doc_id for span in self.evidence}


class Candidate(Model):
    """A golden in the making: each stage returns it with more fields filled."""

    chunks: tuple[Chunk, ...]  # what the query is drawn from: one chunk, or the similar chunks of a context
    spare: tuple[Chunk, ...] = ()  # chunks of the context that the query does not need
    origin: str = ""  # of a context, its first two chunks by id: what is random about its queries goes by them
    query: str = ""
    answer: str = ""
    evidence: tuple[Span, ...] = ()
    equivalents: tuple[Span, ...] = ()  # as of a golden
    found: tuple[Chunk, ...] = ()  # passages that a search finds for the query and nobody has looked at yet, best first
    ranked: tuple[str, ...] | None = (
        None  # ids of chunks that a search found, best first, until their verdicts are known
    )
    copies: tuple[Span, ...] = ()  # of its evidence, word for word, in chunks that were `ranked`
    conversation: Conversation | None = None  # that ends in its query, where one was written
    assertions: tuple[Assertion, ...] = ()  # of a corpus-wide query; before there is one, what its passages claim
    scores: dict[str, int] = Field(default_factory=dict)
    lineage: tuple[Step, ...] = ()
    metadata: dict[str, Any] = Field(default_factory=dict)

    @property
    def text(self) -> str:
        """The texts of all its chunks, with a blank line between them."""
        return "\n\n".join(self.texts)

    @property
    def unanswerable(self) -> bool:
        """Whether its query was drafted to have no answer in the corpus."""
        return UNANSWERABLE in self.metadata

    @property
    def texts(self) -> list[str]:
        """The text of each chunk."""
        return [chunk.text for chunk in self.chunks]

    @property
    def sections(self) -> list[str]:
        """The section of each chunk."""
        return [chunk.section for chunk in self.chunks]

    @property
    def section(self) -> str:
        """The sections of its chunks, each once."""
        return "; ".join(dict.fromkeys(section for section in self.sections if section))

    @property
    def kind(self) -> str:
        """`single-chunk` or `multi-chunk`, by the chunks that it needs; `corpus-wide` or `unanswerable`."""
        if self.assertions:
            return CORPUS_WIDE
        answered_by = "single-chunk" if len(self.chunks) == 1 else "multi-chunk"
        return UNANSWERABLE if self.unanswerable else answered_by

    def narrowed(self, needed: Collection[Chunk], stage: str, reason: str) -> Self:
        """Keep the chunks `needed`; the others become spare, with the reason in `metadata["left_out"]`."""
        kept = tuple(chunk for chunk in self.chunks if chunk in needed)
        left = tuple(chunk for chunk in self.chunks if chunk not in needed)
        if not left:
            return self
        told = [{"chunk": chunk.id, "stage": stage, "reason": reason} for chunk in left]
        metadata = {**self.metadata, "left_out": [*self.metadata.get("left_out", []), *told]}
        return self.model_copy(update={"chunks": kept, "spare": (*left, *self.spare), "metadata": metadata})

    def grown(self, step: Step, **changes: Any) -> Self:
        """This candidate with `changes` and one more step of lineage; another query leaves the old one's answer behind."""
        if changes.get("query", self.query) != self.query:
            changes = {"answer": "", "evidence": (), **changes}
        return self.model_copy(update={**changes, "lineage": (*self.lineage, step)})

    def rejected(self, stage: str, reason: str, detail: str = "") -> "Reject":
        """The reject that it becomes when a stage refuses it."""
        chunks = tuple(chunk.id for chunk in self.chunks)
        return Reject(stage=stage, reason=reason, detail=detail, chunks=chunks, query=self.query, answer=self.answer)


class Golden(Model):
    """A query with its answer and the passages a correct system must find."""

    id: str  # `g-` and the first 12 hexadecimal digits of the SHA-256 of query and evidence
    query: str
    answer: str | None  # None when the corpus does not hold the answer (`kind` is "unanswerable")
    kind: str = "single-chunk"
    evidence: tuple[Span, ...]  # half-open character spans into the normalised documents, in reading order
    # How relevant each span of the evidence is, from 1, in its order; empty: all are 1.
    grades: tuple[int, ...] = Field(default=(), repr=False)
    # Spans elsewhere, each of which answers the query alone; in reading order.
    equivalents: tuple[Span, ...] = Field(default=(), repr=False)
    conversation: Conversation | None = Field(default=None, repr=False)  # None: the query is the only turn
    # The reference of a corpus-wide query, which has no evidence: it is no target of retrieval.
    assertions: tuple[Assertion, ...] = Field(default=(), repr=False)
    chunks: tuple[str, ...] = Field(
        repr=False
    )  # ids of those that the query was drawn from, under the strategy of the run
    scores: dict[str, int] = Field(default_factory=dict)
    lineage: tuple[Step, ...] = Field(default=(), repr=False)  # what made it, first to last
    split: str = "test"
    metadata: dict[str, Any] = Field(default_factory=dict, repr=False)

    @model_validator(mode="after")
    def _graded(self) -> Self:
        if self.grades and (len(self.grades) != len(self.evidence) or min(self.grades) < 1):
            told = f"grades: {len(self.grades)} for {len(self.evidence)} spans of evidence"
            raise ValueError(f"{told}; give each a whole number from 1, or none any")
        return self

    @property
    def proof(self) -> tuple[Span, ...]:
        """All spans that prove anything in it: its evidence, that of earlier turns, and that of assertions."""
        turns = self.conversation.turns if self.conversation else ()
        return (*self.evidence, *(span for part in (*turns, *self.assertions) for span in part.evidence))

    @property
    def cross_document(self) -> bool:
        """Whether its evidence, or that of its assertions, stands in two documents or more."""
        return len({span.doc_id for part in (self, *self.assertions) for span in part.evidence}) > 1

    @classmethod
    def of(cls, candidate: Candidate, *, split: str = "test") -> Self:
        """The golden that a finished candidate is."""
        evidence = in_reading_order(candidate.evidence)
        proof = evidence or [span for one in candidate.assertions for span in one.evidence]
        key = "\n".join([candidate.query, *(span.id for span in proof)])
        return cls(
            id="g-" + hashlib.sha256(key.encode()).hexdigest()[:12],
            query=candidate.query,
            answer=None if candidate.unanswerable else candidate.answer,
            kind=candidate.kind,
            evidence=evidence,
            equivalents=in_reading_order(candidate.equivalents),
            conversation=candidate.conversation,
            assertions=candidate.assertions,
            chunks=tuple(chunk.id for chunk in candidate.chunks),
            scores=candidate.scores,
            lineage=candidate.lineage,
            split=split,
            metadata=candidate.metadata,
        )


class Reject(Model):
    """What did not become a golden, and why."""

    stage: str
    reason: str  # a code to count by: `references`, `not_self_contained`, `malformed_reply`, …
    detail: str = ""  # the model's words, or what the rule saw
    chunks: tuple[str, ...] = ()
    query: str = ""
    answer: str = ""


class Usage(Model):
    """Sums over the replies of one stage and prompt."""

    stage: str
    prompt: str  # the prompt's name
    model: str
    calls: int = 0
    prompt_tokens: int = 0
    cached_tokens: int = 0  # of `prompt_tokens`, those that the provider took from its prefix cache
    completion_tokens: int = 0
    batch: bool = False  # whether the replies came by the provider's Batch API, at half the price
    cost: float | None = None  # US dollars; None where the price of the model is unknown, 0 for `offline`

    @property
    def asked(self) -> str:
        """The model, and whether it was asked by batch."""
        return f"{self.model} (batch)" if self.batch else self.model
