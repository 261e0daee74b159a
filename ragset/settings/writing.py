"""What queries are drawn from, and how they are drafted, evolved and judged."""

import math
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, ConfigDict, Field, model_validator

from ragset.settings.base import Names, Settings, either
from ragset.settings.registry import names_of


def _weighed(weights: dict[str, float]) -> dict[str, float]:
    if not all(0 <= weight < math.inf for weight in weights.values()) or (weights and sum(weights.values()) <= 0):
        raise ValueError("weights are 0 or more, and at least one is above 0")
    return weights


def _named(weights: dict[str, float]) -> dict[str, float]:
    if not weights:
        raise ValueError("name at least one")
    return weights


Weights = Annotated[dict[str, float], AfterValidator(_weighed)]


def _weights(title: str, *kinds: str, also: tuple[str, ...] = (), default: tuple[str, ...] = ()) -> Any:
    """A field that shows a number for each name in the registries of these `kinds`, where a form would show JSON."""

    def extend(schema: dict[str, Any]) -> None:
        names = [*(name for kind in kinds for name in names_of(kind)), *also]
        titles = {name: "As drafted" if name == "none" else name.replace("_", " ").capitalize() for name in names}
        schema["properties"] = {n: {"title": title, "type": "number", "minimum": 0} for n, title in titles.items()}
        schema["additionalProperties"] = False

    return Field(default=dict.fromkeys(default, 1.0), title=title, json_schema_extra=extend)


class SamplingSettings(Settings):
    """Which chunks queries are drawn from."""

    method: Literal["diverse", "random"] = Field(default="diverse", title="Method")
    """`diverse` spreads over documents and over the embedding space; `random` is uniform over chunks."""
    min_chars: int = Field(default=200, ge=0, title="Shortest chunk, in characters")
    """Shorter chunks are not drawn from; they stay in the index."""


class ContextSettings(Settings):
    """How single chunks grow into contexts of similar chunks."""

    min_chunks: int = Field(default=2, ge=2, le=8, title="Fewest chunks")
    """The fewest chunks of a context, and the fewest that the answer to a query must need."""
    max_chunks: int = Field(default=3, ge=2, le=8, title="Most chunks")
    """The most chunks of a context."""
    top_k: int = Field(default=10, ge=1, le=1000, title="Neighbours")
    """The most similar chunks that a context is made from."""
    min_similarity: float | None = Field(
        default=None, ge=-1, le=1, title="Least similarity", json_schema_extra=either("A cosine", "Of the corpus")
    )
    """Cosine from which chunks are similar; empty: what 95 % of all pairs of the corpus stay under (see `calibrate`)."""
    max_similarity: float = Field(default=0.95, gt=0, le=1, title="Similarity of near-duplicates")
    """Cosine from which a chunk says what another one says already."""
    spread: Literal["any", "within-document", "cross-document"] = Field(default="any", title="Spread")
    """`within-document` takes chunks of one document, `cross-document` prefers those of others."""
    max_contexts: int = Field(default=3, ge=1, title="Contexts of a chunk")
    """The most contexts that one chunk may be in."""
    seeds: int = Field(default=5, ge=1, le=1000, title="Seeds for a golden")
    """How many chunks are tried for each golden that is still missing: many make no context."""

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if self.min_chunks > self.max_chunks:
            raise ValueError(f"min_chunks ({self.min_chunks}) must not be above max_chunks ({self.max_chunks})")
        return self


class Persona(Settings):
    """A person who asks, and how they write."""

    model_config = ConfigDict(title="Persona")

    name: str = Field(min_length=1, max_length=60, pattern=r"\S", title="Name")
    """The name of the persona, such as night nurse. The dataset holds it, a query never does."""
    voice: str = Field(min_length=1, max_length=300, pattern=r"\S", title="Voice")
    """How they write: types on a phone in a hurry, no punctuation."""
    weight: float = Field(default=1.0, gt=0, le=1_000, title="Weight")
    """Of weights 1 and 3, the latter is drawn three times as often."""


class _Writing(Settings):
    """How queries of any kind are evolved and judged."""

    evolutions: Weights = _weights("Evolutions", "evolutions", also=("none",))
    """Weights of the ways in which a query is rewritten: of weights 1 and 3, the latter is drawn three times as often.
    None at all: queries stay as drafted."""
    depth: int = Field(default=1, ge=1, le=4, title="Evolutions of one query")
    """The most evolutions of one query, one after the other, each of a different kind."""
    compress: bool = Field(default=False, title="Compress at the end")
    """Make every query shorter and more indirect, whatever evolutions came before."""
    audience: str = Field(
        default="people who work with these documents", min_length=1, max_length=300, title="Audience"
    )
    """The people that the queries should be relevant to."""
    personas: tuple[Persona, ...] = Field(default=(), title="Personas")
    """People who ask: one is drawn for each chunk, and the query imitates only their way of writing. None: nobody in particular."""
    samples: Annotated[str, Names.PATH] = Field(default="", title="Samples of real queries")
    """A file of queries that users typed, a line each (or csv or jsonl with a column query): their style is imitated,
    never their content."""
    threshold: int = Field(default=4, ge=1, le=5, title="Threshold")
    """Least score, of 1 to 5, in groundedness, relevance and clarity."""
    separate: bool = Field(default=False, title="Separate critiques")
    """Ask for each of the three scores in a call of its own, instead of one for all."""
    language: str = Field(default="", pattern=r"^([a-z]{2})?$", title="Language")
    """Language of the queries and answers, two letters; empty: that of the documents. Quotes stay in the documents' language."""

    @property
    def spoken(self) -> str:
        """The language of queries where rules need to know: English, if nobody has looked at the documents."""
        return self.language or "en"

    @model_validator(mode="after")
    def _personas_distinct(self) -> Self:
        names = [persona.name for persona in self.personas]
        if twice := sorted({name for name in names if names.count(name) > 1}):
            raise ValueError(f"personas: {', '.join(twice)} is there twice")
        return self


class WritingSettings(_Writing):
    """How queries are drafted, evolved and judged."""

    styles: Annotated[Weights, AfterValidator(_named)] = _weights("Query styles", "styles", default=("open",))
    """Weights of open questions, of questions for one fact, about a key phrase of the chunk, and of questions of an
    exam; an empty one is 0."""
    unanswerable: float = Field(default=0.0, ge=0, le=1, title="Share of unanswerable queries")
    """Share of the chunks from which a query is drafted that they nearly answer. It is kept, without answer and evidence, if
    the critic finds nothing in the whole corpus that answers it."""


class ContextWritingSettings(_Writing):
    """How queries over several chunks are drafted, split, evolved, tested and judged."""

    evolutions: Weights = _weights("Evolutions", "evolutions", "widening evolutions", also=("none",))
    """Weights of the ways in which a query is rewritten; `multi_context` takes a second chunk into a query about one.
    None at all: queries stay as drafted."""
    shapes: Annotated[Weights, AfterValidator(_named)] = _weights(
        "Query shapes", "shapes", default=("comparison", "bridge", "aggregation", "open")
    )
    """Weights of the wishes `comparison`, `bridge` (the answer of one chunk leads to the other), `aggregation` and `open`
    (whichever the chunks lend themselves to); an empty one is 0. A golden says which it is."""
    single: Literal["drop", "keep"] = Field(default="drop", title="Single-chunk queries")
    """What happens to queries that need one chunk alone: `keep` marks them so, and counts them among the goldens."""
    necessity: bool = Field(default=True, title="Test of necessity")
    """Leave out one chunk at a time, and see whether the critic can still answer: a call or more for each chunk."""
