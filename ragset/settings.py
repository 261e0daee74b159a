"""Parameters of a run, as plain data that a form, a YAML file and a cache key can hold.

Titles and descriptions are what a person sees in the Prefect UI. Keys and tokens are never parameters:
`Environment` reads them, and nothing prints it.
"""

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, SecretStr, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

OFFLINE = "offline"
"""The name of the built-in rules and of the built-in embedding: no key, no network."""


class Environment(BaseSettings):
    """What comes from the environment or from `.env`, and never enters a parameter, log or cache key."""

    model_config = SettingsConfigDict(env_file=".env", env_ignore_empty=True, extra="ignore", populate_by_name=True)

    openai_api_key: SecretStr | None = None
    openai_base_url: str | None = None
    milvus_uri: str | None = None
    """A Milvus server; None is Milvus Lite in a file of `ragset_home`."""
    milvus_token: SecretStr | None = None
    ragset_home: Path = Path(".ragset")
    """Corpora, embeddings, journal and results of tasks: what makes a second run free."""
    ragset_prompts: Path | None = None
    """A folder of prompt files that stands before the built-in one, file by file."""
    ragset_prices: Path | None = None
    """A YAML file of prices that stands before the built-in one, model by model."""
    ragset_reports: Path | None = None
    """A folder that is served over HTTP, at `ragset_reports_url`: runs link the reports below it by that address."""
    ragset_reports_url: str | None = None


def _plain(schema: dict[str, Any]) -> None:
    """Take Markdown's marks out of the descriptions: a form prints them as they are."""
    for part in (schema, *schema.get("properties", {}).values()):
        if "description" in part:
            part["description"] = part["description"].replace("`", "").replace("\n", " ")


def either(*names: str) -> Callable[[dict[str, Any]], None]:
    """What a form calls the alternatives of a field, which it would call `int` and `None`."""

    def name(schema: dict[str, Any]) -> None:
        for alternative, title in zip(schema["anyOf"], names, strict=True):
            alternative["title"] = title

    return name


def _weights(*kinds: str) -> dict[str, Any]:
    """A number for each kind, where a form would show JSON."""
    weight = {"type": "number", "minimum": 0}
    titles = {kind: "As drafted" if kind == "none" else kind.replace("_", " ").capitalize() for kind in kinds}
    fields = {kind: {"title": title, **weight} for kind, title in titles.items()}
    return {"properties": fields, "additionalProperties": False}


