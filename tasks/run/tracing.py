"""The span of a run, above those that Prefect makes of its tasks and ragset of its calls."""

from collections.abc import Generator, Mapping
from contextlib import contextmanager

from prefect.context import FlowRunContext, TaskRunContext
from prefect.telemetry.run_telemetry import LABELS_TRACEPARENT_KEY

from ragset.llm.tracing import continued_trace, span, trace_headers


@contextmanager
def run_span() -> Generator[None]:
    """A span around the run. Prefect takes it for the parent of the run's tasks, also of those on workers."""
    run = context.flow_run if (context := FlowRunContext.get()) else None
    name, id_ = (run.name, str(run.id)) if run else ("run", "")
    with span(name, "CHAIN", lambda: {"prefect.run.id": id_, "prefect.run.type": "flow"}):
        if run and (parent := trace_headers().get("traceparent")):
            run.labels[LABELS_TRACEPARENT_KEY] = parent
        yield


@contextmanager
def work_span(name: str, headers: Mapping[str, str]) -> Generator[None]:
    """A span around work that a worker does, a child of the one that was open where it was sent (its `trace_headers`).

    It stands for Prefect's own span of the work, which has no parent and ends after the last are sent.
    """
    task = TaskRunContext.get()
    with continued_trace(headers), span(f"work on {name}", "CHAIN", dict):
        if task and (parent := trace_headers().get("traceparent")):
            task.task_run.labels[LABELS_TRACEPARENT_KEY] = parent
        yield
