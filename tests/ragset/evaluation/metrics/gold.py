"""Goldens and gold that the tests of the metrics share."""

from ragset.models import Golden, Span
from ragset.retrieval.fusion import Hit


def span(start: int, end: int, doc_id: str = "d") -> Span:
    return Span(doc_id=doc_id, start=start, end=end)


def hits(*ids: str) -> list[Hit]:
    return [Hit(key, 1.0 - rank / 1000) for rank, key in enumerate(ids)]


def golden(name: str, *evidence: Span) -> Golden:
    return Golden(id=name, query="?", answer="!" if evidence else None, evidence=evidence, chunks=())