class Settings(BaseModel):
    """A closed group of parameters: an unknown name is an error that says so."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True, json_schema_extra=_plain)


class DocumentSettings(Settings):
    """Which texts, and how they are cleaned."""

    model_config = ConfigDict(title="Documents")

    sources: tuple[str, ...] = Field(title="Sources", min_length=1)
    """Files, folders or http(s) addresses. Folders are read to the bottom; links out of them are not followed."""
    corpus: str = Field(default="", title="Corpus name", pattern=r"^[A-Za-z0-9_-]{0,40}$")
    """Under which the index is kept from run to run; empty: made from the names of the documents given."""
    drop_references: bool = Field(default=False, title="Drop references")
    """Cut a trailing References, Bibliography or External links section off each document."""
    allow_private_hosts: bool = Field(default=False, title="Allow private hosts")
    """Fetch pages from private and loopback addresses as well. Leave it off for addresses you did not write yourself."""
    timeout: float = Field(default=20.0, gt=0, le=600, title="Time-out of a page, in seconds")
    """After which a web page is given up and reported."""
    max_bytes: int = Field(default=50_000_000, gt=0, title="Largest file or page, in bytes")
    """Anything larger is reported and left out."""


class ChunkingSettings(Settings):
    """How documents are cut into retrievable chunks."""

    strategy: Literal["recursive", "sentence", "semantic", "markdown", "token", "words"] = Field(
        default="recursive", title="Strategy"
    )
    """`recursive`: at paragraphs, lines, sentences, then words. `sentence`: whole sentences up to the size.
    `semantic`: where the meaning of neighbouring sentences parts. `markdown`: by heading, then by size.
    `token` and `words`: windows of equal length."""
    size: int = Field(default=256, ge=8, le=16_384, title="Size")
    """Largest chunk, in units. For `semantic` the size above which a chunk is cut again."""
    overlap: int = Field(default=0, ge=0, title="Overlap")
    """Units that neighbouring chunks share; less than the size."""
    unit: Literal["tokens", "characters", "words"] = Field(default="tokens", title="Unit")
    """Of size and overlap. Tokens are those of OpenAI's cl100k_base; `words` counts in words in any case."""
    breakpoint_percentile: int = Field(default=95, ge=1, le=99, title="Breakpoint percentile")
    """`semantic` only: a distance between neighbouring sentences above this percentile starts a chunk."""
    buffer_size: int = Field(default=1, ge=1, le=10, title="Buffer size")
    """`semantic` only: how many sentences on either side are compared together."""
    language: str = Field(default="en", pattern=r"^[a-z]{2}$", title="Language")
    """Two letters; whose abbreviations the sentence splitter knows."""

    @model_validator(mode="after")
    def _overlap_below_size(self) -> Self:
        if self.overlap >= self.size:
            raise ValueError(f"overlap ({self.overlap}) must be smaller than size ({self.size})")
        return self

    @property
    def measured_in(self) -> Literal["tokens", "characters", "words"]:
        """The unit that counts: two of the strategies have one of their own."""
        return {"words": "words", "token": "tokens"}.get(self.strategy, self.unit)  # pyright: ignore[reportReturnType]

    @property
    def name(self) -> str:
        """Short and readable, the same for the same parameters: `recursive-256-0-tokens`."""
        name = f"{self.strategy}-{self.size}-{self.overlap}-{self.measured_in}"
        if self.strategy == "semantic":
            name += f"-p{self.breakpoint_percentile}-b{self.buffer_size}"
        if self.strategy in {"sentence", "semantic"} and self.language != "en":
            name += f"-{self.language}"
        return name


class EmbeddingSettings(Settings):
    """Which model turns chunks into vectors."""

    model: str = Field(default=OFFLINE, min_length=1, title="Embedding model")
    """`offline` (hashed n-grams: lexical, no download), `local:NAME-OR-FOLDER` (sentence-transformers), or the
    name of a model at the OpenAI-compatible endpoint."""
    dimensions: int | None = Field(
        default=None, ge=2, le=32_768, title="Dimensions", json_schema_extra=either("A number", "The model's own")
    )
    """Asked of models that can shorten their vectors; empty: the model's own (512 for `offline`)."""
    batch_size: int = Field(default=128, ge=1, le=2048, title="Texts per request")
    """Sent together."""
    timeout: float = Field(default=60.0, gt=0, le=3600, title="Time-out in seconds")
    """Of one request."""


class ModelSettings(Settings):
    """A model that writes or judges."""

    model_config = ConfigDict(title="Model")

    model: str = Field(default=OFFLINE, min_length=1, title="Model")
    """`offline` (plain rules: free, and no language model), or a name at the OpenAI-compatible endpoint."""
    temperature: float | None = Field(
        default=None, ge=0, le=2, title="Temperature", json_schema_extra=either("A number", "The provider's")
    )
    """0 always says the likeliest; empty: the provider's default."""
    max_tokens: int = Field(default=1024, ge=16, le=65_536, title="Longest reply, in tokens")
    """A reply that is cut off there counts as malformed."""
    timeout: float = Field(default=60.0, gt=0, le=3600, title="Time-out of a call, in seconds")
    """After which a call is tried again."""
    max_retries: int = Field(default=5, ge=0, le=20, title="Retries")
    """Of one call, on time-outs, 429 and 5xx, before the run stops and can be taken up later."""
    max_concurrency: int = Field(default=16, ge=1, le=1024, title="Calls at once")
    """Where the limiter starts; it backs off when the provider answers 429, and climbs again."""


