"""The span of a run, above those that Prefect makes of its tasks and ragset of its calls."""

from collections.abc import Generator
from contextlib import contextmanager

from prefect.context import FlowRunContext, TaskRunContext
from prefect.telemetry.run_telemetry import LABELS_TRACEPARENT_KEY

from ragset.llm.tracing import below, carried, span


@contextmanager
def run_span() -> Generator[None]:
    """A span around the run. Prefect takes it for the parent of the run's tasks, also of those on workers."""
    run = context.flow_run if (context := FlowRunContext.get()) else None
    name, id_ = (run.name, str(run.id)) if run else ("run", "")
    with span(name, "CHAIN", lambda: {"prefect.run.id": id_, "prefect.run.type": "flow"}):
        if run and (parent := carried().get("traceparent")):
            run.labels[LABELS_TRACEPARENT_KEY] = parent
        yield


@contextmanager
def on_worker_span() -> Generator[None]:
    """Spans of the block are children of the run, whose worker this is.

    The span that Prefect makes of the work itself ends after the last are sent.
    """
    flow, task = FlowRunContext.get(), TaskRunContext.get()
    parent = flow.flow_run.labels.get(LABELS_TRACEPARENT_KEY) if flow and flow.flow_run else None
    if task and parent:
        task.task_run.labels[LABELS_TRACEPARENT_KEY] = parent
    with below({"traceparent": str(parent)} if parent else {}):
        yield
