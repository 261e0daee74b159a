"""Spans of work that is sent to workers."""

from collections.abc import Generator
from uuid import uuid4

import pytest
from opentelemetry import trace
from prefect.client.schemas import TaskRun
from prefect.context import TaskRunContext
from prefect.telemetry.run_telemetry import RunTelemetry

from ragset.llm.tracing import span, trace_headers
from tasks.run.tracing import work_span
from tests.otlp_receiver import Receiver, receiving, tracing


@pytest.fixture
def receiver(monkeypatch: pytest.MonkeyPatch) -> Generator[Receiver]:
    with receiving() as found, tracing(monkeypatch, found.url):
        yield found


def prefects_span(run: TaskRun) -> RunTelemetry:
    """Begun as Prefect begins it, which looks for the parent in the task that is running."""
    begun = RunTelemetry(trace.get_tracer("prefect"))
    begun._start_span(run)
    return begun


def test_work_is_part_of_the_trace_that_it_is_sent_from(receiver: Receiver) -> None:
    with span("index", "CHAIN", dict):
        sent = trace_headers()
    run = TaskRun(name="work", flow_run_id=uuid4(), task_key="run_work", dynamic_key="0")
    with TaskRunContext.model_construct(task_run=run, result_store=None):
        # which on a worker is the work itself
        theirs = prefects_span(run)
        with work_span("embed", sent):
            prefects_span(TaskRun(name="a batch", task_key="b", dynamic_key="0")).end_span_on_success()
        theirs.end_span_on_success()
    index, work, batch = receiver.spans()
    assert (work.name, work.parent, work.trace) == ("work on embed", index.id, index.trace)
    assert (batch.name, batch.parent, batch.trace) == ("a batch", work.id, index.trace)