class SamplingSettings(Settings):
    """Which chunks queries are drawn from."""

    method: Literal["diverse", "random"] = Field(default="diverse", title="Method")
    """`diverse` spreads over documents and over the embedding space; `random` is uniform over chunks."""
    min_chars: int = Field(default=200, ge=0, title="Shortest chunk, in characters")
    """Shorter chunks are not drawn from; they stay in the index."""


class ContextSettings(Settings):
    """How single chunks grow into contexts of similar chunks."""

    min_chunks: int = Field(default=2, ge=2, le=8, title="Fewest chunks")
    """Of a context, and that the answer to a query must need."""
    max_chunks: int = Field(default=3, ge=2, le=8, title="Most chunks")
    """Of a context."""
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
    """That one chunk may be in."""
    seeds: int = Field(default=5, ge=1, le=1000, title="Seeds for a golden")
    """Chunks that are tried to grow for each golden still wanted: many will not."""

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if self.min_chunks > self.max_chunks:
            raise ValueError(f"min_chunks ({self.min_chunks}) must not be above max_chunks ({self.max_chunks})")
        return self


class Persona(Settings):
    """Somebody who asks, as they write."""

    model_config = ConfigDict(title="Persona")

    name: str = Field(min_length=1, max_length=60, pattern=r"\S", title="Name")
    """Such as night nurse; it stands in the dataset, and never in a query."""
    voice: str = Field(min_length=1, max_length=300, pattern=r"\S", title="Voice")
    """How they write: types on a phone in a hurry, no punctuation."""
    weight: float = Field(default=1.0, gt=0, le=1_000, title="Weight")
    """Of weights 1 and 3, the latter is drawn three times as often."""


class _Writing(Settings):
    """How queries of any kind are evolved and judged."""

    evolutions: dict[str, float] = Field(
        default={},
        title="Evolutions",
        json_schema_extra=_weights("generalise", "reasoning", "conditional", "compress", "none"),
    )
    """Weights of the ways in which a query is rewritten: of weights 1 and 3, the latter is drawn three times as often.
    None at all: queries stay as drafted."""
    depth: int = Field(default=1, ge=1, le=4, title="Evolutions of one query")
    """Of different kinds, one after the other, at most."""
    compress: bool = Field(default=False, title="Compress at the end")
    """Make every query shorter and more indirect, whatever evolutions came before."""
    audience: str = Field(
        default="people who work with these documents", min_length=1, max_length=300, title="Audience"
    )
    """Whom the queries should be relevant to."""
    personas: tuple[Persona, ...] = Field(default=(), title="Personas")
    """Who asks: one is drawn for each chunk, and only their way of writing is imitated. None: nobody in particular."""
    samples: str = Field(default="", title="Samples of real queries")
    """A file of queries that users typed, a line each (or csv or jsonl with a column query): their style is imitated,
    never their content."""
    threshold: int = Field(default=4, ge=1, le=5, title="Threshold")
    """Least score, of 1 to 5, in groundedness, relevance and clarity."""
    separate: bool = Field(default=False, title="Separate critiques")
    """Ask for each of the three scores in a call of its own, instead of one for all."""
    language: str = Field(default="en", pattern=r"^[a-z]{2}$", title="Language")
    """Two letters: of the documents, and so of the queries. A prompt without a file in it is used in English."""

    @model_validator(mode="after")
    def _evolutions_weighed(self) -> Self:
        _check_weights("evolutions", self.evolutions)
        return self

    @model_validator(mode="after")
    def _personas_distinct(self) -> Self:
        names = [persona.name for persona in self.personas]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise ValueError(f"personas: {', '.join(twice)} is there twice")
        return self


