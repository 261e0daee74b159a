"""Spans of what is retrieved: by searches of an index, by other systems, and by rerankers."""

import json
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, Any

from ragset.llm.tracing.spans import captures_content, query_id, span, start_span, where_traced

if TYPE_CHECKING:
    from opentelemetry.trace import Span

Found = Callable[[Sequence[Sequence[tuple[str, float]]]], None]
"""Told for each query the ids of what was found, with their scores, best first."""


@where_traced
@contextmanager
def searches(source: str, mode: str, queries: Sequence[str], goldens: Sequence[str] = ()) -> Generator[Found]:
    """A span for each query of a batch that is searched for together; None where nothing is traced.

    All last as long as the batch, and say how many queries it had. `goldens` are the ids of these, where there are such.
    """
    began = time.time_ns()
    found: list[Sequence[Sequence[tuple[str, float]]]] = []
    yield found.append
    ended = time.time_ns()
    named = {"gen_ai.operation.name": "retrieval", "gen_ai.data_source.id": source, "ragset.retrieval.mode": mode}
    for place, (query, hits) in enumerate(zip(queries, found[0] if found else (), strict=False)):
        of: Mapping[str, Any] = {
            **named,
            **_query(query),
            **_documents(hits),
            "ragset.golden.id": goldens[place] if goldens else None,
            "ragset.retrieval.batch": len(queries),
        }
        start_span(f"retrieval {source}", "RETRIEVER", of, at=began).end(ended)


def system_call(name: str, query: str, golden: str) -> "AbstractContextManager[Span | None]":
    """A span around one query to another system."""
    named = {"gen_ai.data_source.id": name, "ragset.golden.id": golden}
    return span(f"ask {name}", "RETRIEVER", lambda: {**named, **_query(query)})


def reranking(model: str, query: str, passages: int, golden: str) -> "AbstractContextManager[Span | None]":
    """A span around the reranking of what was found for one query."""

    def attributes() -> dict[str, Any]:
        said = {"reranker.query": query} if captures_content() else {}
        of = {"reranker.model_name": model, "reranker.top_k": passages, "ragset.golden.id": golden}
        return {**of, **_query(query), **said}

    return span(f"rerank {model}", "RERANKER", attributes)


def _documents(hits: Sequence[tuple[str, float]]) -> dict[str, Any]:
    """The attributes that name what was found."""
    found: dict[str, Any] = {
        "gen_ai.retrieval.documents": json.dumps([{"id": id_, "score": score} for id_, score in hits])
    }
    for place, (id_, score) in enumerate(hits):
        found[f"retrieval.documents.{place}.document.id"] = id_
        found[f"retrieval.documents.{place}.document.score"] = score
    return found


def _query(query: str) -> dict[str, Any]:
    said = {"input.value": query, "gen_ai.retrieval.query.text": query} if captures_content() else {}
    return {"ragset.query.id": query_id(query), **said}
