"""Which RAG systems to compare: every combination of what a grid names, and somebody else's."""

from itertools import product
from typing import Annotated, Any, Literal, Self, cast

from pydantic import Field, ValidationInfo, field_validator, model_validator

from ragset.models import Model
from ragset.settings import ChunkingSettings, EmbeddingSettings, ModelSettings, Names, Settings
from ragset.settings.addresses import Address

NO_RERANKER = "none"
CROSS_ENCODER = "cross-encoder:"
LLM_RERANKER = "llm:"


class RetrievalSettings(Settings):
    """How chunks are found in Milvus. A bare name stands for its mode: `dense`, `bm25`, `hybrid`."""

    mode: Literal["dense", "bm25", "hybrid"] = Field(default="hybrid", title="Mode")
    """Of `hybrid` both others are asked, and their rankings fused."""
    fusion: Literal["rrf", "weights"] = Field(default="rrf", title="Fusion")
    """Reciprocal ranks, or a weighted sum of scores that are scaled from 0 to 1 for each query."""
    dense_weight: float = Field(default=0.5, ge=0, le=1, title="Weight of dense")
    """In a weighted sum; BM25 has the rest."""

    @model_validator(mode="before")
    @classmethod
    def _named(cls, value: Any) -> Any:
        return {"mode": value} if isinstance(value, str) else value

    @property
    def name(self) -> str:
        """`dense`, `bm25`, `hybrid`, or `hybrid-w0.7` with the weight of dense."""
        weighted = self.mode == "hybrid" and self.fusion == "weights"
        return f"hybrid-w{self.dense_weight:g}" if weighted else self.mode


class Grid(Settings):
    """Alternatives for each part of a RAG system; all combinations are compared. A bare name stands for a strategy or a model."""

    chunking: tuple[ChunkingSettings, ...] = Field(default=(ChunkingSettings(),), min_length=1, title="Chunking")
    """Strategies with their sizes."""
    embedding: tuple[EmbeddingSettings, ...] = Field(default=(EmbeddingSettings(),), min_length=1, title="Embeddings")
    """Models that turn chunks and queries into vectors."""
    retrieval: tuple[RetrievalSettings, ...] = Field(
        default=(
            RetrievalSettings(mode="dense"),
            RetrievalSettings(mode="bm25"),
            RetrievalSettings(mode="hybrid"),
        ),
        min_length=1,
        title="Retrieval",
    )
    """Ways to find chunks."""
    reranker: Annotated[tuple[str, ...], Names.MODEL] = Field(default=(NO_RERANKER,), min_length=1, title="Rerankers")
    """`none`, `cross-encoder:NAME-OR-FOLDER` (sentence-transformers), or `llm:MODEL`."""
    reader: tuple[ModelSettings, ...] = Field(default=(), title="Readers")
    """Models that answer from what was retrieved; none: retrieval alone is measured."""
    retrieved: int = Field(default=30, ge=1, le=1000, title="Retrieved")
    """Chunks that are retrieved for each query, and reranked."""
    final: int = Field(default=7, ge=1, le=100, title="Read")
    """Of these, chunks that a reader is given."""

    @field_validator("chunking", "embedding", "reader", mode="before")
    @classmethod
    def _named(cls, value: Any, info: ValidationInfo) -> Any:
        if not isinstance(value, list | tuple):
            return value
        name = "strategy" if info.field_name == "chunking" else "model"
        return [{name: one} if isinstance(one, str) else one for one in cast("list[object]", value)]

    @model_validator(mode="after")
    def _whole(self) -> Self:
        for reranker in self.reranker:
            prefix = next((prefix for prefix in (CROSS_ENCODER, LLM_RERANKER) if reranker.startswith(prefix)), None)
            if reranker != NO_RERANKER and (prefix is None or reranker == prefix):
                raise ValueError(f"reranker: {reranker!r} is none of none, {CROSS_ENCODER}NAME, {LLM_RERANKER}MODEL")
        if self.final > self.retrieved:
            raise ValueError(f"final ({self.final}) must not be above retrieved ({self.retrieved})")
        return self

    def configurations(self) -> tuple["Configuration", ...]:
        """Every combination once. BM25 asks no embedding, so it stands in one row for all of them."""
        found: dict[str, Configuration] = {}
        parts = product(self.chunking, self.embedding, self.retrieval, self.reranker, self.reader or (None,))
        for chunking, embedding, retrieval, reranker, reader in parts:
            configuration = Configuration(
                chunking=chunking,
                embedding=self.embedding[0] if retrieval.mode == "bm25" else embedding,
                retrieval=retrieval,
                reranker=reranker,
                reader=reader,
                retrieved=self.retrieved,
                final=self.final,
            )
            found.setdefault(configuration.name, configuration)
        return tuple(found.values())


class Configuration(Model):
    """One RAG system under test."""

    chunking: ChunkingSettings
    embedding: EmbeddingSettings
    retrieval: RetrievalSettings
    reranker: str = NO_RERANKER
    reader: ModelSettings | None = None
    retrieved: int
    final: int

    @property
    def name(self) -> str:
        """Its parts, parted by ` / `: the same whatever else is in the grid."""
        parts = [self.chunking.name]
        if self.retrieval.mode != "bm25":
            dimensions = f"-{self.embedding.dimensions}" if self.embedding.dimensions else ""
            parts.append(f"{self.embedding.model}{dimensions}")
        parts.append(self.retrieval.name)
        if self.reranker != NO_RERANKER:
            parts.append(self.reranker)
        if self.reader is not None:
            parts.append(self.reader.model)
        return " / ".join(parts)


class ExternalSystem(Settings):
    """A system that is asked from outside; exactly one of `http`, `python` and `runs`."""

    name: str = Field(min_length=1, max_length=100, title="Name")
    """Under which it stands in the results."""
    http: Annotated[Address, Names.ADDRESS] = Field(default="", title="Address")
    """POST `{"query": …}`; the reply is `{"answer": …, "passages": […]}`, best first. A passage is a text, or an object with
    `text`, or with `document`, `start` and `end`, or with `id`; `score` may stand beside."""
    python: Annotated[str, Names.FUNCTION] = Field(default="", title="Python function")
    """`module:function`, called with the query; returns what the address would."""
    runs: Annotated[str, Names.PATH] = Field(default="", title="File of runs")
    """TREC format with ids `doc_id:start-end` or of `chunks`, or JSON Lines with `query` or `id`, `answer` and `passages`."""
    chunks: Annotated[str, Names.PATH] = Field(default="", title="File of its chunks")
    """JSON Lines with `id` and `text` (or `document`, `start`, `end`): what the ids of its passages stand for."""
    timeout: float = Field(default=60.0, gt=0, le=3600, title="Time-out in seconds")
    """Of one request."""
    max_failures: float = Field(default=0.1, ge=0, title="Failing queries")
    """Above so many the run stops; below 1 it is a share of the queries. Each counts 0."""

    def failures_allowed(self, queries: int) -> int:
        """Of so many queries."""
        return int(self.max_failures * queries) if self.max_failures < 1 else int(self.max_failures)

    @model_validator(mode="after")
    def _one_way(self) -> Self:
        if sum(map(bool, (self.http, self.python, self.runs))) != 1:
            raise ValueError(f"{self.name}: give exactly one of http, python, runs")
        return self
