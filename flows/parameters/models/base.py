"""What the parameters of several flows share."""

from typing import Annotated, Any, ClassVar, Literal

from pydantic import AfterValidator, Field

# These fill the registries that the schema lists.
import ragset.chunking  # pyright: ignore[reportUnusedImport]
import ragset.dataset.exporters  # noqa: F401  # pyright: ignore[reportUnusedImport]
from flows.parameters.models.portable import portable
from ragset.evaluation.external import ExternalSystem
from ragset.generation.checks import SplitSettings
from ragset.settings import (
    ApprovalSettings,
    Budget,
    ChunkingSettings,
    DocumentSettings,
    EmbeddingSettings,
    ExportSettings,
    ModelSettings,
    ReviewSettings,
    RunnerSettings,
    Settings,
)
from ragset.settings.addresses import Place

Folder = Annotated[
    Place,
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


Runner = Annotated[
    RunnerSettings,
    Field(
        title="Runner",
        description="Where the batches of the run are worked on: in its own process, or on the workers of a cluster.",
    ),
]


class Parameters(Settings):
    """The parameters of a flow."""

    form_begins: ClassVar[tuple[str, ...]] = ()
    """The fields that come first in Prefect's form and in the docs; the others follow in the order of the model, the runner last."""

    @classmethod
    def in_order(cls) -> list[str]:
        """The names of the fields, as people read them."""
        others = sorted(cls.model_fields, key="runner".__eq__)
        return list(dict.fromkeys(name for name in (*cls.form_begins, *others) if name in cls.model_fields))


class IndexParameters(Parameters):
    """Documents, and how to chunk and embed them."""

    documents: DocumentSettings = Field(title="Documents")
    """The texts, and how to clean them."""
    chunking: ChunkingSettings = Field(default=ChunkingSettings(), title="Chunking")
    """How to cut documents into retrievable chunks."""
    embedding: EmbeddingSettings = Field(default=EmbeddingSettings(), title="Embedding")
    """The model that turns chunks into vectors."""
    runner: Runner = RunnerSettings()


Systems = Annotated[
    tuple[ExternalSystem, ...],
    Field(
        title="Other systems",
        description="Systems of your own: an address, a Python function, a file of runs, or a retriever of LlamaIndex, LangChain or "
        "Haystack.",
    ),
]


class WritingParameters(IndexParameters):
    """Which models write and judge what is made of the documents, and within which limits."""

    generator: ModelSettings = Field(default=ModelSettings(), title="Generator")
    """The model that writes queries and answers."""
    critic: ModelSettings | Annotated[None, Field(title="The generator")] = Field(default=None, title="Critic")
    """The model that filters and judges; empty: the generator."""
    split: SplitSettings = Field(default=SplitSettings(), title="Split")
    """How to divide goldens into sets for training, validation and testing."""
    budget: Budget = Field(default=Budget(), title="Budget")
    """The run stops at these limits and keeps its goldens."""
    approval: ApprovalSettings = Field(default=ApprovalSettings(), title="Approval")
    """The run pauses above these limits until a person approves its estimate; empty: it never pauses."""
    seed: int = Field(default=0, ge=0, title="Seed")
    """Seed of everything that is drawn at random; 0 or more."""
    review: ReviewSettings | Annotated[None, Field(title="No review")] = Field(default=None, title="Review")
    """The run pauses with the finished dataset until people have judged a sample, and exports what they made of it if enough is
    good; empty: it never pauses for that."""
    export: Exports = ()

    @property
    def portable(self) -> dict[str, Any]:
        """The parameters as a manifest has them, without paths of this machine."""
        return portable(self, "out", "approval", "review", "export", "runner")
