"""Write what people made of a dataset by judging it."""

from pathlib import Path

from prefect import task
from prefect.cache_policies import NO_CACHE

from ragset.dataset.exporters import Exported
from ragset.dataset.report import renew_report
from ragset.dataset.review.new_version import ReviewSummary, write_reviewed
from ragset.models import Model
from tasks.run.artifacts import show_report
from tasks.run.threads import in_thread


class ReviewedSet(Model):
    """A dataset that people have judged and that is good enough."""

    said: str  # how much of it is good, in a sentence
    applied: ReviewSummary
    exports: tuple[Exported, ...] = ()


@task(task_run_name="apply the review of {folder}", cache_policy=NO_CACHE)
async def apply_review(folder: str, guideline: str, said: str) -> ReviewedSet:
    """`ragset.dataset.review.write_reviewed`, with the report of the reviewed version renewed."""
    applied = await in_thread(write_reviewed, Path(folder), None, guideline)
    await in_thread(renew_report, Path(folder))
    await show_report(Path(applied.folder).name, applied.report)
    return ReviewedSet(said=said, applied=applied)
