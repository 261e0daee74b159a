"""Pauses a run with a form in Prefect's UI, until a person answers it or what the run waits for is there.

The process waits, so it keeps what it has open. Runs that are suspended would begin again.
"""

import asyncio
import time
from collections.abc import Callable
from typing import Any, NamedTuple
from uuid import UUID

from prefect import get_run_logger
from prefect.client.orchestration import get_client
from prefect.flow_runs import apause_flow_run
from prefect.input import RunInput
from prefect.runtime import flow_run

from ragset.errors import Stopped
from tasks.run.lifecycle import cancelling
from tasks.run.progress import progress

POLL_SECONDS = 2
GO_ON = {"decision": "go on"}
"""The answer that forms begin with."""


class Declined(Exception):  # noqa: N818 (a person's answer is no error)
    """A person cancelled the run."""


class Pause(NamedTuple):
    """What a person is asked, and what is said if nobody answers."""

    form: type[RunInput]
    key: str  # under which the server keeps the answer; each pause of a run has its own
    wait_hours: float
    late: str  # the message when that time is over
    cancelled: str  # the message when somebody cancels the run meanwhile


async def answer(pause: Pause, is_there: Callable[[], bool] = lambda: False) -> Any:
    """The form filled in: by a person, or with `GO_ON` as soon as what the run waits for `is_there`.

    Raises:
        Declined: the run was cancelled while it waited.
        Stopped: nobody answered in time.
    """
    try:
        return await _answer(pause, is_there)
    except asyncio.CancelledError:
        # The worker ends the process of a run that is cancelled, mostly before the next look at its state.
        if await cancelling():
            progress().stopped = pause.cancelled
            get_run_logger().error(pause.cancelled)
        raise


async def _answer(pause: Pause, is_there: Callable[[], bool]) -> Any:
    # Prefect's pause ends only with an answer, so this checks whether the run was cancelled.
    seconds = max(1, round(pause.wait_hours * 3600))
    deadline = time.monotonic() + seconds
    # Prefect's own limit comes two minutes after ours: a run that it ends does not say why.
    pausing = apause_flow_run(pause.form, timeout=seconds + 120, poll_interval=POLL_SECONDS, key=pause.key)
    waiting = asyncio.ensure_future(pausing)
    try:
        while True:
            done, _ = await asyncio.wait({waiting}, timeout=min(POLL_SECONDS, max(0, deadline - time.monotonic())))
            if done:
                return waiting.result()
            if await cancelling():
                raise Declined(pause.cancelled)
            if time.monotonic() >= deadline:
                raise Stopped(pause.late)
            if is_there():
                async with get_client() as client:
                    # Refused where a person was quicker; then the answer is there.
                    await client.resume_flow_run(UUID(str(flow_run.get_id())), GO_ON)
    finally:
        waiting.cancel()
