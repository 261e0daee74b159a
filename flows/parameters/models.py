"""The parameters of each flow: titles, limits, defaults and descriptions.

Prefect's form, YAML files, the options of commands, `--help` and docs/parameters.md are generated from these models.
"""

from pathlib import PurePath
from typing import Annotated, Any, ClassVar, Literal, Self
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field, model_validator

# These fill the registries that the schema lists.
import ragset.chunking  # pyright: ignore[reportUnusedImport]
import ragset.dataset.exporters  # noqa: F401  # pyright: ignore[reportUnusedImport]
from ragset.evaluation.grid import Configuration, ExternalSystem, Grid, ranking_model
from ragset.generation.checks import PRESETS, CheckSettings, HardnessMix, Preset, SplitSettings
from ragset.settings import (
    ApprovalSettings,
    Budget,
    ChunkingSettings,
    ContextSettings,
    ContextWritingSettings,
    DocumentSettings,
    EmbeddingSettings,
    ExistingChunks,
    ExportSettings,
    ModelSettings,
    Names,
    PassageSamplingSettings,
    SamplingSettings,
    Settings,
    WritingSettings,
)

Folder = Annotated[
    str,
    Names.PATH,
    Field(
        min_length=1,
        title="Output folder",
        description="Folder of the dataset. The run replaces an existing dataset when the new one is complete.",
    ),
]


def _in_places_of_their_own(exports: tuple[ExportSettings, ...]) -> tuple[ExportSettings, ...]:
    places = [(one.out or one.to) for one in exports]
    if twice := sorted({place for place in places if places.count(place) > 1}):
        raise ValueError(f"two exports go to {', '.join(twice)}; give each an out of its own")
    return exports


Exports = Annotated[
    tuple[ExportSettings, ...],
    AfterValidator(_in_places_of_their_own),
    Field(
        title="Exports",
        description="Formats of other tools to write the finished dataset in; empty: none.",
    ),
]
Count = Annotated[int, Field(ge=1, title="A number")]
All = Annotated[Literal["all"], Field(title="All", json_schema_extra={"enum": ["all"]})]
AsMade = Annotated[None, Field(title="As the dataset says")]


class Parameters(Settings):
    """The parameters of a flow."""

    form_begins: ClassVar[tuple[str, ...]] = ()
    """The fields that come first in Prefect's form; the others follow in the order of the model."""


class IndexParameters(Parameters):
    """Documents, and how to chunk and embed them."""

    documents: DocumentSettings = Field(title="Documents")
    """The texts, and how to clean them."""
    chunking: ChunkingSettings = Field(default=ChunkingSettings(), title="Chunking")
    """How to cut documents into retrievable chunks."""
    embedding: EmbeddingSettings = Field(default=EmbeddingSettings(), title="Embedding")
    """The model that turns chunks into vectors."""


