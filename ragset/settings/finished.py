"""Settings of what follows a finished dataset: people judge a sample of its goldens, and other tools get it."""

import math
from typing import Annotated, Literal, Self

from pydantic import ConfigDict, Field, model_validator

from ragset.settings.addresses import Place
from ragset.settings.base import Settings
from ragset.settings.documents import ChunkingSettings
from ragset.settings.registry import listed, named

_Z2 = 3.8415  # of a 95 % interval, squared


class ReviewSettings(Settings):
    """The sample of goldens that people judge, and the share of good ones that lets a run go on."""

    model_config = ConfigDict(title="Review")

    sample: int = Field(default=100, ge=1, title="Goldens to judge")
    """Number of goldens, drawn at random, that people judge; all of a set that has fewer."""
    good: float = Field(default=0.95, gt=0, lt=1, title="Share good")
    """Share of the sample that must be good as it was made, without correction. With less, nothing is exported."""
    by: Literal["share", "lower end"] = Field(default="share", title="What must reach it")
    """`share` compares the share of the sample itself, `lower end` the lower end of its 95 % interval, which is stricter: with
    0.9, of 100 goldens 90 must be good by `share` and 96 by `lower end`."""
    wait_hours: float = Field(default=168.0, gt=0, le=8760, title="Hours to wait")
    """Hours to wait for people. After that the run ends, and what was judged is kept."""

    @model_validator(mode="after")
    def _can_be_reached(self) -> Self:
        # Wilson's interval of n goldens that are all good begins at n / (n + z²).
        if self.by == "lower end" and self.sample < (least := math.ceil(_Z2 * self.good / (1 - self.good))):
            raise ValueError(
                f"sample: if all {self.sample} goldens were good, the lower end would still be below {self.good:g}; judge at "
                f"least {least}"
            )
        return self


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
