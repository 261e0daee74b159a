"""Settings of sampling, contexts, and drafting, evolving and judging queries."""

import math
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import AfterValidator, ConfigDict, Field, model_validator

from ragset.settings.addresses import Place
from ragset.settings.base import Settings
from ragset.settings.languages import Language
from ragset.settings.registry import names_of


def _weighed(weights: dict[str, float]) -> dict[str, float]:
    if not all(0 <= weight < math.inf for weight in weights.values()) or (weights and sum(weights.values()) <= 0):
        raise ValueError("weights are 0 or more, and at least one is above 0")
    return weights


Weights = Annotated[dict[str, float], AfterValidator(_weighed)]


def _weights(title: str, *kinds: str, also: tuple[str, ...] = ()) -> Any:
    """A field that shows a number for each name in the registries of these `kinds`, where a form would show JSON."""

    def extend(schema: dict[str, Any]) -> None:
        names = [*(name for kind in kinds for name in names_of(kind)), *also]
        titles = {name: "As drafted" if name == "none" else name.replace("_", " ").capitalize() for name in names}
        schema["properties"] = {n: {"title": title, "type": "number", "minimum": 0} for n, title in titles.items()}
        schema["additionalProperties"] = False

    return Field(default={}, title=title, json_schema_extra=extend)


class SamplingSettings(Settings):
    """How to choose the chunks from which queries are drafted."""

    stands_for = "method"

    method: Literal["diverse", "random"] = Field(default="diverse", title="Method")
    """`diverse` covers all documents and the embedding space; `random` is uniform over chunks."""
    min_chars: int = Field(default=200, ge=0, title="Shortest chunk, in characters")
    """Shorter chunks are not sampled; they stay in the index."""


class PassageSamplingSettings(SamplingSettings):
    """How to choose the passages or chunks from which queries are drafted."""

    model_config = ConfigDict(serialize_by_alias=True)

    from_: Literal["passages", "chunks"] = Field(default="passages", alias="from", title="Draw from")
    """`passages` of random length at random places of the documents, or `chunks`; a test set made from the chunks of one strategy
    favours that strategy."""


class ContextSettings(Settings):
    """Which chunks a query may join. The writer is shown up to eight linked chunks and chooses."""

    min_chunks: int = Field(default=2, ge=2, le=8, title="Fewest chunks")
    """Minimum number of chunks that a query joins and that its answer needs."""
    max_chunks: int = Field(default=4, ge=2, le=8, title="Most chunks")
    """Maximum number of chunks that a query joins."""
    spread: Literal["any", "within-document", "cross-document"] = Field(default="any", title="Spread")
    """`within-document` joins chunks of one document; `cross-document` joins chunks of two documents or more."""

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if self.min_chunks > self.max_chunks:
            raise ValueError(f"min_chunks ({self.min_chunks}) must not be above max_chunks ({self.max_chunks})")
        return self


class Persona(Settings):
    """A kind of user whose writing style queries imitate."""

    model_config = ConfigDict(title="Persona")

    name: str = Field(min_length=1, max_length=60, pattern=r"\S", title="Name")
    """Name of the persona, such as night nurse. The dataset holds it; queries do not mention it."""
    voice: str = Field(min_length=1, max_length=300, pattern=r"\S", title="Writing style")
    """Writing style, such as: types on a phone in a hurry, no punctuation."""
    weight: float = Field(default=1.0, gt=0, le=1_000, title="Weight")
    """Relative frequency: a weight of 3 is drawn three times as often as a weight of 1."""


class ConversationSettings(Settings):
    """Dialogues whose last question leans on what was said before."""

    model_config = ConfigDict(title="Conversations")

    share: float = Field(default=0.0, ge=0, le=1, title="Share of conversations")
    """Share of queries that become the last question of a dialogue. The query itself stays in the golden, as the question rewritten
    to stand alone. Takes language models."""
    min_turns: int = Field(default=2, ge=2, le=6, title="Fewest turns")
    """Minimum number of questions in a dialogue, the last one included."""
    max_turns: int = Field(default=4, ge=2, le=6, title="Most turns")
    """Maximum number of questions in a dialogue, the last one included."""

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if self.min_turns > self.max_turns:
            raise ValueError(f"min_turns ({self.min_turns}) must not be above max_turns ({self.max_turns})")
        return self


class Thresholds(Settings):
    """The lowest scores, 1 to 5, with which a golden is kept."""

    model_config = ConfigDict(title="Thresholds")

    groundedness: int = Field(default=4, ge=1, le=5, title="Groundedness")
    """How well the evidence carries the answer; 4 where a claim, or whom it speaks of, is a plain inference."""
    clarity: int = Field(default=4, ge=1, le=5, title="Clarity")
    """How well the query says what it asks; 4 where one can guess it and not be sure."""
    relevance: int = Field(default=4, ge=1, le=5, title="Relevance")
    """How likely somebody of the audience, who has read none of the documents, comes to ask the query."""


