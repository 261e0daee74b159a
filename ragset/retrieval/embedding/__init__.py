"""Texts to vectors: the embeddings there are, and connecting to the one that settings name.

To add one, write a module with its `Embedder` and put a line into `embeddings`. Limits and prices are in `ragset.llm`.
"""

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Protocol, runtime_checkable

from ragset.llm.limiter import BlockingSharedLimit
from ragset.retrieval.embedding.adapter import AdaptedEmbedder, read_adapter
from ragset.retrieval.embedding.requests import Answer
from ragset.retrieval.embedding.vectors import Vectors, check_vectors, normalised
from ragset.settings import AUTO, LLAMAINDEX, LOCAL, OFFLINE, EmbeddingSettings, Environment

__all__ = [
    "BatchEmbedder",
    "Embedder",
    "Vectors",
    "adapted",
    "check_vectors",
    "connect_embedder",
    "embeddings",
    "normalised",
]


class Embedder(Protocol):
    """Anything that embeds; blocking, and safe to call from several threads."""

    @property
    def name(self) -> str:
        """Model and dimensions, as people read them in results: the same on every server."""
        ...

    @property
    def identity(self) -> str:
        """Everything that decides the vectors: two embedders of one identity give the same ones."""
        ...

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Float32, one L2-normalised row a text, in their order; raises ProviderError where the provider fails."""
        ...


@runtime_checkable
class BatchEmbedder(Embedder, Protocol):
    """An embedder whose vectors are worth keeping; `StoredEmbedder` keeps them, request by request."""

    model: str  # as prices know it
    batch_size: int  # texts of a request, at most

    def ask(self, texts: Sequence[str]) -> Answer:
        """`embed`, as one request."""
        ...


Connect = Callable[[EmbeddingSettings, Environment, BlockingSharedLimit, bool], Embedder]


def _offline(settings: EmbeddingSettings, *_: object) -> Embedder:
    from ragset.retrieval.embedding.offline import OfflineEmbedder

    return OfflineEmbedder(settings.dimensions or OfflineEmbedder.DIMENSIONS)


def _local(settings: EmbeddingSettings, *_: object) -> Embedder:
    from ragset.retrieval.embedding.local import LocalEmbedder

    return LocalEmbedder(settings.model.removeprefix(LOCAL), settings)


def _llamaindex(settings: EmbeddingSettings, _env: Environment, _limit: BlockingSharedLimit, queries: bool) -> Embedder:
    from ragset.retrieval.embedding.llamaindex import LlamaIndexEmbedder

    return LlamaIndexEmbedder(settings, queries=queries)


# By the model's name, or by its prefix up to the colon. Any other model is one of the endpoint. `auto` that nobody has settled,
# as where no model is named, is offline.
embeddings: dict[str, Connect] = {OFFLINE: _offline, AUTO: _offline, LOCAL: _local, LLAMAINDEX: _llamaindex}


def connect_embedder(
    settings: EmbeddingSettings,
    env: Environment,
    shared_limit: BlockingSharedLimit = nullcontext,
    *,
    queries: bool = False,
) -> Embedder:
    """The embedder that `settings` name. Nothing is sent before the first text; each request to the endpoint enters `shared_limit`.

    With `queries`, as queries are embedded, where the model makes a difference; an adapter is applied to them alone.
    """
    prefix, colon, _ = settings.model.partition(":")
    if connect := embeddings.get(prefix + colon):
        embedder = connect(settings, env, shared_limit, queries)
    else:
        from ragset.retrieval.embedding.endpoint import EndpointEmbedder

        embedder = EndpointEmbedder(settings, env, shared_limit)
    return adapted(embedder, settings) if queries else embedder


def adapted(queries: Embedder, settings: EmbeddingSettings) -> Embedder:
    """The embedder of queries with the adapter that `settings` name; itself without one."""
    return AdaptedEmbedder(queries, read_adapter(Path(settings.adapter))) if settings.adapter else queries
