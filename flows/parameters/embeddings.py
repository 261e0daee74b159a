"""The embeddings of a run."""

from typing import TypeVar

from flows.parameters.models import (
    BenchmarkParameters,
    CorpusWideParameters,
    MultiChunkParameters,
    Parameters,
)
from ragset.retrieval.embedding.auto import settle
from ragset.settings import AUTO, OFFLINE, EmbeddingSettings, Environment
from tasks.run.logs import warn

P = TypeVar("P", bound=Parameters)


def with_embedding(asked: P) -> P:
    """The parameters with a model's name wherever an embedding was left to `auto`; a notice is logged and shown.

    The endpoint is asked which models it has, at most once.
    """
    env = Environment()
    if isinstance(asked, BenchmarkParameters) and (grid := asked.grid):
        models = [settings.model for settings in asked.models]
        left = [one for one in grid.embedding if one.model == AUTO]
        settled = {one: settle(one, models, env) for one in left}
        embeddings = tuple(settled.get(one, one) for one in grid.embedding)
        if not any(place.startswith("embedding.") for place in grid.names):  # names go by the places
            embeddings = tuple(dict.fromkeys(embeddings))
        return asked.model_copy(update={"grid": grid.model_copy(update={"embedding": embeddings})}) if left else asked
    embedding: EmbeddingSettings | None = getattr(asked, "embedding", None)
    if embedding is None or embedding.model != AUTO:
        return asked
    models = [one.model for one in getattr(asked, "models", ())]
    found = settle(embedding, models, env)
    if (
        isinstance(asked, MultiChunkParameters | CorpusWideParameters)
        and found.model == OFFLINE
        and set(models) != {OFFLINE}
    ):
        warn(
            "The endpoint lists no embedding model, so the offline embedding, which compares words, finds the chunks of "
            "a context or theme; name a model with --embedding if there is one."
        )
    return asked.model_copy(update={"embedding": found})
