"""The parameters of the flow that waits until people have judged a dataset."""

from pydantic import Field

from flows.parameters.models.base import Exports, Parameters
from ragset.settings import ReviewSettings
from ragset.settings.addresses import Place


class ReviewParameters(ReviewSettings, Parameters):
    """The dataset that people judge, and how much of it must be good."""

    form_begins = ("dataset", "sample", "good", "by", "wait_hours", "export")

    dataset: Place = Field(min_length=1, title="Dataset", examples=["out/single-chunk"])
    """Folder of the dataset. The run writes its next version beside it: without what people call bad, with their corrections."""
    export: Exports = ()
