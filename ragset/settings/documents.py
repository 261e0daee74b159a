"""Settings of documents, chunking, embedding and retrieval."""

from typing import Annotated, Literal, Self

from pydantic import ConfigDict, Field, model_validator

from ragset.settings.addresses import Address, Place
from ragset.settings.base import AUTO, LOCAL, OFFLINE, Names, Settings, optional
from ragset.settings.chunks import ExistingChunks
from ragset.settings.languages import Language
from ragset.settings.llamaindex import LLAMAINDEX, Arguments, ArgumentsDict, called, check_class_name
from ragset.settings.registry import listed, named


class FileReader(Settings):
    """A reader of LlamaIndex for files of an extension."""

    model_config = ConfigDict(title="Reader")

    extension: str = Field(pattern=r"^\.[a-z0-9]+$", title="Extension")
    """Extension of the files, such as .epub."""
    llamaindex: Annotated[str, Names.FUNCTION] = Field(min_length=1, title="Reader of LlamaIndex")
    """Class such as `EpubReader`, of an installed package llama-index-readers-…, or `module:Class`."""
    arguments: Arguments = Field(default_factory=ArgumentsDict, title="Arguments of the reader")
    """Arguments of the class, by name."""

    @model_validator(mode="after")
    def _named(self) -> Self:
        check_class_name(self.llamaindex)
        return self


class DocumentSettings(Settings):
    """The texts, and how to clean them."""

    model_config = ConfigDict(title="Documents")
    stands_for = "sources"

    sources: Annotated[tuple[Address, ...], Names.SOURCE] = Field(title="Sources", min_length=1, examples=[("docs",)])
    """Files, folders or http(s) addresses. Folders are read with all subfolders; links out of them are not followed.
    Name the file or the Milvus of existing chunks here too if there are no documents: then each chunk is one."""
    corpus: str = Field(default="", title="Corpus name", pattern=r"^[A-Za-z0-9_-]{0,40}$")
    """Name of the index, for all runs on these documents; empty: derived from the names of the sources."""
    drop_references: bool = Field(default=False, title="Drop references")
    """Remove a References, Bibliography or External links section at the end of each document."""
    text_field: str = Field(default="text", min_length=1, title="Text field")
    """Field of JSON objects, and column of tables, that holds the text of a document; `body.content` is a field of a field."""
    readers: tuple[FileReader, ...] = Field(default=(), title="Readers")
    """Readers of LlamaIndex for formats that ragset does not read, or for those that they read better."""
    allow_private_hosts: bool = Field(default=False, title="Allow private hosts")
    """Also fetch pages from private and loopback addresses. Leave this off for addresses that others wrote."""
    timeout: float = Field(default=20.0, gt=0, le=600, title="Time-out of a page, in seconds")
    """Seconds after which ragset skips and reports a web page."""
    read_timeout: float = Field(default=120.0, gt=0, le=86_400, title="Time to read a document, in seconds")
    """Seconds after which ragset skips and reports a file, or the rest of a table, and reads the other files."""
    max_bytes: int = Field(default=50_000_000, gt=0, title="Largest document, in bytes")
    """ragset skips and reports larger files, pages and lines (in a CSV also the rows after it). A table may have any size."""


