"""A person's word before money is spent: the run pauses with its estimate as a form in Prefect's UI.

The process waits, so the index and the connections are still there when it goes on. Each question has a key of its own,
and its answer stays with the flow run: a run that is tried again does not ask what was answered already.
"""

import asyncio
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal, NoReturn
from uuid import UUID

from prefect import get_run_logger
from prefect.client.orchestration import get_client
from prefect.context import FlowRunContext
from prefect.flow_runs import apause_flow_run
from prefect.input import RunInput
from prefect.runtime import flow_run
from prefect.settings import get_current_settings
from prefect.states import Cancelled
from pydantic import ValidationError

from flows.parameters.models import BenchmarkParameters, MakingParameters
from flows.steps.approval_form import Question, above, contradiction, form
from flows.steps.estimate import SAMPLE, estimate_by_priors
from flows.steps.measure import models_of
from flows.steps.sources import Source
from ragset.dataset.claim import unclaimed
from ragset.errors import InputError, Stopped
from ragset.models import Usage
from ragset.settings import OFFLINE, ApprovalSettings, ModelSettings
from tasks.batches import Recipe
from tasks.run.lifecycle import cancelling, state_now
from tasks.run.progress import progress

N = int | Literal["all"]
POLL_SECONDS = 2
_GRACE_SECONDS = 120
_KEY = "approval"
_CANCELLED = "Cancelled while it waited for approval; none of the calls was made."


class Declined(Exception):  # noqa: N818 (a person's answer is no error)
    """A person cancelled the run; the message says how."""


async def approve(parameters: MakingParameters, n: N, recipe: Recipe, peek: Source) -> N:
    """How many goldens to make of the `n` asked for; a person is asked where the estimate is above a limit.

    Of the two ends of the estimate the dearer counts. `peek` draws the first candidates of the run for it, so it is not
    the source that the run draws from.

    Raises:
        Declined: the person who was asked cancelled the run.
        InputError: nobody could answer, as there is no server; or another run wrote the same folder while this one waited.
        Stopped: nobody answered in time.
    """
    settings, mixed = parameters.approval, bool(parameters.hardness.weights)
    if not settings.on or not _paid(recipe.models):
        return n
    drawn = await peek.draw(SAMPLE)
    wanted = None if n == "all" else n
    estimate = estimate_by_priors(
        drawn.candidates, drawn.tried, recipe, wanted=wanted, eligible=peek.eligible, mixed=mixed
    )
    basis, goldens = estimate.basis, estimate.goldens
    if estimate.most is estimate.if_all_pass:
        goldens = estimate.if_all_pass_goldens
        basis += (
            " The mix of hardness may take every chunk, so that each is tried and passes is what is counted."
            if mixed
            else " The dearer end is counted: that every chunk tried passes."
        )
    if estimate.passed is None:
        basis += " As none passed, the figures are for one try of each golden: it can be many more."
    most = estimate.chunks_eligible if n == "all" else n
    what = f"goldens of all {most:,} chunks" if n == "all" else f"{n:,} {'golden' if n == 1 else 'goldens'}"
    order = [stage.name for stage in recipe.stages()]
    paid = [row for row in estimate.most if row.model != OFFLINE]
    rows = tuple(sorted(paid, key=lambda row: order.index(row.stage) if row.stage in order else len(order)))
    question = Question(what=what, rows=rows, basis=basis, settings=settings, most=most, foreseen=max(1, goldens))
    return await _put(question, n, Path(parameters.out))


async def approve_calls(settings: ApprovalSettings, rows: Iterable[Usage], what: str, basis: str, out: str) -> None:
    """Return if the calls of `rows` can be made; a person is asked where they are above a limit.

    Raises:
        Declined, InputError, Stopped: as `approve`.
    """
    paid = tuple(row for row in rows if row.model != OFFLINE and row.calls)
    if settings.on:
        await _put(Question(what=what, rows=paid, basis=basis, settings=settings), 1, Path(out))


def cancelled(why: str) -> Any:
    """What a flow returns to end as CANCELLED; to whoever called it, that is Prefect's `CancelledRun`."""
    progress().stopped = why
    return Cancelled(message=why)


def check_answerable(asked: MakingParameters | BenchmarkParameters) -> None:
    """Return if a command that has no server but its own will not have to ask.

    Raises:
        InputError: it might, and nobody could answer.
    """
    models = models_of(asked) if isinstance(asked, BenchmarkParameters) else asked.models
    if asked.approval.on and _paid(models):
        _refuse()


def _refuse() -> NoReturn:
    raise InputError(
        "approval: the form is answered in the UI of a Prefect server, and none is configured; start one with `python -m "
        "flows serve` and set PREFECT_API_URL to its address, or leave approval out and set a budget (--max-calls, "
        "--max-cost)"
    )


