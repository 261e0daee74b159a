"""How queries are drafted, evolved and judged."""

import math
from collections.abc import Callable
from typing import Annotated, Any, Literal, Self

from pydantic import ConfigDict, Field, model_validator

from ragset.settings.base import Names, Settings
from ragset.settings.registry import names_of


def _weights(*kinds: str, also: tuple[str, ...] = ()) -> Callable[[dict[str, Any]], None]:
    """Shows a number for each name in the registries of these `kinds`, where a form would show JSON."""

    def extend(schema: dict[str, Any]) -> None:
        names = [*(name for kind in kinds for name in names_of(kind)), *also]
        titles = {name: "As drafted" if name == "none" else name.replace("_", " ").capitalize() for name in names}
        schema["properties"] = {n: {"title": title, "type": "number", "minimum": 0} for n, title in titles.items()}
        schema["additionalProperties"] = False

    return extend


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
        json_schema_extra=_weights("evolutions", also=("none",)),
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
    samples: Annotated[str, Names.PATH] = Field(default="", title="Samples of real queries")
    """A file of queries that users typed, a line each (or csv or jsonl with a column query): their style is imitated,
    never their content."""
    threshold: int = Field(default=4, ge=1, le=5, title="Threshold")
    """Least score, of 1 to 5, in groundedness, relevance and clarity."""
    separate: bool = Field(default=False, title="Separate critiques")
    """Ask for each of the three scores in a call of its own, instead of one for all."""
    language: str = Field(default="", pattern=r"^([a-z]{2})?$", title="Language")
    """Two letters: of the queries and answers; empty: that of the documents. Quotes stay in the documents' language."""

    @property
    def spoken(self) -> str:
        """The language of queries where rules need to know: English, if nobody has looked at the documents."""
        return self.language or "en"

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
        json_schema_extra=_weights("styles"),
    )
    """Weights of open questions, of questions for one fact, about a key phrase of the chunk, and of questions of an
    exam; an empty one is 0."""
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
        json_schema_extra=_weights("evolutions", "widening evolutions", also=("none",)),
    )
    """Weights of the ways in which a query is rewritten; `multi_context` takes a second chunk into a query about one.
    None at all: queries stay as drafted."""
    shapes: dict[str, float] = Field(
        default={"comparison": 1.0, "bridge": 1.0, "aggregation": 1.0, "open": 1.0},
        title="Query shapes",
        json_schema_extra=_weights("shapes"),
    )
    """Weights of the wishes `comparison`, `bridge` (the answer of one chunk leads to the other), `aggregation` and `open`
    (whichever the chunks lend themselves to); an empty one is 0. A golden says which it is."""
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
