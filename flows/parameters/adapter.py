"""The parameters of the flow that trains an adapter."""

from typing import Annotated, Self

from pydantic import Field, model_validator

from flows.parameters.training import TrainingParameters
from ragset.settings import Names


class TrainAdapterParameters(TrainingParameters):
    """The test set to train an adapter with, and the embedding that it is for."""

    out: Annotated[str, Names.PATH] = Field(default="out/adapter", min_length=1, title="Output folder")
    """Folder of the adapter and its report. The run replaces an earlier result when the new one is complete."""

    @model_validator(mode="after")
    def _on_the_model(self) -> Self:
        if self.embedding.adapter:
            raise ValueError("embedding.adapter: an adapter is trained on the model alone; leave it out")
        return self