class WritingSettings(_Writing):
    """How queries are drafted, evolved and judged."""

    styles: dict[str, float] = Field(
        default={"open": 1.0},
        title="Query styles",
        json_schema_extra=_weights("open", "factoid", "keyphrase", "exam"),
    )
    """Weights of open questions, of questions for one fact, of key phrases as typed into a search box, and of questions
    of an exam; an empty one is 0."""
    unanswerable: float = Field(default=0.0, ge=0, le=1, title="Share of unanswerable queries")
    """Of the chunks, from which a query is drafted that they nearly answer. It is kept, without answer and evidence, if a
    search of the whole corpus finds the critic nothing that answers it."""

    @model_validator(mode="after")
    def _styles_weighed(self) -> Self:
        _check_weights("styles", self.styles, needed=True)
        return self


class ContextWritingSettings(_Writing):
    """How queries over several chunks are drafted, split, evolved, tested and judged."""

    evolutions: dict[str, float] = Field(
        default={},
        title="Evolutions",
        json_schema_extra=_weights("generalise", "reasoning", "conditional", "compress", "multi_context", "none"),
    )
    """Weights of the ways in which a query is rewritten; `multi_context` takes a second chunk into a query about one.
    None at all: queries stay as drafted."""
    shapes: dict[str, float] = Field(
        default={"comparison": 1.0, "bridge": 1.0, "aggregation": 1.0, "open": 1.0},
        title="Query shapes",
        json_schema_extra=_weights("comparison", "bridge", "aggregation", "open"),
    )
    """Weights of `comparison`, `bridge` (the answer of one chunk leads to the other), `aggregation` and `open`; an empty
    one is 0."""
    single: Literal["drop", "keep"] = Field(default="drop", title="Single-chunk queries")
    """What becomes of queries that turn out to need one chunk: `keep` marks them so, and counts them among the goldens."""
    necessity: bool = Field(default=True, title="Test of necessity")
    """Leave out one chunk at a time, and see whether the critic can still answer: a call or more for each chunk."""

    @model_validator(mode="after")
    def _shapes_weighed(self) -> Self:
        _check_weights("shapes", self.shapes, needed=True)
        return self


def _check_weights(field: str, weights: dict[str, float], *, needed: bool = False) -> None:
    if not all(0 <= weight < math.inf for weight in weights.values()) or (weights and sum(weights.values()) <= 0):
        raise ValueError(f"{field}: weights are 0 or more, and at least one is above 0")
    if needed and not weights:
        raise ValueError(f"{field}: name at least one")


class Budget(Settings):
    """Where a run ends well with what it has. Counts every reply the dataset rests on, also of interrupted runs."""

    max_calls: int | None = Field(default=None, ge=0, title="Calls", json_schema_extra=either("A limit", "Unlimited"))
    """Of models, at most."""
    max_tokens: int | None = Field(default=None, ge=0, title="Tokens", json_schema_extra=either("A limit", "Unlimited"))
    """Prompt and reply tokens; calls under way when it is reached are still paid."""
    max_cost: float | None = Field(
        default=None, ge=0, title="Cost in US dollars", json_schema_extra=either("A limit", "Unlimited")
    )
    """Needs the prices of the models; calls under way when it is reached are still paid."""


class ApprovalSettings(Settings):
    """Above which estimate a run pauses, and asks a person whether to go on; without limits it never asks."""

    above_cost: float | None = Field(
        default=None, ge=0, title="Above a cost in US dollars", json_schema_extra=either("An amount", "Never")
    )
    """Ask before more than this is spent; a model whose price is unknown counts as above. Empty: cost does not matter."""
    above_calls: int | None = Field(
        default=None, ge=0, title="Above a number of calls", json_schema_extra=either("A number", "Never")
    )
    """Ask before more calls of models than this are made. Empty: their number does not matter."""
    wait_hours: float = Field(default=24.0, gt=0, le=720, title="Hours to wait")
    """For an answer; a run that nobody answers ends, and has spent nothing."""

    @property
    def on(self) -> bool:
        """Whether there is anything to ask about."""
        return self.above_cost is not None or self.above_calls is not None
