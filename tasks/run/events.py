"""Events that runs send to Prefect, for automations and notifications."""

from prefect import get_run_logger
from prefect.events import emit_event

from tasks.results import ResultsSummary

FELL = "ragset.metric.fell"
"""A benchmark's primary metric is lower than in the results before, by more than its noise."""


def notify_of_falls(name: str, summary: ResultsSummary) -> None:
    """Send the event `ragset.metric.fell` with every configuration that fell, if any did, and log a warning."""
    if not summary.fell:
        return
    lines = [
        f"{change.configuration}: {change.metric} fell from {change.before:.3f} to {change.after:.3f}"
        for change in summary.fell
    ]
    message = "; ".join(lines)
    get_run_logger().warning("By more than its noise, %s", message)
    emit_event(
        event=FELL,
        resource={"prefect.resource.id": f"ragset.benchmark.{name}", "prefect.resource.name": name},
        payload={
            "message": message,
            "changes": [change.model_dump(mode="json") for change in summary.fell],
            "report": summary.report,
        },
    )
