"""Sets up OpenTelemetry's SDK where the usual variables ask for it, so that spans are sent.

A server of traces that is gone costs a message and its spans, and neither the run nor more than seconds at its end.
"""

import atexit
import logging
import os
import threading
import time
from collections.abc import Sequence
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Any

from ragset.llm.tracing.spans import traced

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import ReadableSpan, Span
    from opentelemetry.sdk.trace.export import SpanExporter, SpanExportResult

logger = logging.getLogger(__name__)

_ENDPOINTS = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")
_LAST = 5.0  # seconds that the last spans have to get away in
_QUIET = 30.0  # seconds after a failure in which spans are dropped at once
_GONE = "OTEL_*: spans cannot be sent, and are dropped; the run goes on. Is the server of traces there?"
_warned: set[str] = set()


def exporter_name() -> str:
    """The name of the exporter that the environment asks for; empty: none."""
    if os.environ.get("OTEL_SDK_DISABLED", "").strip().lower() == "true":
        return ""
    named = os.environ.get("OTEL_TRACES_EXPORTER", "").strip().lower()
    if not named and any(os.environ.get(name) for name in _ENDPOINTS):
        named = "otlp"
    return "" if named == "none" else named.partition(",")[0]


def start_tracing() -> None:
    """Send spans from now on, if the environment asks for it and the program has not set up an SDK of its own."""
    if not (name := exporter_name()) or traced():
        return
    try:
        exporter = _exporter(name)
    except ImportError as error:
        _warn_once(f"OTEL_*: spans are asked for, and not sent: {error}")
        return
    from opentelemetry import trace
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import SpanProcessor, TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    class PrefectKind(SpanProcessor):
        """Gives the spans that Prefect makes of tasks the kind that OpenInference wants of each."""

        def on_start(self, span: "Span", parent_context: object = None) -> None:  # noqa: ARG002
            scope = span.instrumentation_scope
            if scope and scope.name == "prefect":
                span.set_attribute("openinference.span.kind", "CHAIN")

    class Sender(BatchSpanProcessor):
        """Sends all but the spans that Prefect makes of work on a worker, where it knows no parent; ours stand for them."""

        def on_end(self, span: "ReadableSpan") -> None:
            if span.parent or (span.attributes or {}).get("prefect.run.type") != "task":
                super().on_end(span)

    exporters = logging.getLogger("opentelemetry.exporter")
    exporters.propagate = False  # one message of ours says as much
    exporters.addHandler(logging.NullHandler())
    named = Resource.create()  # with what OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES say
    if str(named.attributes.get("service.name", "")).startswith("unknown_service"):
        named = named.merge(Resource({"service.name": "ragset"}))
    provider = TracerProvider(resource=named, shutdown_on_exit=False)
    provider.add_span_processor(PrefectKind())
    provider.add_span_processor(Sender(_quiet_exporter(exporter)))
    trace.set_tracer_provider(provider)
    atexit.register(lambda: _ends_within(_LAST, provider.shutdown) or _warn_once(_GONE))


def send_spans() -> None:
    """Send what waits to be sent, in a process that may end without notice."""
    if traced():
        from opentelemetry import trace

        flush: Any = getattr(trace.get_tracer_provider(), "force_flush", None)
        if flush:
            _ends_within(_LAST, flush)


def _exporter(name: str) -> Any:
    protocol = os.environ.get("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL") or os.environ.get("OTEL_EXPORTER_OTLP_PROTOCOL")
    if name == "otlp":
        name = f"otlp_proto_{(protocol or 'http/protobuf').partition('/')[0]}"
    found = [*entry_points(group="opentelemetry_traces_exporter", name=name)]
    if not found:
        package = {"otlp_proto_http": "'ragset[otel]'", "otlp_proto_grpc": "opentelemetry-exporter-otlp-proto-grpc"}
        raise ImportError(
            f"no exporter {name} is installed; pip install {package.get(name, 'the package that has it')}"
        )
    return found[0].load()()


def _quiet_exporter(exporter: "SpanExporter") -> "SpanExporter":
    """The exporter, with one message when it fails, and without further tries for a while."""
    from opentelemetry.sdk.trace.export import SpanExporter, SpanExportResult

    class QuietExporter(SpanExporter):
        failed_at = float("-inf")

        def export(self, spans: "Sequence[ReadableSpan]") -> "SpanExportResult":
            if time.monotonic() - self.failed_at < _QUIET:
                return SpanExportResult.FAILURE
            result = exporter.export(spans)
            if result is not SpanExportResult.SUCCESS:
                self.failed_at = time.monotonic()
                _warn_once(_GONE)
            return result

        def shutdown(self) -> None:
            exporter.shutdown()

    return QuietExporter()


def _warn_once(message: str) -> None:
    """Once in a process."""
    if message not in _warned:
        _warned.add(message)
        logger.warning(message)


def _ends_within(seconds: float, function: Any) -> bool:
    """Call the function, and wait so long for it at most; whether it has ended."""
    thread = threading.Thread(target=function, daemon=True)
    thread.start()
    thread.join(seconds)
    return not thread.is_alive()
