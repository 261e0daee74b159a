"""The parameters of the flow that updates a dataset."""

from typing import Annotated

from pydantic import Field

from flows.parameters.models.base import AsMade, Exports, Parameters, Runner
from ragset.settings import (
    ApprovalSettings,
    Budget,
    DocumentSettings,
    ExistingChunks,
    ModelSettings,
    RunnerSettings,
)
from ragset.settings.addresses import Place


class RefreshParameters(Parameters):
    """The dataset to update, and its documents. Other parameters default to those of the dataset."""

    documents: DocumentSettings = Field(title="Documents")
    """The current documents. The refresh cleans them as the dataset did."""
    dataset: Place = Field(default="out/single-chunk", min_length=1, title="Dataset")
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
    out: Place = Field(default="", title="Output folder")
    """Folder of the new version; empty: NAME-v2, NAME-v3, … next to the dataset."""
    runner: Runner = RunnerSettings()
