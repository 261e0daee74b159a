"""What happens around every flow run: logs set up, keys loaded, progress shown until the end."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from typing import Any
from uuid import UUID

import httpx
from prefect.client.orchestration import get_client
from prefect.client.schemas.objects import State
from prefect.runtime import flow_run

from ragset.errors import RagsetError
from tasks.run.artifacts import begin_progress, show_progress
from tasks.run.logs import set_up_logs
from tasks.run.progress import Progress, progress
from tasks.run.secrets import load_secrets

_EVERY = 2.0
"""Seconds between looks at the progress; what did not change is not sent."""


@asynccontextmanager
async def run_lifecycle() -> AsyncGenerator[Progress]:
    """Set up a run, and show its progress as an artifact while the block runs."""
    set_up_logs()
    shown = progress()
    await load_secrets()
    artifact = await begin_progress("How far this run is.")
    showing = asyncio.create_task(_show(shown, artifact))
    try:
        yield shown
        if not shown.stopped:
            shown.begin("done")
    except RagsetError as error:
        shown.stopped = str(error)
        raise
    except (asyncio.CancelledError, KeyboardInterrupt):
        shown.stopped = shown.stopped or ("cancelled" if await cancelling() else "its process was told to end")
        raise
    except BaseException:
        shown.stopped = shown.stopped or "failed"
        raise
    finally:
        showing.cancel()
        await asyncio.wait([showing])
        with suppress(httpx.HTTPError):
            await show_progress(artifact, shown)


async def cancelling() -> bool:
    """Whether somebody cancelled the run that goes on."""
    state = await state_now()
    return state is not None and (state.is_cancelled() or state.is_cancelling())


async def state_now() -> State[Any] | None:
    """Of the run that goes on, on the server; None where the server does not answer just now."""
    with suppress(httpx.HTTPError):
        async with get_client() as client:
            return (await client.read_flow_run(UUID(str(flow_run.get_id())))).state
    return None


async def _show(shown: Progress, artifact: UUID) -> None:
    """Update the artifact until cancelled. A server that does not answer stops nothing."""
    told = ""
    while True:
        if (now := repr(shown)) != told:
            told = now
            with suppress(httpx.HTTPError):
                await show_progress(artifact, shown)
        await asyncio.sleep(_EVERY)
