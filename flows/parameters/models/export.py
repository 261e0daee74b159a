"""The parameters of the command that writes a dataset for another tool."""

from pydantic import Field

from ragset.settings import ExportSettings
from ragset.settings.addresses import Place


class ExportParameters(ExportSettings):
    """The dataset to write for another tool."""

    dataset: Place = Field(min_length=1, title="Dataset", examples=["out/single-chunk"])
    """Folder of the dataset."""
    results: Place = Field(default="", title="Results")
    """Folder of a benchmark's results over the dataset, for formats that hold rankings or answers of systems."""
