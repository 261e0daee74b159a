"""Parameters of the flows as one model each: what a YAML file holds, and what a run is known by."""

from pathlib import PurePath
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from pydantic import Field

from ragset.settings import (
    Budget,
    ChunkingSettings,
    ContextSettings,
    ContextWritingSettings,
    DocumentSettings,
    EmbeddingSettings,
    ModelSettings,
    SamplingSettings,
    Settings,
    WritingSettings,
)

Count = Annotated[
    Annotated[int, Field(ge=1)] | Literal["all"],
    Field(title="Goldens", description="How many to make; `all` makes one of every chunk that passes."),
]
Seed = Annotated[int, Field(ge=0, title="Seed", description="Of sampling and of mixing styles and evolutions.")]
Folder = Annotated[
    str,
    Field(
        min_length=1,
        title="Output folder",
        description="Of the dataset. One that is there already is replaced when the new one is complete.",
    ),
]


class IndexParameters(Settings):
    """Which documents, cut and embedded how."""

    documents: DocumentSettings
    chunking: ChunkingSettings = ChunkingSettings()
    embedding: EmbeddingSettings = EmbeddingSettings()


class MakingParameters(IndexParameters):
    """How many goldens to make of them, by which models."""

    n: Count = 100
    sampling: SamplingSettings = SamplingSettings()
    generator: ModelSettings = ModelSettings()
    critic: ModelSettings | None = None
    """Empty: the generator's."""
    budget: Budget = Budget()
    seed: Seed = 0
    out: Folder

    @property
    def wanted(self) -> int | None:
        """None: of every candidate that passes."""
        return None if self.n == "all" else self.n

    @property
    def identity(self) -> dict[str, Any]:
        """What the goldens depend on: all but where they go, what may be spent on them, and how models are asked."""
        how = {"max_concurrency", "timeout", "max_retries"}
        return self.model_dump(mode="json", exclude={"out": True, "budget": True, "generator": how, "critic": how})

    @property
    def portable(self) -> dict[str, Any]:
        """What a manifest says of them: nothing of this machine, where sources are known by their last names."""
        values = self.model_dump(mode="json", exclude={"out"})
        values["documents"]["sources"] = [_portable(source) for source in self.documents.sources]
        return values


class SingleChunkParameters(MakingParameters):
    """Goldens that one chunk answers."""

    writing: WritingSettings = WritingSettings()
    out: Folder = "out/single-chunk"


class MultiChunkParameters(MakingParameters):
    """Goldens that need several chunks."""

    contexts: ContextSettings = ContextSettings()
    writing: ContextWritingSettings = ContextWritingSettings()
    out: Folder = "out/multi-chunk"


def _portable(source: str) -> str:
    """The last name of a path; an address without who asks."""
    if "://" not in source:
        return PurePath(source).name or "."
    parts = urlsplit(source)
    return parts._replace(netloc=parts.netloc.rpartition("@")[2], query="").geturl()
