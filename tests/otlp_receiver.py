"""A server that takes OpenTelemetry's spans over real HTTP, and tracing switched on towards it."""

import logging
import threading
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from ragset.llm.tracing import export
from ragset.llm.tracing.export import send_spans, start_tracing


@dataclass(frozen=True)
class Received:
    """One span."""

    name: str
    id: str
    parent: str
    trace: str
    attributes: dict[str, Any]
    failed: bool
    events: list[dict[str, Any]]
    nanoseconds: int
    service: str


@dataclass
class Receiver:
    url: str
    bodies: list[bytes] = field(default_factory=list[bytes])

    def spans(self) -> list[Received]:
        """What has come, in the order of beginning."""
        from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

        send_spans()
        found: list[tuple[int, Received]] = []
        for body in self.bodies:
            for of_resource in ExportTraceServiceRequest.FromString(body).resource_spans:
                service = _plain(of_resource.resource.attributes)["service.name"]
                for one in (span for scope in of_resource.scope_spans for span in scope.spans):
                    events = [{"event": event.name, **_plain(event.attributes)} for event in one.events]
                    took = one.end_time_unix_nano - one.start_time_unix_nano
                    ids = (one.span_id.hex(), one.parent_span_id.hex(), one.trace_id.hex())
                    rest = (_plain(one.attributes), one.status.code == 2, events, took, service)
                    found.append((one.start_time_unix_nano, Received(one.name, *ids, *rest)))
        return [span for _, span in sorted(found, key=lambda pair: pair[0])]

    def of(self, kind: str) -> list[Received]:
        """The spans of that kind of OpenInference."""
        return [one for one in self.spans() if one.attributes.get("openinference.span.kind") == kind]

    def holds(self, text: str) -> bool:
        """Whether the text is in anything that came."""
        send_spans()
        return any(text.encode() in body for body in self.bodies)


@contextmanager
def receiving() -> Generator[Receiver]:
    """A server that takes spans while the block runs."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            receiver.bodies.append(self.rfile.read(int(self.headers["Content-Length"])))
            self.send_response(200)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    receiver = Receiver(f"http://127.0.0.1:{server.server_port}")
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    try:
        yield receiver
    finally:
        server.shutdown()
        server.server_close()


@contextmanager
def tracing(patch: pytest.MonkeyPatch, url: str, **variables: str) -> Generator[None]:
    """Spans of this process go to that address while the block runs."""
    from opentelemetry import trace
    from opentelemetry.util._once import Once

    patch.setattr(trace, "_TRACER_PROVIDER", None)
    patch.setattr(trace, "_TRACER_PROVIDER_SET_ONCE", Once())
    patch.setattr(export, "_warned", set[str]())
    patch.setattr(export.atexit, "register", lambda _: None)
    patch.setattr(logging.getLogger("opentelemetry.exporter"), "propagate", True)
    patch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", url)
    for name, value in variables.items():
        patch.setenv(name, value)
    start_tracing()
    try:
        yield
    finally:
        shutdown: Any = getattr(trace.get_tracer_provider(), "shutdown", None)
        if shutdown:
            shutdown()


def _plain(attributes: Any) -> dict[str, Any]:
    return {one.key: _value(one.value) for one in attributes}


def _value(value: Any) -> Any:
    kind = value.WhichOneof("value")
    return [_value(one) for one in value.array_value.values] if kind == "array_value" else getattr(value, kind)
