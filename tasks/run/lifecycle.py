"""What happens around every flow run: logs set up, keys loaded, progress shown until the end."""

import asyncio
import os
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from uuid import UUID

import httpx
from prefect.artifacts import acreate_progress_artifact, aupdate_progress_artifact
from prefect.blocks.system import Secret
from prefect.client.orchestration import get_client
from prefect.client.schemas.filters import ArtifactFilter, ArtifactFilterFlowRunId, ArtifactFilterType
from prefect.runtime import flow_run

from ragset.errors import RagsetError
from ragset.llm.tracing.export import start_tracing
from ragset.settings import Environment
from tasks.run.logs import set_up_logs
from tasks.run.progress import Progress, progress
from tasks.run.shared_results import share_results
from tasks.run.tracing import run_span

_EVERY = 2.0  # seconds between looks at the progress; what did not change is not sent
_SECRETS = {"openai_api_key": "openai-api-key", "milvus_token": "milvus-token"}  # by variable, the Secret block


@asynccontextmanager
async def run_lifecycle() -> AsyncGenerator[Progress]:
    """Set up a run, and show its progress as an artifact while the block runs."""
    set_up_logs()
    start_tracing()
    shown = progress()
    await load_secrets()
    await share_results()
    artifact = await _progress_artifact()
    showing = asyncio.create_task(_keep_showing(shown, artifact))
    try:
        with run_span():
            yield shown
        if not shown.stopped:
            shown.begin("done")
    except RagsetError as error:
        shown.stopped = str(error)
        raise
    except BaseException as error:
        why = "failed"
        if isinstance(error, asyncio.CancelledError | KeyboardInterrupt) and not shown.stopped:
            why = "cancelled" if await cancelling() else "its process was told to end"
        shown.stopped = shown.stopped or why
        raise
    finally:
        showing.cancel()
        await asyncio.wait([showing])
        with suppress(httpx.HTTPError):
            await _show(shown, artifact)


async def cancelling() -> bool:
    """Whether somebody cancelled the run that goes on; False where the server does not answer just now."""
    with suppress(httpx.HTTPError):
        async with get_client() as client:
            state = (await client.read_flow_run(UUID(str(flow_run.get_id())))).state
        return state is not None and (state.is_cancelled() or state.is_cancelling())
    return False


async def load_secrets() -> None:
    """Put keys from Prefect's Secret blocks into the environment, where a key is not set and its block exists."""
    known = Environment()
    for variable, block in _SECRETS.items():
        if getattr(known, variable) is None:
            with suppress(ValueError):
                secret = await Secret.aload(block)  # pyright: ignore[reportUnknownVariableType]
                os.environ[variable.upper()] = str(secret.get())


async def _progress_artifact() -> UUID:
    """A new one; a run that is tried again keeps the one that it had."""
    if (flow_run.get_run_count() or 0) > 1:
        run = ArtifactFilterFlowRunId(any_=[UUID(str(flow_run.get_id()))])
        of_run = ArtifactFilter(flow_run_id=run, type=ArtifactFilterType(any_=["progress"]))
        async with get_client() as client:
            if found := await client.read_artifacts(artifact_filter=of_run, limit=1):
                return found[0].id
    return await acreate_progress_artifact(progress=0.0, description="How far this run is.")


async def _keep_showing(shown: Progress, artifact: UUID) -> None:
    """Update the artifact until cancelled. A server that does not answer stops nothing."""
    told = ""
    while True:
        if (now := repr(shown)) != told:
            told = now
            with suppress(httpx.HTTPError):
                await _show(shown, artifact)
        await asyncio.sleep(_EVERY)


async def _show(shown: Progress, artifact: UUID) -> None:
    parts = [f"stopped: {shown.stopped}"] if shown.stopped else []
    parts += [shown.stage, *shown.counts]
    await aupdate_progress_artifact(artifact, progress=round(100 * shown.overall, 1), description=" · ".join(parts))
