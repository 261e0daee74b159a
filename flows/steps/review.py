"""Waits until people have judged a sample of a dataset, and lets a run go on if enough of it is good."""

import uuid
from pathlib import Path
from typing import Literal, NamedTuple

from prefect import get_run_logger
from prefect.input import RunInput
from pydantic import Field, create_model

from flows.parameters.models import ReviewParameters
from flows.parameters.permissions import permit
from flows.steps.pausing import Declined, Pause, answer
from ragset.dataset import next_version, read_dataset
from ragset.dataset.review.figures import Figures, figures
from ragset.dataset.review.file import ReviewFile
from ragset.dataset.review.guidelines import load_guideline
from ragset.dataset.review.order import ReviewPlan, change_plan, sampled
from ragset.dataset.review.records import Review, standing
from ragset.errors import InputError
from ragset.models import Golden
from ragset.settings import Environment, ReviewSettings
from ragset.settings.command_line import command
from tasks.dataset import ReviewedSet, apply_review
from tasks.run.progress import progress

_CANCELLED = "Cancelled while it waited for people to judge; what they judged is kept."


class _Sample(NamedTuple):
    """The goldens that people are to judge, and where they do."""

    file: ReviewFile
    goldens: tuple[Golden, ...]
    plan: ReviewPlan
    guideline: str

    @property
    def lines(self) -> tuple[Review, ...]:
        return self.file.read().lines

    def left(self) -> int:
        """Count those that nobody has looked at yet, and show how many somebody has as progress."""
        ids = [golden.id for golden in self.goldens]
        found = sampled(ids, self.plan, standing(self.lines, "golden", self.guideline))
        looked, shown = len(found.judged) + found.skipped, progress()
        shown.done, shown.total = looked + found.behind, found.size
        return found.size - looked

    @property
    def figures(self) -> Figures | None:
        return figures(self.goldens, self.lines, self.plan, self.guideline)


async def reviewed(folder: str, asked: ReviewSettings) -> ReviewedSet:
    """The dataset as people want it, written as its next version, once they have judged the sample and called enough good.

    Whatever was judged before counts. Without the next version nothing is lost: a run that is started again goes on from there.

    Raises:
        Declined: a person cancelled the run.
        Stopped: the sample was not judged in time.
        InputError: too few are good, or none is judged.
    """
    place = Path(folder)
    # The next version goes beside the dataset, where the run may have nothing to write.
    permit(ReviewParameters(dataset=str(next_version(place))))
    goldens = read_dataset(place).goldens
    if not goldens:
        raise InputError(f"{folder}: holds no golden to judge")
    guideline = load_guideline("golden", Environment().ragset_prompts).key
    sample = _Sample(ReviewFile(place), goldens, change_plan(place, sample=asked.sample), guideline)
    progress().begin("review")
    if sample.left():
        await _wait(sample, place, asked)
    said = judged_good(sample.figures, place, asked)
    get_run_logger().info("%s", said)
    return await apply_review(folder, guideline, said)


async def _wait(sample: _Sample, folder: Path, asked: ReviewSettings) -> None:
    """Pause until the sample is judged, or until a person says that what is judged is enough."""
    size = min(asked.sample, len(sample.goldens))
    where = f"the page that `{command('review', folder)}` opens, or Review of the service"
    get_run_logger().warning(
        "This run waits for up to %g hours until people have judged %d goldens of %s on %s; then it goes on by itself",
        asked.wait_hours,
        size,
        folder,
        where,
    )
    late = (
        f"review.wait_hours: people have not judged the sample of {folder} within {asked.wait_hours:g} hours. Start the run "
        "again, and it goes on from what is judged"
    )
    text = (
        f"People judge a random sample of **{size:,} goldens** of `{folder}` on {where}. The run goes on by itself when the "
        "sample is judged. With this form it goes on now, with what is judged until now, or is cancelled."
    )
    pause = Pause(_form(text), f"review-{uuid.uuid4().hex[:8]}", asked.wait_hours, late, _CANCELLED)
    given = await answer(pause, lambda: not sample.left())
    if given.decision == "cancel":
        raise Declined(f"Cancelled by the person who answered the form, with {progress().done:,} of {size:,} judged.")


def _form(text: str) -> type[RunInput]:
    said = "`go on` with what is judged until now, or `cancel` the run; judgements are kept."
    decision = Field(default="go on", title="Decision", description=said)
    made = create_model("Review", __base__=RunInput, decision=(Literal["go on", "cancel"], decision))
    return made.with_initial_data(description=text)


def judged_good(found: Figures | None, folder: Path, asked: ReviewSettings) -> str:
    """How much is good, in a sentence; an InputError if it is not enough."""
    if found is None or not found.good.n:
        raise InputError(f"{folder}: no golden of its sample is judged, so nothing says how good it is; judge some")
    good = found.good
    said = f"{good.share:.1%} of {good.n:,} goldens drawn at random are good as made (95 % interval {good.low:.1%} to {good.high:.1%})"
    reached = good.share if asked.by == "share" else good.low
    if reached >= asked.good:
        return said
    reasons = ", ".join(f"{reason.replace('_', ' ')} {number}" for reason, number in found.reasons.items())
    raise InputError(
        f"{folder}: {said}, and {asked.good:.1%} are demanded of the {asked.by}, so nothing was written or exported. Reasons: "
        f"{reasons or 'none given'}. Mend what makes them, or keep what is good with `{command('apply-review', folder)}`"
    )
