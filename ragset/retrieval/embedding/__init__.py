"""Texts to vectors: the offline default, OpenAI-compatible endpoints, models on this machine."""

from collections.abc import Sequence
from contextlib import nullcontext
from typing import TYPE_CHECKING, Protocol

from ragset.llm.gate import ThreadGate
from ragset.retrieval.embedding.vectors import Vectors, check_vectors, normalised
from ragset.settings import LOCAL, OFFLINE, EmbeddingSettings, Environment

if TYPE_CHECKING:
    from ragset.retrieval.embedding.endpoint import EndpointEmbedder
    from ragset.retrieval.embedding.local import LocalEmbedder
    from ragset.retrieval.embedding.offline import OfflineEmbedder

__all__ = ["Embedder", "Vectors", "check_vectors", "connect_embedder", "normalised"]


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
        """Float32, one L2-normalised row a text, in their order.

        Raises:
            ProviderRefused: another try would fail too (key, model name, address).
            LLMUnavailable: the provider could not be reached within its retries.
        """
        ...


def connect_embedder(
    settings: EmbeddingSettings, env: Environment, gate: ThreadGate = nullcontext
) -> "OfflineEmbedder | LocalEmbedder | EndpointEmbedder":
    """The embedder that `settings` name. Nothing is sent before the first text, and each request passes the `gate`.

    Raises:
        InputError: a local model cannot be loaded, or the extra it needs is not installed; a model at an endpoint,
            and neither a key nor an address is set.
    """
    if settings.model == OFFLINE:
        from ragset.retrieval.embedding.offline import OfflineEmbedder

        return OfflineEmbedder(settings.dimensions or OfflineEmbedder.DIMENSIONS)
    if settings.model.startswith(LOCAL):
        from ragset.retrieval.embedding.local import LocalEmbedder

        return LocalEmbedder(settings.model.removeprefix(LOCAL), settings)
    from ragset.retrieval.embedding.endpoint import EndpointEmbedder

    return EndpointEmbedder(settings, env, gate)
