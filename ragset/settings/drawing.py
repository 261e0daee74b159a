"""What queries are drawn from: chunks, and contexts of similar chunks."""

from typing import Literal, Self

from pydantic import Field, model_validator

from ragset.settings.base import Settings, either


class SamplingSettings(Settings):
    """Which chunks queries are drawn from."""

    method: Literal["diverse", "random"] = Field(default="diverse", title="Method")
    """`diverse` spreads over documents and over the embedding space; `random` is uniform over chunks."""
    min_chars: int = Field(default=200, ge=0, title="Shortest chunk, in characters")
    """Shorter chunks are not drawn from; they stay in the index."""


class ContextSettings(Settings):
    """How single chunks grow into contexts of similar chunks."""

    min_chunks: int = Field(default=2, ge=2, le=8, title="Fewest chunks")
    """The fewest of a context, and the fewest that the answer to a query must need."""
    max_chunks: int = Field(default=3, ge=2, le=8, title="Most chunks")
    """The most of a context."""
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