class MakingParameters(IndexParameters):
    """How many goldens to make from the documents, and with which models."""

    form_begins = ("documents", "n", "chunking", "embedding", "sampling", "contexts", "writing")

    n: Count | All = Field(default=100, title="Goldens")
    """Number of goldens to make; `all` makes one from every passage, chunk or context that passes."""
    generator: ModelSettings = Field(default=ModelSettings(), title="Generator")
    """The model that writes queries and answers."""
    critic: ModelSettings | Annotated[None, Field(title="The generator")] = Field(default=None, title="Critic")
    """The model that filters and judges; empty: the generator."""
    preset: Preset = Field(default="standard", title="Preset")
    """Set of checks: `quick` is cheap, `standard` is sound, `thorough` makes all checks."""
    checks: CheckSettings | Annotated[None, Field(title="As the preset says")] = Field(
        default=None, title="Checks of queries and goldens"
    )
    """Single checks that override the preset; empty: the preset."""
    hardness: HardnessMix = Field(default=HardnessMix(), title="Mix of hardness")
    """Weights of easy, medium and hard goldens; without weights, levels are not balanced."""
    split: SplitSettings = Field(default=SplitSettings(), title="Split")
    """How to divide goldens into sets for training, validation and testing."""
    budget: Budget = Field(default=Budget(), title="Budget")
    """The run stops at these limits and keeps its goldens."""
    approval: ApprovalSettings = Field(default=ApprovalSettings(), title="Approval")
    """The run pauses above these limits until a person approves its estimate; empty: it never pauses."""
    seed: int = Field(default=0, ge=0, title="Seed")
    """Seed of the sample and of the choice of styles and evolutions; 0 or more."""
    export: Exports = ()
    out: Folder

    @property
    def checking(self) -> CheckSettings:
        """The checks of the preset, overridden by those that are set one by one."""
        given = self.checks.model_dump(exclude_unset=True) if self.checks else {}
        return CheckSettings.model_validate({**PRESETS[self.preset].model_dump(), **given})

    @property
    def models(self) -> tuple[ModelSettings, ModelSettings, ModelSettings]:
        """Generator, critic and reader."""
        return self.generator, self.critic or self.generator, self.checking.reader(self.generator)

    @property
    def wanted(self) -> int | None:
        """How many goldens to make; None: of every candidate that passes."""
        return None if self.n == "all" else self.n

    @property
    def identity(self) -> dict[str, Any]:
        """What the goldens depend on: all but the folder, the limits, and how fast models are asked."""
        how = {"max_concurrency", "timeout", "max_retries"}
        apart = {"out": True, "budget": True, "approval": True, "export": True}
        # Of samples the queries count, which are a part of the recipe, and not where they are.
        content = {**apart, "preset": True, "generator": how, "critic": how, "writing": {"samples": True}}
        return {**self.model_dump(mode="json", exclude=content), "checks": self.checking.model_dump(mode="json")}

    @property
    def portable(self) -> dict[str, Any]:
        """The parameters as a manifest has them, without paths of this machine."""
        values = self.model_dump(mode="json", exclude={"out", "approval", "export"})
        values["documents"]["sources"] = [_portable(source) for source in self.documents.sources]
        _make_chunks_portable(values)
        values["writing"]["samples"] = PurePath(values["writing"]["samples"]).name
        values["checks"] = self.checking.model_dump(mode="json")
        values["checks"]["earlier"] = [_portable(folder) for folder in self.checking.earlier]
        return values


class SingleChunkParameters(MakingParameters):
    """Goldens that one passage answers."""

    sampling: PassageSamplingSettings = Field(default=PassageSamplingSettings(), title="Sampling")
    """How to choose the passages or chunks from which queries are drafted."""
    writing: WritingSettings = Field(default=WritingSettings(), title="Queries and answers")
    """How to draft, evolve and judge queries."""
    out: Folder = "out/single-chunk"


class MultiChunkParameters(MakingParameters):
    """Goldens that need several chunks."""

    sampling: SamplingSettings = Field(default=SamplingSettings(), title="Sampling")
    """How to choose the chunks from which contexts are expanded."""
    contexts: ContextSettings = Field(default=ContextSettings(), title="Contexts")
    """Which chunks a query may join."""
    writing: ContextWritingSettings = Field(default=ContextWritingSettings(), title="Queries and answers")
    """How to draft, split, evolve, test and judge queries."""
    out: Folder = "out/multi-chunk"


