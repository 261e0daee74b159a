"""A dataset published if people call enough of a sample good."""

from pathlib import Path

from flows.parameters.models import ReviewParameters
from flows.steps.entry import flow_with
from flows.steps.finish import publish
from ragset.dataset.swap import claimed
from tasks.dataset import ReviewedSet
from tasks.run.models import Account


@flow_with(ReviewParameters, name="review", run_name=lambda asked: f"review of {Path(asked.dataset).name}")
async def review(asked: ReviewParameters) -> ReviewedSet:
    """Wait until people have judged a sample of a test set; then apply what they say, and export it if enough is good."""
    with claimed(Path(asked.dataset)):
        judged, exports = await publish(asked.dataset, asked, asked.export, Account())
    assert judged
    return judged.model_copy(update={"exports": exports})
