"""Settings of chunks that exist already: in a file, or in a collection of Milvus."""

import re
from pathlib import PurePath
from typing import Annotated, Self

from pydantic import ConfigDict, Field, model_validator

from ragset.settings.addresses import Address, Place
from ragset.settings.base import Names, Settings

FILES = (".jsonl", ".ndjson", ".parquet")


class ChunkFields(Settings):
    """Names of fields. An empty one is found by its usual names; a dot goes into a field, as in `metadata.source`."""

    model_config = ConfigDict(title="Fields of chunks")

    id: str = Field(default="", title="Id")
    """Field of the id that results name; empty: the primary key of a collection, or `id`."""
    text: str = Field(default="", title="Text")
    """Field of the text; empty: `text`, `page_content` or `content`."""
    document: str = Field(default="", title="Document")
    """Field of the document: its path, file name or title; empty: `document`, `file_path`, `source` or `file_name`."""
    start: str = Field(default="", title="Start")
    """Field of the first character in the document, from 0; empty: `start`, `start_char_idx` or `start_index`."""
    end: str = Field(default="", title="End")
    """Field of the end in the document; empty: `end` or `end_char_idx`."""
    vector: str = Field(default="", title="Vector")
    """Field of the vectors, to search by them; the embedding must be the model that made them. Empty: texts are embedded."""


class ExistingChunks(Settings):
    """Chunks that exist already; give `file`, or `milvus` and `collection`."""

    model_config = ConfigDict(title="Existing chunks")
    stands_for = "file"

    file: Place = Field(default="", title="File of chunks")
    """JSON Lines or Parquet file with a chunk for each line or row: `id`, `text`, and perhaps `document`, `start`, `end`."""
    milvus: Annotated[Address, Names.STORE] = Field(default="", title="Milvus of chunks")
    """Address of a Milvus server, or a Milvus Lite file ending in .db, that holds a collection of chunks. It is only read."""
    collection: str = Field(default="", title="Collection of chunks")
    """Name of the collection at `milvus`."""
    fields: ChunkFields = Field(default=ChunkFields(), title="Fields")
    """Names of the fields of the chunks."""
    label: str = Field(default="", pattern=r"^[A-Za-z0-9._-]{0,60}$", title="Name in results")
    """Name of these chunks in results; empty: the name of the file or the collection."""

    @model_validator(mode="after")
    def _one_place(self) -> Self:
        if bool(self.file) == bool(self.milvus or self.collection) or bool(self.milvus) != bool(self.collection):
            raise ValueError("give a file of chunks, or milvus and collection")
        if self.file and not self.file.lower().endswith(FILES):
            raise ValueError(f"{self.file} is no file of chunks; there are {', '.join(FILES)}")
        return self

    def are_documents(self, sources: tuple[str, ...]) -> bool:
        """Whether these sources of documents name nothing but the chunks: then each chunk is a document."""
        return sources == (self.file or self.milvus,)

    @property
    def name(self) -> str:
        """In results: the label, or the name of the file or the collection."""
        return self.label or re.sub(r"[^A-Za-z0-9._-]+", "-", self.collection or PurePath(self.file).name).strip("-")