class LabelParameters(IndexParameters):
    """Queries that people asked, and the documents that may answer them."""

    form_begins = ("documents", "queries", "field", "n", "pool")

    queries: Annotated[str, Names.PATH] = Field(min_length=1, title="Queries")
    """File of queries: one a line, or records in .csv, .tsv, .jsonl or .json, also as exported by Langfuse or Phoenix."""
    field: str = Field(default="", title="Field of the query")
    """Name of the column or field that holds the query, such as `input.question`; empty: the first of the usual names."""
    n: Count | All = Field(default="all", title="Queries to label")
    """Number of queries to label, drawn at random, frequent ones more easily; `all` labels every one."""
    pool: int = Field(default=10, ge=1, le=50, title="Pool depth")
    """Number of passages from BM25, from dense search, and from each other system, that the critic grades."""
    systems: tuple[ExternalSystem, ...] = Field(default=(), title="Other systems")
    """Your own systems, whose passages are graded too: an address, a Python function, or a file of runs."""
    generator: ModelSettings = Field(default=ModelSettings(), title="Generator")
    """The model that writes the answers."""
    critic: ModelSettings | Annotated[None, Field(title="The generator")] = Field(default=None, title="Critic")
    """The model that grades passages; empty: the generator."""
    language: str = Field(default="", pattern=r"^([a-z]{2})?$", title="Language")
    """Language of queries and answers, two letters; empty: that of the documents."""
    budget: Budget = Field(default=Budget(), title="Budget")
    """The run stops at these limits and keeps its goldens."""
    approval: ApprovalSettings = Field(default=ApprovalSettings(), title="Approval")
    """The run pauses above these limits until a person approves its number of calls; empty: it never pauses."""
    seed: int = Field(default=0, ge=0, title="Seed")
    """Seed of the drawing of queries; 0 or more."""
    export: Exports = ()
    out: Folder = "out/labelled"

    @property
    def models(self) -> tuple[ModelSettings, ModelSettings]:
        """Generator and critic."""
        return self.generator, self.critic or self.generator

    @property
    def portable(self) -> dict[str, Any]:
        """The parameters as a manifest has them, without paths of this machine."""
        values = self.model_dump(mode="json", exclude={"out", "approval", "export"})
        values["documents"]["sources"] = [_portable(source) for source in self.documents.sources]
        values["queries"] = _portable(self.queries)
        _make_chunks_portable(values)
        _make_portable(values["systems"])
        return values


class RefreshParameters(Parameters):
    """The dataset to update, and its documents. Other parameters default to those of the dataset."""

    documents: DocumentSettings = Field(title="Documents")
    """The current documents. The refresh cleans them as the dataset did."""
    dataset: Annotated[str, Names.PATH] = Field(default="out/single-chunk", min_length=1, title="Dataset")
    """Folder of the dataset. The refresh continues from its newest version."""
    chunks: ExistingChunks | Annotated[None, Field(title="None")] = Field(default=None, title="Existing chunks")
    """The current chunks, if the dataset was made of existing chunks."""
    generator: ModelSettings | AsMade = Field(default=None, title="Generator")
    """The model that writes queries and answers; empty: the one of the dataset."""
    critic: ModelSettings | AsMade = Field(default=None, title="Critic")
    """The model that filters and judges; empty: the one of the dataset."""
    budget: Budget | AsMade = Field(default=None, title="Budget")
    """The run stops at these limits and keeps its goldens; empty: the limits of the dataset."""
    approval: ApprovalSettings = Field(default=ApprovalSettings(), title="Approval")
    """The run pauses above these limits until a person approves its estimate; empty: it never pauses."""
    export: Exports = ()
    out: Annotated[str, Names.PATH] = Field(default="", title="Output folder")
    """Folder of the new version; empty: NAME-v2, NAME-v3, … next to the dataset."""


