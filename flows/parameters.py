"""Parameters of the flows as one model each: what a YAML file holds, and what a run is known by."""

from pathlib import PurePath
from typing import Annotated, Any, Literal, Self
from urllib.parse import urlsplit

from pydantic import Field, model_validator

from ragset.grid import Configuration, ExternalSystem, Grid
from ragset.settings import (
    OFFLINE,
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


class BenchmarkParameters(Settings):
    """Which systems to compare, on which goldens."""

    datasets: tuple[str, ...] = Field(min_length=1, title="Datasets")
    """Dataset folders of ours; BEIR folders, SQuAD's JSON, Chroma's questions.csv, tables of questions and contexts."""
    documents: DocumentSettings | None = None
    """Where the contexts of tables are looked for; empty: each context is a document."""
    grid: Grid | None = Grid()
    """Empty: somebody else's systems alone."""
    systems: tuple[ExternalSystem, ...] = ()
    """Somebody else's: an address, a Python function, or a file of runs."""
    critic: ModelSettings = ModelSettings()
    """Judges answers; `offline`: they are compared with the reference word by word alone."""
    language: str = Field(default="en", pattern=r"^[a-z]{2}$", title="Language")
    """Two letters: of the prompts for readers and the critic."""
    cutoffs: tuple[Annotated[int, Field(ge=1, le=1000)], ...] = Field(default=(1, 3, 5, 10), title="Cut-offs")
    """Numbers of chunks at which a ranking is scored."""
    token_budgets: tuple[Annotated[int, Field(ge=1)], ...] = Field(
        default=(256, 512, 1024, 2048), title="Token budgets"
    )
    """Numbers of retrieved tokens at which recall is measured, whatever the size of chunks."""
    primary: str = Field(default="", title="Primary metric")
    """That ranks; empty: of answers `correctness` or `token_f1`, of retrieval the recall at 512 tokens."""
    baseline: str = Field(default="", title="Baseline")
    """Name of the configuration that the others are compared with, beside the best."""
    budget: Budget = Budget()
    seed: Seed = 0
    out: Folder = "out/benchmark"

    @model_validator(mode="after")
    def _something(self) -> Self:
        if self.grid is None and not self.systems:
            raise ValueError("grid: give a grid, or at least one of systems")
        names = [system.name for system in self.systems]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise ValueError(f"systems: {', '.join(twice)} is there twice")
        return self

    @property
    def configurations(self) -> tuple[Configuration, ...]:
        """Of the grid."""
        return self.grid.configurations() if self.grid else ()

    @property
    def primary_metric(self) -> str:
        """The one named, or the one that says most of what is measured."""
        if self.primary:
            return self.primary
        if self.grid and self.grid.reader:
            return "token_f1" if self.critic.model == OFFLINE else "correctness"
        if self.token_budgets:
            return f"recall@{min(self.token_budgets, key=lambda budget: abs(budget - 512))}tokens"
        return f"ndcg@{max(self.cutoffs)}" if self.cutoffs else "mrr"

    @property
    def portable(self) -> dict[str, Any]:
        """What the results say of them: nothing of this machine."""
        values = self.model_dump(mode="json", exclude={"out", "documents"})
        values["datasets"] = [_portable(dataset) for dataset in self.datasets]
        for system in values["systems"]:
            system["http"], system["runs"] = _portable(system["http"]), _portable(system["runs"])
        return values


def _portable(source: str) -> str:
    """The last name of a path; an address without who asks."""
    if "://" not in source:
        return PurePath(source).name or "."
    parts = urlsplit(source)
    return parts._replace(netloc=parts.netloc.rpartition("@")[2], query="").geturl()
