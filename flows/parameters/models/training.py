"""The parameters of flows that train on the goldens of a split dataset."""

from typing import Annotated, Any, ClassVar, Self

from pydantic import Field, model_validator

from flows.parameters.models.base import Parameters, Runner
from flows.parameters.models.portable import portable
from ragset.settings import ChunkingSettings, EmbeddingSettings, RetrievalSettings, RunnerSettings
from ragset.settings.addresses import Place
from ragset.settings.registry import listed, named
from ragset.training.formats import FORMATS
from ragset.training.negatives import NegativeSettings
from ragset.training.sides import SIDES, Side


class TrainingParameters(Parameters):
    """What every training needs."""

    form_begins = ("dataset", "chunking", "embedding", "negatives")
    needs: ClassVar[tuple[Side, ...]] = SIDES
    """The sides that must have goldens."""

    dataset: Place = Field(min_length=1, title="Dataset", examples=["out/single-chunk"])
    """Folder of a dataset whose goldens are split into `train`, `validation` and `test`. Only `train` is trained on."""
    chunking: ChunkingSettings = Field(default=ChunkingSettings(), title="Chunking")
    """How to cut documents into the chunks that are learnt to be found: as your retriever does."""
    embedding: EmbeddingSettings = Field(default=EmbeddingSettings(), title="Embedding")
    """The model that turns chunks and queries into vectors."""
    negatives: NegativeSettings = Field(default=NegativeSettings(), title="Hard negatives")
    """Passages that a search finds for a query and that do not answer it."""
    seed: int = Field(default=0, ge=0, title="Seed")
    """Seed of everything that is drawn at random; 0 or more."""
    out: Place = Field(min_length=1, title="Output folder")
    """Folder of the result. The run replaces an existing result when the new one is complete."""

    runner: Runner = RunnerSettings()

    @property
    def portable(self) -> dict[str, Any]:
        """The parameters as the report has them, without paths of this machine."""
        return portable(self, "out", "runner")


class TrainDataParameters(TrainingParameters):
    """The examples to write for libraries that train retrievers."""

    form_begins = ("dataset", "to", "chunking", "embedding", "negatives")
    needs = ("train",)

    to: tuple[
        Annotated[str, named(FORMATS.kind), Field(title="Format", json_schema_extra=listed(FORMATS.kind))], ...
    ] = Field(default=("sentence-transformers",), min_length=1, title="Formats")
    """Libraries to write files for."""
    batch: int = Field(default=32, ge=1, title="Rows to a batch")
    """Rows stand in batches of this size, in which no passage that answers one query is a wrong answer for another."""
    out: Place = Field(default="out/train-data", min_length=1, title="Output folder")
    """Folder of the training files. The run replaces existing ones when the new ones are complete."""


class TrainRerankerParameters(TrainingParameters):
    """The search whose passages are learnt to be put in a better order."""

    form_begins = ("dataset", "retrieval", "chunking", "embedding", "negatives")

    retrieval: RetrievalSettings = Field(default=RetrievalSettings(mode="hybrid"), title="Retrieval")
    """The search method before reranking."""
    retrieved: int = Field(default=30, ge=1, le=1000, title="Chunks retrieved")
    """Number of chunks to retrieve and rerank for each query."""
    out: Place = Field(default="out/reranker", min_length=1, title="Output folder")
    """Folder of the reranker and its report. The run replaces an earlier result when the new one is complete."""


class TrainAdapterParameters(TrainingParameters):
    """The test set to train an adapter with, and the embedding that it is for."""

    out: Place = Field(default="out/adapter", min_length=1, title="Output folder")
    """Folder of the adapter and its report. The run replaces an earlier result when the new one is complete."""

    @model_validator(mode="after")
    def _on_the_model(self) -> Self:
        if self.embedding.adapter:
            raise ValueError("embedding.adapter: an adapter is trained on the model alone; leave it out")
        return self
