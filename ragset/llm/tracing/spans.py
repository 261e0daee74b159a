"""Spans, the ids that all spans within a block carry, and what is sent along to another process."""

import hashlib
import os
import sys
from collections.abc import Callable, Generator, Iterable, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import lru_cache, wraps
from typing import TYPE_CHECKING, Any, Literal, ParamSpec, TypeVar

if TYPE_CHECKING:
    from opentelemetry.trace import Span, Tracer, TracerProvider

P = ParamSpec("P")
T = TypeVar("T")
Kind = Literal["CHAIN", "LLM", "EMBEDDING", "RETRIEVER", "RERANKER", "EVALUATOR"]
Attributes = Mapping[str, Any]
_CAPTURE = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"
_CAPTURED = {"true", "1", "span_only", "span_and_event"}
_PREFIX = "ragset."


def traced() -> bool:
    """Whether spans go anywhere: an SDK is loaded and set up."""
    if "opentelemetry.sdk.trace" not in sys.modules:
        return False
    from opentelemetry.trace import ProxyTracerProvider, get_tracer_provider

    return not isinstance(get_tracer_provider(), ProxyTracerProvider)


def where_traced(
    make: Callable[P, AbstractContextManager[T]],
) -> Callable[P, AbstractContextManager[T | None]]:
    """The context manager where spans go somewhere; elsewhere one that does nothing and gives None."""

    @wraps(make)
    def made(*given: P.args, **named: P.kwargs) -> AbstractContextManager[T | None]:
        return make(*given, **named) if traced() else nullcontext()

    return made


def captures_content() -> bool:
    """Whether spans hold texts, by the variable that instrumentations of GenAI have in common."""
    return os.environ.get(_CAPTURE, "").strip().lower() in _CAPTURED


@where_traced
def span(
    name: str, kind: Kind, attributes: Callable[[], Attributes], *, client: bool = False
) -> "AbstractContextManager[Span]":
    """A span around the block, None where nothing is traced; `client`: the block waits for another process.

    An error that leaves the block is recorded by its type, without its words.
    """
    return recorded_span(name, kind, attributes(), client=client)


@where_traced
@contextmanager
def about(query: str, *, golden: str = "", chunks: Iterable[str] = ()) -> Generator[None]:
    """All spans within the block carry the ids of the query, of the golden and of the chunks that it is drawn from."""
    from opentelemetry import baggage, context

    ids = {"query.id": query and query_id(query), "golden.id": golden, "chunk.ids": ",".join(chunks)}
    now = context.get_current()
    for name, value in ids.items():
        if value:
            now = baggage.set_baggage(_PREFIX + name, value, now)
    token = context.attach(now)
    try:
        yield
    finally:
        context.detach(token)


def trace_headers() -> dict[str, str]:
    """The headers by which spans of another process become children of the span that is open here."""
    headers: dict[str, str] = {}
    if traced():
        from opentelemetry import propagate

        propagate.inject(headers)
    return headers


@where_traced
@contextmanager
def continued_trace(headers: Mapping[str, str]) -> Generator[None]:
    """Spans within the block are children of the one whose `trace_headers` these are."""
    from opentelemetry import context, propagate

    token = context.attach(propagate.extract(headers))
    try:
        yield
    finally:
        context.detach(token)


def query_id(query: str) -> str:
    """By which spans name a query, whose text they may not hold: `q-` and 12 hexadecimal digits of its SHA-256."""
    return "q-" + hashlib.sha256(query.encode(errors="replace")).hexdigest()[:12]


def start_span(name: str, kind: Kind, attributes: Attributes, *, client: bool = False, at: int | None = None) -> "Span":
    """A span that the caller ends; `at` is when it began, in nanoseconds since 1970. Only where `traced`."""
    from opentelemetry import baggage, trace

    tracer = _tracer(trace.get_tracer_provider())
    ids = {key: value for key, value in baggage.get_all().items() if key.startswith(_PREFIX)}
    given = {key: value for key, value in attributes.items() if value is not None}
    return tracer.start_span(
        name,
        kind=trace.SpanKind.CLIENT if client else trace.SpanKind.INTERNAL,
        attributes={"openinference.span.kind": kind, **ids, **given},  # pyright: ignore[reportArgumentType]
        start_time=at,
    )


def mark_failed(one: "Span", fault: str) -> None:
    """Mark the span as failed, by the type of an error or a status."""
    from opentelemetry.trace import Status, StatusCode

    one.set_attribute("error.type", fault)
    one.set_status(Status(StatusCode.ERROR, fault))


@lru_cache(maxsize=1)
def _tracer(provider: "TracerProvider") -> "Tracer":
    return provider.get_tracer("ragset")


@contextmanager
def recorded_span(name: str, kind: Kind, attributes: Attributes, *, client: bool = False) -> "Generator[Span]":
    """`span` where it is known that something is traced."""
    from opentelemetry import trace

    one = start_span(name, kind, attributes, client=client)
    try:
        with trace.use_span(one, record_exception=False, set_status_on_exception=False):
            yield one
    except BaseException as error:
        mark_failed(one, type(error).__name__)
        raise
    finally:
        one.end()
