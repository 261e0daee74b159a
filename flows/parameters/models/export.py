"""The parameters of the command that writes a dataset for another tool."""

from typing import Annotated

from pydantic import Field

from ragset.settings import ExportSettings, Names


class ExportParameters(ExportSettings):
    """The dataset to write for another tool."""

    dataset: Annotated[str, Names.PATH] = Field(min_length=1, title="Dataset")
    """Folder of the dataset."""
    results: Annotated[str, Names.PATH] = Field(default="", title="Results")
    """Folder of a benchmark's results over the dataset, for formats that hold rankings or answers of systems."""