class ChunkingSettings(Settings):
    """How to cut documents into retrievable chunks."""

    model_config = ConfigDict(title="Chunking")
    stands_for = "strategy"

    strategy: Annotated[str, named("chunking strategies", or_prefix=LLAMAINDEX), Names.CLASS] = Field(
        default="recursive",
        title="Strategy",
        json_schema_extra=listed("chunking strategies", or_prefix=LLAMAINDEX, titles=("Built in", "A node parser")),
    )
    """Where to cut documents. `llamaindex:CLASS` takes the nodes of a parser of LlamaIndex, `llamaindex:MODULE:CLASS` of any other."""
    arguments: Arguments = Field(default_factory=ArgumentsDict, title="Arguments of a node parser")
    """`llamaindex:` only: arguments of the class, such as {chunk_size: 512}. Size, overlap and unit do not apply."""
    size: int = Field(default=256, ge=8, le=16_384, title="Size")
    """Maximum size of a chunk, in units. `semantic` cuts larger chunks again."""
    overlap: int = Field(default=0, ge=0, title="Overlap")
    """Number of units that neighbouring chunks share, less than the size."""
    unit: Literal["tokens", "characters", "words"] = Field(default="tokens", title="Unit")
    """Unit of size and overlap. Tokens are those of OpenAI's cl100k_base; the strategy `words` always counts words."""
    breakpoint_percentile: int = Field(default=95, ge=1, le=99, title="Breakpoint percentile")
    """`semantic` only: a new chunk starts where the distance between neighbouring sentences is above this percentile."""
    buffer_size: int = Field(default=1, ge=1, le=10, title="Buffer size")
    """`semantic` only: number of sentences on either side that are embedded together with a sentence."""
    language: Language = Field(default="", title="Language")
    """Language of the documents for the sentence splitter, by name or code, such as German or de; empty: detected."""
    existing: ExistingChunks | Annotated[None, Field(title="None: cut documents")] = Field(
        default=None, title="Existing chunks"
    )
    """Chunks that exist already, in place of those that a strategy would cut."""

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if self.strategy.startswith(LLAMAINDEX):
            check_class_name(self.strategy.removeprefix(LLAMAINDEX))
            usual = type(self).model_fields
            if (self.size, self.overlap) != (usual["size"].default, usual["overlap"].default):
                raise ValueError(f"{self.strategy}: size and overlap are arguments of the class; write them there")
        elif self.arguments:
            raise ValueError(f"arguments: {self.strategy} takes none; they are for {LLAMAINDEX}CLASS")
        if self.overlap >= self.size:
            raise ValueError(f"overlap ({self.overlap}) must be smaller than size ({self.size})")
        return self

    @property
    def measured_in(self) -> Literal["tokens", "characters", "words"]:
        """The unit that counts: two of the strategies have one of their own."""
        return {"words": "words", "token": "tokens"}.get(self.strategy, self.unit)  # pyright: ignore[reportReturnType]

    @property
    def embeds(self) -> bool:
        """Whether an embedding may decide where documents are cut; which parsers of LlamaIndex ask one, they alone know."""
        return self.strategy == "semantic" or self.strategy.startswith(LLAMAINDEX)

    @property
    def name(self) -> str:
        """Short and readable, the same for the same parameters: `recursive-256-0-tokens`."""
        if self.existing:
            return self.existing.name
        if self.strategy.startswith(LLAMAINDEX):
            return called(self.strategy, self.arguments)
        name = f"{self.strategy}-{self.size}-{self.overlap}-{self.measured_in}"
        if self.strategy == "semantic":
            name += f"-p{self.breakpoint_percentile}-b{self.buffer_size}"
        if self.strategy in {"sentence", "semantic"} and self.language not in {"", "en"}:
            name += f"-{self.language}"
        return name


class EmbeddingSettings(Settings):
    """The model that turns chunks into vectors."""

    stands_for = "model"

    model: Annotated[str, Names.MODEL] = Field(default=AUTO, min_length=1, title="Embedding model")
    """`offline` (hashed n-grams: lexical, no download), `local:NAME-OR-FOLDER` (sentence-transformers), or the
    name of a model at the OpenAI-compatible endpoint. `llamaindex:CLASS` is an embedding of LlamaIndex. `auto`: an embedding model that the endpoint lists, if the run asks
    language models there; else `offline`."""
    arguments: Arguments = Field(default_factory=ArgumentsDict, title="Arguments of an embedding of LlamaIndex")
    """`llamaindex:` only: arguments of the class, such as {model_name: nomic-embed-text}; keys are read from the environment."""
    dimensions: int | None = optional("Dimensions", "A number", "The model's own", ge=2, le=32_768)
    """Length of the vectors, for models that can shorten them; empty: the model's default (512 for `offline`)."""
    adapter: Place = Field(default="", title="Adapter")
    """Folder of a linear adapter of `train-adapter`, which is applied to queries; passages stay as they are indexed."""
    batch_size: int = Field(default=128, ge=1, le=2048, title="Texts per request")
    """Number of texts in one request."""
    timeout: float = Field(default=60.0, gt=0, le=3600, title="Time-out in seconds")
    """Seconds after which a request fails."""

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if self.model.startswith(LLAMAINDEX):
            check_class_name(self.model.removeprefix(LLAMAINDEX))
            if self.dimensions:
                raise ValueError(
                    f"{self.model}: dimensions are an argument of the class, where it has such; write them there"
                )
        elif self.arguments:
            raise ValueError(f"arguments: {self.model} takes none; they are for {LLAMAINDEX}CLASS")
        return self

    @property
    def free(self) -> bool:
        """Whether it runs on this machine, so that nobody is paid."""
        return self.model in {AUTO, OFFLINE} or self.model.startswith(LOCAL)

    @property
    def unadapted(self) -> Self:
        """The same without the adapter: how passages are embedded."""
        return self.model_copy(update={"adapter": ""})


class RetrievalSettings(Settings):
    """How to search chunks."""

    stands_for = "mode"

    mode: Literal["dense", "bm25", "hybrid"] = Field(default="hybrid", title="Mode")
    """Search method; `hybrid` fuses the rankings of the two others."""
    fusion: Literal["rrf", "weights"] = Field(default="rrf", title="Fusion")
    """Fusion method: reciprocal ranks (`rrf`), or a weighted sum of scores that are scaled to 0–1 for each query."""
    dense_weight: float = Field(default=0.5, ge=0, le=1, title="Weight of dense")
    """Weight of the dense scores in a weighted sum; BM25 has the rest."""

    @property
    def name(self) -> str:
        """`dense`, `bm25`, `hybrid`, or `hybrid-w0.7` with the weight of dense."""
        weighted = self.mode == "hybrid" and self.fusion == "weights"
        return f"hybrid-w{self.dense_weight:g}" if weighted else self.mode
