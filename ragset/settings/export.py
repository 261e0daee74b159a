"""Settings of an export to another tool."""

from typing import Annotated

from pydantic import ConfigDict, Field

from ragset.settings.addresses import Place
from ragset.settings.base import Settings
from ragset.settings.documents import ChunkingSettings
from ragset.settings.registry import listed, named


class ExportSettings(Settings):
    """A format of another tool to write the dataset in."""

    model_config = ConfigDict(title="Export")
    stands_for = "to"

    to: Annotated[str, named("export formats")] = Field(
        title="Format", examples=["beir"], json_schema_extra=listed("export formats")
    )
    """The format."""
    out: Place = Field(default="", title="Output")
    """Folder or file to write, or the dataset's name at the server to upload to. An earlier export there is replaced. Empty: the
    name of the dataset, with the format behind it if it is written to disk."""
    chunking: ChunkingSettings | Annotated[None, Field(title="Whole documents")] = Field(default=None, title="Chunking")
    """How to cut documents into the passages of formats that judge passages; empty: whole documents are the passages."""
