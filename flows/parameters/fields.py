"""Parameters of the flows as a person sees them in Prefect's form: titles and limits, each said once."""

from typing import Annotated, Any, Literal

from pydantic import Field

from ragset.evaluation.grid import ExternalSystem, Grid
from ragset.generation.checks import CheckSettings, HardnessMix, Preset, SplitSettings
from ragset.settings import (
    ApprovalSettings,
    Budget,
    ChunkingSettings,
    ContextSettings,
    ContextWritingSettings,
    DocumentSettings,
    EmbeddingSettings,
    ModelSettings,
    Names,
    SamplingSettings,
    WritingSettings,
)


def _titled(title: str, **limits: Any) -> Any:
    """Of a flow's parameter: Prefect's form calls it by its name, unless the schema's extras give it a title."""
    return Field(title=title, json_schema_extra={"title": title}, **limits)


Documents = Annotated[DocumentSettings, _titled("Documents")]
Chunking = Annotated[ChunkingSettings, _titled("Chunking")]
Embedding = Annotated[EmbeddingSettings, _titled("Embedding")]
Sampling = Annotated[SamplingSettings, _titled("Sampling")]
Contexts = Annotated[ContextSettings, _titled("Contexts")]
Writing = Annotated[WritingSettings, _titled("Queries and answers")]
ContextWriting = Annotated[ContextWritingSettings, _titled("Queries and answers")]
PresetOf = Annotated[Preset, _titled("Preset")]
Checks = Annotated[
    CheckSettings | Annotated[None, Field(title="As the preset says")], _titled("Checks of queries and goldens")
]
SplitBy = Annotated[SplitSettings, _titled("Split")]
Mix = Annotated[HardnessMix, _titled("Mix of hardness")]
Generator = Annotated[ModelSettings, _titled("Generator")]
Critic = Annotated[ModelSettings | Annotated[None, Field(title="The generator")], _titled("Critic")]
Limits = Annotated[Budget, _titled("Budget")]
Approval = Annotated[ApprovalSettings, _titled("Approval")]
Count = Annotated[
    Annotated[int, Field(ge=1, title="A number")]
    | Annotated[Literal["all"], Field(title="All", json_schema_extra={"enum": ["all"]})],
    _titled("Goldens", description="How many to make; all makes one of every chunk that passes."),
]
Seed = Annotated[int, _titled("Seed", ge=0, description="Of sampling and of mixing styles and evolutions.")]
Folder = Annotated[
    str,
    Names.PATH,
    _titled(
        "Output folder",
        min_length=1,
        description="Of the dataset. One that is there already is replaced when the new one is complete.",
    ),
]
Datasets = Annotated[tuple[str, ...], Names.PATH, _titled("Datasets", min_length=1)]
Passages = Annotated[
    DocumentSettings | Annotated[None, Field(title="The contexts themselves")], _titled("Documents of tables")
]
Alternatives = Annotated[Grid | Annotated[None, Field(title="Other systems alone")], _titled("Grid")]
Systems = Annotated[tuple[ExternalSystem, ...], _titled("Other systems")]
Judge = Annotated[ModelSettings, _titled("Critic")]
Splits = Annotated[
    tuple[str, ...], _titled("Splits", description="Only goldens of these, such as test; empty: all goldens.")
]
Language = Annotated[str, _titled("Language", pattern=r"^[a-z]{2}$")]
Cutoffs = Annotated[tuple[Annotated[int, Field(ge=1, le=1000)], ...], _titled("Cut-offs")]
TokenBudgets = Annotated[tuple[Annotated[int, Field(ge=1)], ...], _titled("Token budgets")]
Metric = Annotated[str, _titled("Primary metric")]
Baseline = Annotated[str, _titled("Baseline")]
Dataset = Annotated[str, Names.PATH, _titled("Dataset", min_length=1)]
AsMade = Annotated[ModelSettings | Annotated[None, Field(title="As the dataset says")], _titled("Generator")]
JudgedAsMade = Annotated[ModelSettings | Annotated[None, Field(title="As the dataset says")], _titled("Critic")]
LimitsAsMade = Annotated[Budget | Annotated[None, Field(title="As the dataset says")], _titled("Budget")]
NewFolder = Annotated[str, Names.PATH, _titled("Output folder")]