ANYBODY = "people who work with these documents"
"""The audience where nobody has described one."""


class _Asking(Settings):
    """Who asks, and in which language."""

    audience: str = Field(default="", max_length=1_000, title="Audience")
    """The people who ask, and why: queries that they would not ask are rejected before anything else is paid for. Empty: the
    generator describes them from a few passages, which replaces no description of your own."""
    language: Language = Field(default="", title="Language")
    """Language of queries and answers, by name or code, such as German or de; empty: that of the documents. Quotes stay in the
    language of the documents."""

    @property
    def spoken(self) -> str:
        """The language of queries where rules need to know: English, if nobody has looked at the documents."""
        return self.language or "en"


class ThemeWritingSettings(_Asking):
    """How to draft corpus-wide queries, and what their assertions must be."""

    kind: ClassVar[str] = "corpus-wide"
    personas: ClassVar[tuple[Persona, ...]] = ()
    samples: ClassVar[str] = ""  # what people type for one fact is no model of such a query
    thresholds: ClassVar[Thresholds] = Thresholds()
    passages: int = Field(default=16, ge=6, le=64, title="Passages")
    """Number of passages of a theme that the generator reads, of as many documents as have any near it."""
    min_documents: int = Field(default=3, ge=2, le=16, title="Fewest documents")
    """Minimum number of documents that the assertions of a query rest on. No document may support more than half of them."""
    min_assertions: int = Field(default=4, ge=2, le=10, title="Fewest assertions")
    """Minimum number of assertions of a query that the critic confirms."""


class _Writing(_Asking):
    """How to evolve and judge queries of any kind."""

    evolutions: Weights = _weights("Evolutions", "evolutions", also=("none",))
    """Relative frequencies of evolutions: a weight of 3 is drawn three times as often as a weight of 1. Without weights,
    queries stay as drafted."""
    depth: int = Field(default=1, ge=1, le=4, title="Evolutions per query")
    """Maximum number of evolutions of one query, each of a different kind."""
    compress: bool = Field(default=False, title="Compress at the end")
    """Make every query shorter and more indirect at the end, after any other evolution."""
    personas: tuple[Persona, ...] = Field(default=(), title="Personas")
    """Personas whose writing style queries imitate; one is drawn for each chunk. Empty: no particular style."""
    samples: Place = Field(default="", title="Samples of real queries")
    """A file of real queries, one a line, or records as `label` reads them. Queries imitate their forms, lengths and style, never
    their content."""

    @model_validator(mode="after")
    def _personas_distinct(self) -> Self:
        names = [persona.name for persona in self.personas]
        if twice := sorted({name for name in names if names.count(name) > 1}):
            raise ValueError(f"personas: {', '.join(twice)} is there twice")
        return self


class WritingSettings(_Writing):
    """How to draft, evolve and judge queries."""

    kind: ClassVar[str] = "single-chunk"
    thresholds: Thresholds = Field(default=Thresholds(), title="Minimum scores")
    """Minimum score, 1 to 5, of groundedness, clarity and relevance; in a file of `--config` also the name of a file with them."""
    styles: Weights = _weights("Query styles", "styles")
    """Relative frequencies of query styles: questions for one fact (factoid), open questions (how, why), key words as typed into
    a search box (keyphrase), exam questions. Without weights: 80 % factoid, 10 % open, 10 % keyphrase, near to what people ask;
    with samples, the proportions of the samples."""
    unanswerable: float = Field(default=0.0, ge=0, le=1, title="Share of unanswerable queries")
    """Share of chunks for which ragset drafts a query that the chunk nearly answers. ragset keeps the query if the critic finds
    no answer in the corpus."""


class ContextWritingSettings(_Writing):
    """How to draft, split, evolve, test and judge queries over several chunks."""

    kind: ClassVar[str] = "multi-chunk"
    evolutions: Weights = _weights("Evolutions", "evolutions", "widening evolutions", also=("none",))
    """Relative frequencies of evolutions; `multi_context` adds a second chunk to a query about one. Without weights, queries
    stay as drafted."""
    thresholds: Thresholds = Field(default=Thresholds(), title="Minimum scores")
    """Minimum score, 1 to 5, of groundedness, clarity and relevance; in a file of `--config` also the name of a file with them."""
    single: Literal["drop", "keep"] = Field(default="drop", title="Single-chunk queries")
    """Drop queries that need only one chunk, or keep them, marked `single-chunk`, and count them as goldens."""
    necessity: bool = Field(default=True, title="Necessity test")
    """Answer each query again without one of its chunks at a time; if the answer is the same, the chunk is not needed. One call for
    each chunk, or two."""
    conversations: ConversationSettings = Field(default=ConversationSettings(), title="Conversations")
    """How many queries become the last question of a dialogue."""


AnyWriting = WritingSettings | ContextWritingSettings | ThemeWritingSettings
