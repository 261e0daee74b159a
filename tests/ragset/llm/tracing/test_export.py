import logging
import subprocess
import sys
import time

import pytest

from ragset.llm.tracing import export, span, trace_headers, traced
from ragset.llm.tracing.export import exporter_name, send_spans, start_tracing
from tests.clients import client_of, request_of
from tests.fake_openai import Fake
from tests.otlp_receiver import receiving, tracing


@pytest.mark.parametrize(
    ("variables", "name"),
    [
        ({}, ""),
        ({"OTEL_SERVICE_NAME": "rag"}, ""),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://h:4318"}, "otlp"),
        ({"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://h:4318/v1/traces"}, "otlp"),
        ({"OTEL_TRACES_EXPORTER": "console"}, "console"),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://h:4318", "OTEL_TRACES_EXPORTER": "none"}, ""),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://h:4318", "OTEL_SDK_DISABLED": "true"}, ""),
    ],
)
def test_the_usual_variables_switch_it_on(
    variables: dict[str, str], name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable, value in variables.items():
        monkeypatch.setenv(variable, value)
    assert exporter_name() == name


def test_nothing_of_opentelemetry_is_imported_where_it_is_off() -> None:
    program = """
import sys
from ragset.llm.tracing.export import start_tracing
from ragset.llm.tracing import about, trace_headers, span
import ragset.llm.client, ragset.retrieval.search, ragset.evaluation.systems
start_tracing()
with span("x", "CHAIN", dict) as one, about("q"):
    assert one is None
assert trace_headers() == {}
print([name for name in sys.modules if name.startswith("opentelemetry")])
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_where_it_is_off_a_span_is_nothing() -> None:
    assert not traced()
    with span("x", "CHAIN", lambda: pytest.fail("attributes are made")) as one:
        assert one is None
    assert trace_headers() == {}


async def test_a_run_goes_on_where_nobody_takes_spans_and_says_so_once(
    fake: Fake, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with receiving() as gone:
        pass
    with tracing(monkeypatch, gone.url, OTEL_EXPORTER_OTLP_TIMEOUT="1"), caplog.at_level(logging.WARNING):
        async with client_of(fake) as client:
            await client.complete(request_of())
            send_spans()
            began = time.monotonic()
            await client.complete(request_of())
            send_spans()
    assert time.monotonic() - began < export._LAST  # the second time it is not even tried
    told = [record.getMessage() for record in caplog.records if record.name == "ragset.llm.tracing.export"]
    assert told == ["OTEL_*: spans cannot be sent, and are dropped; the run goes on. Is the server of traces there?"]


def test_an_exporter_that_is_not_installed_is_named_once(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with tracing(monkeypatch, "http://127.0.0.1:9", OTEL_EXPORTER_OTLP_PROTOCOL="grpc"):
        start_tracing()
        assert not traced()
    assert [record.getMessage() for record in caplog.records] == [
        "OTEL_*: spans are asked for, and not sent: no exporter otlp_proto_grpc is installed; "
        "pip install opentelemetry-exporter-otlp-proto-grpc"
    ]


def test_names_of_the_service_are_the_users(monkeypatch: pytest.MonkeyPatch) -> None:
    with receiving() as receiver, tracing(monkeypatch, receiver.url, OTEL_SERVICE_NAME="our-rag"):
        with span("x", "CHAIN", dict):
            pass
        assert [one.service for one in receiver.spans()] == ["our-rag"]


def test_an_error_is_recorded_by_its_type_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    with receiving() as receiver, tracing(monkeypatch, receiver.url):
        with pytest.raises(ValueError, match="secret"), span("x", "CHAIN", dict):
            raise ValueError("a secret text")
        (one,) = receiver.spans()
        assert (one.failed, one.attributes["error.type"], one.events) == (True, "ValueError", [])
        assert not receiver.holds("secret")