async def _put(question: Question, n: N, out: Path) -> N:
    """The number decided on; pause with the form where the estimate is above a limit."""
    if not question.needed:
        return n
    if get_current_settings().api.url is None:
        _refuse()
    logger = get_run_logger()
    rounds, earlier = await _earlier(form(question))
    if earlier is not None and earlier.decision != "cancel" and not contradiction(question, earlier):
        logger.info("This run was approved already (%s)", earlier.decision)
        return earlier.n if earlier.decision == "lower n" else n
    _check_unleased()
    progress().begin("approval")
    wrong = ""
    logger.warning(
        "%s: the run waits for up to %g hours until somebody presses Resume on its page and decides. The button is in the "
        "older UI (V1), not in V2",
        above(question),
        question.settings.wait_hours,
    )
    try:
        with unclaimed(out):
            while True:
                rounds += 1
                answer = await _answer(form(question, wrong), question.settings, f"{_KEY}-{rounds}")
                wrong = contradiction(question, answer) if answer else ""
                if not wrong:
                    break
                logger.warning("%s The form is asked again", wrong)
    except asyncio.CancelledError:
        # The worker ends the process of a run that is cancelled, mostly before the next look at its state.
        if await cancelling():
            progress().stopped = _CANCELLED
            logger.error(_CANCELLED)
        raise
    if answer is None:
        raise Declined(_CANCELLED)
    if answer.decision == "cancel":
        raise Declined(
            f"Cancelled by the person who answered the approval form, at an estimate of {question.totals.calls:,} calls; none "
            "of them was made."
        )
    logger.info("Approved: %s", answer.decision)
    return answer.n if answer.decision == "lower n" else n


async def _answer(asked: type[RunInput], settings: ApprovalSettings, key: str) -> Any | None:
    """The form filled in; None where the run was cancelled instead.

    Prefect's pause sees no other end than an answer, so somebody must look whether the run was ended meanwhile.
    """
    seconds = max(1, round(settings.wait_hours * 3600))
    # Prefect's own limit comes later than ours: a run that it ends does not say why.
    waiting = asyncio.create_task(
        apause_flow_run(asked, timeout=seconds + _GRACE_SECONDS, poll_interval=POLL_SECONDS, key=key)
    )
    ended = asyncio.create_task(_ended())
    try:
        await asyncio.wait({waiting, ended}, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        if waiting.done():
            return waiting.result()
        if ended.done() and ended.result():
            return None
    finally:
        waiting.cancel()
        ended.cancel()
        await asyncio.gather(waiting, ended, return_exceptions=True)  # noqa: TID251 (both are cancelled)
    raise Stopped(
        f"approval.wait_hours: nobody answered the approval form within {settings.wait_hours:g} hours; none of the calls was "
        "made. Start the run again, or let it wait longer"
    )


def _check_unleased() -> None:
    """Return if nothing ends the run for waiting.

    Prefect takes the slot away from a run that pauses, and ends it when it asks for the slot that it lost. The deployments
    of ragset have limits on their work queues instead, which hold no slots; somebody may set one all the same.

    Raises:
        InputError: its deployment has a concurrency limit of Prefect's own.
    """
    context = FlowRunContext.get()
    run = context.flow_run if context else None
    if run and run.state and run.state.state_details.deployment_concurrency_lease_id:
        raise InputError(
            "approval: the deployment of this run has a concurrency limit, and Prefect ends runs that wait under one; take it "
            "away, limit its work queue instead (Work Pools in the UI), and run again"
        )


async def _ended() -> bool:
    """When the run was ended by somebody else: whether it was cancelled."""
    while True:
        await asyncio.sleep(POLL_SECONDS)
        # A server that is started again meanwhile has not ended the run.
        state = await state_now()
        if state is not None and (state.is_final() or state.is_cancelling()):
            return state.is_cancelled() or state.is_cancelling()


async def _earlier(asked: type[RunInput]) -> tuple[int, Any | None]:
    """How often this flow run asked already, and the answer to the last question if it fits this one."""
    prefix = f"paused-{_KEY}-"
    async with get_client() as client:
        stored = await client.filter_flow_run_input(_run_id(), key_prefix=prefix, limit=200, exclude_keys=set())
    rounds = sum(one.key.endswith("-schema") for one in stored)
    answers = [one.decoded_value for one in stored if one.key == f"{prefix}{rounds}-response"]
    try:
        return rounds, asked.model_validate(answers[0]) if answers else None
    except ValidationError:
        return rounds, None


def _run_id() -> UUID:
    return UUID(str(flow_run.get_id()))


def _paid(models: Iterable[ModelSettings]) -> bool:
    return any(model.model != OFFLINE for model in models)
