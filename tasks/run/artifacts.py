"""What a run leaves in Prefect beside its state: tables, changes and a link to the report as artifacts, and events."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from prefect import get_run_logger
from prefect.artifacts import acreate_link_artifact, acreate_markdown_artifact, acreate_table_artifact
from prefect.events import emit_event

from ragset.dataset import FunnelRow
from ragset.dataset.changes import ChangeLog, render_changes
from ragset.dataset.numbered import base_of
from ragset.evaluation.effect.model import Effect
from ragset.evaluation.results.model import Standing
from ragset.llm.usage import add_usage
from ragset.models import Usage
from ragset.settings import Environment

if TYPE_CHECKING:
    from tasks.results import ResultsSummary


async def show_funnel(name: str, rows: tuple[FunnelRow, ...]) -> None:
    """The funnel as a table, a line for each stage."""
    told = [", ".join(f"{why.replace('_', ' ')} {count}" for why, count in row.rejected.items()) for row in rows]
    table = [
        {"stage": row.stage, "entered": row.entered, "left": row.left, "rejected because": because}
        for row, because in zip(rows, told, strict=True)
    ]
    await _show_table(name, "funnel", table, "What entered and left each stage.")


async def show_costs(name: str, rows: tuple[Usage, ...]) -> None:
    """Calls, tokens and money as a table, a line for each stage, prompt and model."""
    summed = add_usage(sorted(rows, key=lambda row: (row.stage, row.prompt, row.model)))
    table = [row.model_dump(mode="json") for row in summed] or [{"stage": "no call was made"}]
    await _show_table(name, "cost", table, "What the replies cost, in US dollars.")


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
    await _show_table(name, "leaderboard", table, "Means with bootstrap intervals, best first.")


async def show_effect(name: str, effect: Effect) -> None:
    """What a change did to retrieval: the metrics before and after as a table, under the verdict."""
    table = [
        {
            "metric": one.metric,
            "before": round(one.before, 4),
            "after": round(one.after, 4),
            "change": round(one.difference, 4),
            "interval": "" if one.low is None or one.high is None else f"{one.low:+.3f}…{one.high:+.3f}",
            "p": round(one.p, 4),
        }
        for one in effect.metrics
    ]
    await _show_table(name, "effect", table, effect.told)


async def _show_table(name: str, kind: str, table: list[dict[str, Any]], description: str) -> None:
    await acreate_table_artifact(table=table, key=_key(name, kind), description=description)


async def show_report(name: str, report: str) -> None:
    """A link to the report, by the address where reports are served if there is one."""
    link, told = _address(Path(report), Environment()), f"The report: {report}"
    await acreate_link_artifact(link=link, link_text="report.html", key=_key(name, "report"), description=told)


def _address(report: Path, env: Environment) -> str:
    path = report.absolute()
    if env.ragset_reports_url and env.ragset_reports and path.is_relative_to(env.ragset_reports.absolute()):
        place = path.relative_to(env.ragset_reports.absolute()).as_posix()
        return f"{env.ragset_reports_url.rstrip('/')}/{quote(place)}"
    return path.as_uri()


async def show_changes(name: str, log: ChangeLog) -> None:
    """`CHANGES.md` of a refresh."""
    markdown = render_changes(log)
    await acreate_markdown_artifact(markdown=markdown, key=_key(name, "changes"), description="What changed.")


def send_refresh_event(folder: str, before: str, log: ChangeLog) -> None:
    """Send the event that a new version of a dataset was written to `folder`; an automation can start a benchmark."""
    name = base_of(Path(folder)).name
    counts = {change: log.count(change) for change in ("valid", "moved", "stale", "added")}
    payload = {"name": name, "dataset": folder, "before": before, **counts}
    _send("ragset.dataset.refreshed", f"ragset.dataset.{name}", log.after, payload)


def notify_of_falls(name: str, summary: "ResultsSummary") -> None:
    """Log a warning and send an event with every configuration whose primary metric fell by more than its noise, if any."""
    if not summary.fell:
        return
    falls = (f"{one.configuration}: {one.metric} fell from {one.before:.3f} to {one.after:.3f}" for one in summary.fell)
    message = "; ".join(falls)
    get_run_logger().warning("By more than its noise, %s", message)
    changes = [change.model_dump(mode="json") for change in summary.fell]
    payload = {"message": message, "changes": changes, "report": summary.report}
    _send("ragset.metric.fell", f"ragset.benchmark.{name}", name, payload)


def _send(event: str, resource: str, name: str, payload: dict[str, Any]) -> None:
    about = {"prefect.resource.id": resource, "prefect.resource.name": name}
    emit_event(event=event, resource=about, payload=payload)


def _key(name: str, kind: str) -> str:
    """Letters, digits and dashes, as keys of artifacts must be."""
    return f"{re.sub(r'[^a-z0-9]+', '-', name.lower()).strip('-')}-{kind}"
