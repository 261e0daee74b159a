"""Artifacts of a run in Prefect: progress, funnel, costs, leaderboard, link to the report."""

import re
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import quote
from uuid import UUID

from prefect.artifacts import (
    acreate_link_artifact,
    acreate_progress_artifact,
    acreate_table_artifact,
    aupdate_progress_artifact,
)
from prefect.client.orchestration import get_client
from prefect.client.schemas.filters import ArtifactFilter, ArtifactFilterFlowRunId, ArtifactFilterType
from prefect.client.schemas.sorting import ArtifactSort
from prefect.runtime import flow_run

from ragset.dataset import FunnelRow
from ragset.evaluation.results import Standing
from ragset.llm.usage import add_usage
from ragset.models import Usage
from ragset.settings import Environment
from tasks.run.progress import Progress


async def begin_progress(description: str) -> UUID:
    """Create a progress artifact at 0 %; a run that is tried again keeps the one that it had."""
    if (flow_run.get_run_count() or 0) > 1 and (before := await _progress_before(UUID(str(flow_run.get_id())))):
        await aupdate_progress_artifact(before, progress=0.0, description=description)
        return before
    return await acreate_progress_artifact(progress=0.0, description=description)


async def _progress_before(run: UUID) -> UUID | None:
    """The artifact of an earlier try."""
    of_run = ArtifactFilter(flow_run_id=ArtifactFilterFlowRunId(any_=[run]), type=ArtifactFilterType(any_=["progress"]))
    async with get_client() as client:
        found = await client.read_artifacts(artifact_filter=of_run, sort=ArtifactSort.CREATED_DESC, limit=1)
    return found[0].id if found else None


async def show_progress(artifact: UUID, progress: Progress) -> None:
    """Move it to where the run is."""
    await aupdate_progress_artifact(
        artifact, progress=round(100 * progress.overall, 1), description=_in_a_line(progress)
    )


def _in_a_line(progress: Progress) -> str:
    """Where a run is, in a line."""
    parts = [progress.stage]
    if progress.kept or progress.rejected or progress.wanted:
        wanted = f" of {progress.wanted}" if progress.wanted else ""
        parts.append(f"{progress.kept}{wanted} accepted, {progress.rejected} rejected")
    elif progress.total:
        parts.append(f"{progress.done:,} of {progress.total:,}")
    if progress.calls_made:
        parts.append(f"{progress.calls_made:,} calls")
    if progress.stopped:
        parts.insert(0, f"stopped: {progress.stopped}")
    return " · ".join(parts)


async def show_funnel(name: str, rows: tuple[FunnelRow, ...]) -> None:
    """The funnel as a table, a line for each stage."""
    table = [
        {
            "stage": row.stage,
            "entered": row.entered,
            "left": row.left,
            "rejected because": ", ".join(
                f"{reason.replace('_', ' ')} {count}" for reason, count in row.rejected.items()
            ),
        }
        for row in rows
    ]
    await acreate_table_artifact(table=table, key=_key(name, "funnel"), description="What entered and left each stage.")


async def show_costs(name: str, rows: tuple[Usage, ...]) -> None:
    """Calls, tokens and money as a table, a line for each stage, prompt and model."""
    summed = add_usage(sorted(rows, key=lambda row: (row.stage, row.prompt, row.model)))
    table = [row.model_dump(mode="json") for row in summed] or [{"stage": "no call was made"}]
    await acreate_table_artifact(
        table=table, key=_key(name, "cost"), description="What the replies cost, in US dollars."
    )


async def show_leaderboard(name: str, standings: Sequence[Standing]) -> None:
    """The configurations in the primary metric as a table, best first."""
    table = [
        {
            "configuration": row.configuration,
            row.metric: None if row.mean is None else round(row.mean, 4),
            "95 % interval": "" if row.low is None or row.high is None else f"{row.low:.3f}–{row.high:.3f}",
            "goldens": row.n,
            "tied with the best": "yes" if row.tied else "",
        }
        for row in standings
    ]
    await acreate_table_artifact(
        table=table, key=_key(name, "leaderboard"), description="Means with bootstrap intervals, best first."
    )


async def show_report(name: str, report: str) -> None:
    """A link to the report, by the address where reports are served if there is one."""
    link = report_link(Path(report), Environment())
    await acreate_link_artifact(
        link=link, link_text="report.html", key=_key(name, "report"), description=f"The report: {report}"
    )


def report_link(report: Path, env: Environment) -> str:
    """Its address below `ragset_reports_url`, where the folder that is served there holds it; else that of the file."""
    path = report.absolute()
    if env.ragset_reports_url and env.ragset_reports:
        served = env.ragset_reports.absolute()
        if path.is_relative_to(served):
            return f"{env.ragset_reports_url.rstrip('/')}/{quote(path.relative_to(served).as_posix())}"
    return path.as_uri()


def _key(name: str, kind: str) -> str:
    """Letters, digits and dashes, as keys of artifacts must be."""
    return f"{re.sub(r'[^a-z0-9]+', '-', name.lower()).strip('-')}-{kind}"