class BenchmarkParameters(Parameters):
    """Systems to compare, and the goldens to compare them on."""

    datasets: Annotated[tuple[str, ...], Names.PATH] = Field(min_length=1, title="Datasets")
    """Folders of ragset datasets, BEIR or AutoRAG folders, SQuAD JSON files, Chroma's questions.csv, test sets of Ragas,
    TREC qrels with topics, or tables."""
    documents: DocumentSettings | Annotated[None, Field(title="The contexts themselves")] = Field(
        default=None, title="Documents of tables"
    )
    """Documents that contain the contexts of tables; empty: each context is a document."""
    splits: tuple[str, ...] = Field(default=(), title="Splits")
    """Splits to measure on, such as `test`; empty: all goldens."""
    grid: Grid | Annotated[None, Field(title="Other systems alone")] = Field(default=Grid(), title="Grid")
    """The configurations to compare: every combination of the entries of its lists. Empty: other systems alone."""
    systems: tuple[ExternalSystem, ...] = Field(default=(), title="Other systems")
    """Other systems to compare: an address, a Python function, or a file of runs."""
    critic: ModelSettings = Field(default=ModelSettings(), title="Critic")
    """The model that judges answers; with `offline`, answers are only compared with the reference by words."""
    language: str = Field(default="en", pattern=r"^[a-z]{2}$", title="Language")
    """Language of the prompts for readers and the critic, two letters."""
    cutoffs: tuple[Annotated[int, Field(ge=1, le=1000)], ...] = Field(default=(1, 3, 5, 10), title="Cut-offs")
    """Numbers of chunks (k) at which rankings are scored, as in recall@5."""
    token_budgets: tuple[Annotated[int, Field(ge=1)], ...] = Field(
        default=(256, 512, 1024, 2048), title="Token budgets"
    )
    """Numbers of retrieved tokens at which recall is measured, for chunks of any size."""
    primary: str = Field(default="", title="Primary metric")
    """The metric that ranks configurations, such as `recall@5`. Empty: `correctness` or `token_f1` for answers; for retrieval,
    recall at 512 tokens, or `ndcg@10` if whole documents are the evidence."""
    baseline: str = Field(default="", title="Baseline")
    """Name of a configuration to compare the others with, in addition to the best."""
    budget: Budget = Field(default=Budget(), title="Budget")
    """The run stops at these limits; replies are kept."""
    approval: ApprovalSettings = Field(default=ApprovalSettings(), title="Approval")
    """The run pauses above these limits until a person approves its number of calls; empty: it never pauses."""
    seed: int = Field(default=0, ge=0, title="Seed")
    """Seed of the confidence intervals; 0 or more."""
    out: Annotated[str, Names.PATH] = Field(default="out/benchmark", min_length=1, title="Output folder")
    """Folder of the results. The run replaces existing results when the new ones are complete."""

    @model_validator(mode="after")
    def _something(self) -> Self:
        if self.grid is None and not self.systems:
            raise ValueError("grid: give a grid, or at least one of systems")
        names = [*(system.name for system in self.systems), *(one.name for one in self.configurations)]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise ValueError(f"systems: {', '.join(twice)} is there twice")
        return self

    @property
    def configurations(self) -> tuple[Configuration, ...]:
        """All that the grid combines."""
        return self.grid.configurations() if self.grid else ()

    @property
    def models(self) -> tuple[ModelSettings, ...]:
        """All that the benchmark asks: readers, rerankers, the critic."""
        readers = self.grid.reader if self.grid else ()
        ranking = map(ranking_model, self.grid.reranker if self.grid else ())
        return (*readers, *(model for model in ranking if model), self.critic)

    @property
    def portable(self) -> dict[str, Any]:
        """The parameters as the results have them, without paths of this machine."""
        values = self.model_dump(mode="json", exclude={"out", "documents", "approval"})
        values["datasets"] = [_portable(dataset) for dataset in self.datasets]
        _make_chunks_portable(values)
        _make_portable(values["systems"])
        return values


class ExportParameters(ExportSettings):
    """The dataset to write for another tool."""

    dataset: Annotated[str, Names.PATH] = Field(min_length=1, title="Dataset")
    """Folder of the dataset."""
    results: Annotated[str, Names.PATH] = Field(default="", title="Results")
    """Folder of a benchmark's results over the dataset, for formats that hold rankings or answers of systems."""


def _make_portable(systems: list[dict[str, Any]]) -> None:
    for system in systems:
        system.update({name: _portable(system[name]) for name in ("http", "runs", "chunks") if system[name]})


def _make_chunks_portable(values: Any) -> None:
    """Leave the last names of existing chunks, wherever a chunking is among the values."""
    for name, value in values.items() if isinstance(values, dict) else ():
        if name == "existing" and value:
            value |= {where: _portable(value[where]) for where in ("file", "milvus") if value[where]}
        for part in value if isinstance(value, list) else (value,):
            _make_chunks_portable(part)


def _portable(source: str) -> str:
    """The last name of a path; an address without its query."""
    if "://" not in source:
        return PurePath(source).name or "."
    return urlsplit(source)._replace(query="").geturl()
