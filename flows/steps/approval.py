"""Asks a person before money is spent: the run pauses with its estimate as a form in Prefect's UI.

The answer stays with the flow run, so a retry does not ask again.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal
from uuid import UUID

from prefect import get_run_logger
from prefect.client.orchestration import get_client
from prefect.input import RunInput
from prefect.runtime import flow_run
from pydantic import ValidationError

from flows.parameters.models import (
    BenchmarkParameters,
    LabelParameters,
    MakingParameters,
    Parameters,
    RefreshParameters,
)
from flows.steps.approval_form import Question, form
from flows.steps.asked import Source
from flows.steps.earlier import find_earlier
from flows.steps.estimate import SAMPLE, estimate_by_rates
from flows.steps.pausing import Declined, Pause, answer
from flows.steps.sources.passages import Passages
from ragset.dataset.swap import unclaimed
from ragset.errors import InputError
from ragset.models import Usage
from ragset.settings import OFFLINE, ApprovalSettings, ModelSettings
from tasks.batches import Recipe
from tasks.run.progress import progress

N = int | Literal["all"]
_KEY = "approval"
_CANCELLED = "Cancelled while it waited for approval; none of the calls was made."


async def approve(parameters: MakingParameters, n: N, recipe: Recipe, peek: Source) -> N:
    """How many of `n` goldens to make; a person decides if the upper end of the estimate is above a limit.

    `peek` draws the first candidates, for the estimate alone.

    Raises:
        Declined: the person who was asked cancelled the run.
        Stopped: nobody answered in time.
    """
    if not parameters.approval.on or not _paid(recipe.models):
        return n
    drawn = await peek.draw(SAMPLE)
    if n == "all" and isinstance(peek, Passages):
        await peek.draw(peek.left)  # to know how many there are
    wanted, mixed = None if n == "all" else n, bool(parameters.mix)
    estimate = estimate_by_rates(
        drawn.candidates, drawn.tried, recipe, wanted=wanted, eligible=peek.eligible, mixed=mixed
    )
    most = estimate.chunks_eligible if n == "all" else n
    question = Question(
        what=f"goldens of all {most:,} {peek.of}" if n == "all" else f"{n:,} {'golden' if n == 1 else 'goldens'}",
        rows=_costly(estimate.at_most),
        basis=f"{estimate.basis} The upper end of the estimate is counted, which nine of ten runs stay below.",
        limits=parameters.approval,
        most=most,
        foreseen=max(1, estimate.goldens),
    )
    chosen = await _ask(question, Path(parameters.out))
    return n if chosen == most else chosen


async def approve_calls(settings: ApprovalSettings, rows: Iterable[Usage], what: str, basis: str, out: str) -> None:
    """Return if the calls of `rows` can be made; a person decides if they are above a limit, as in `approve`."""
    if settings.on:
        await _ask(Question(what=what, rows=_costly(rows), basis=basis, limits=settings), Path(out))


def check_answerable(asked: Parameters) -> None:
    """Return if a command without a lasting server will not have to ask; nobody could answer."""
    if isinstance(asked, RefreshParameters):
        asked = find_earlier(asked).parameters
    costly = isinstance(asked, MakingParameters | LabelParameters | BenchmarkParameters)
    if costly and asked.approval.on and _paid(asked.models):
        raise InputError(
            "approval: the form is answered in the UI of a Prefect server, and none is configured; start one with `python -m "
            "flows serve` and set PREFECT_API_URL to its address, or leave approval out and set a budget (--max-calls, "
            "--max-cost)"
        )


async def _ask(question: Question, out: Path) -> int:
    """The number of goldens decided on; the run pauses with the form if the estimate is above a limit."""
    if not question.needed:
        return question.most
    logger, asked = get_run_logger(), form(question)
    before, earlier = await _earlier(asked)
    if earlier is not None and earlier.decision == "go on":
        logger.info("This run was approved already")
        return getattr(earlier, "n", question.most)
    progress().begin("approval")
    hours = question.limits.wait_hours
    logger.warning(
        "This run would make %s and is above its limits: it waits for up to %g hours until somebody presses Resume on its page "
        "and decides. The button is in the older UI (V1), not in V2",
        question.spending,
        hours,
    )
    late = (
        f"approval.wait_hours: nobody answered the approval form within {hours:g} hours; none of the calls was made. Start the "
        "run again, or let it wait longer"
    )
    with unclaimed(out):
        given = await answer(Pause(asked, f"{_KEY}-{before + 1}", hours, late, _CANCELLED))
        if given.decision == "cancel":
            raise Declined(
                f"Cancelled by the person who answered the approval form, at an estimate of {question.spending}; no call was "
                "made."
            )
    logger.info("Approved")
    return getattr(given, "n", question.most)


async def _earlier(asked: type[RunInput]) -> tuple[int, Any | None]:
    """How often this flow run has asked, and the answer to the last question if it fits this one."""
    prefix = f"paused-{_KEY}-"
    run = UUID(str(flow_run.get_id()))
    async with get_client() as client:
        stored = await client.filter_flow_run_input(run, key_prefix=prefix, limit=200, exclude_keys=set())
    before = sum(one.key.endswith("-schema") for one in stored)
    answers = [one.decoded_value for one in stored if one.key == f"{prefix}{before}-response"]
    try:
        return before, asked.model_validate(answers[0]) if answers else None
    except ValidationError:
        return before, None


def _paid(models: Iterable[ModelSettings]) -> bool:
    return any(model.model != OFFLINE for model in models)


def _costly(rows: Iterable[Usage]) -> tuple[Usage, ...]:
    return tuple(row for row in rows if row.model != OFFLINE and row.calls)
