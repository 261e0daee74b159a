"""Embeddings of LlamaIndex: classes of installed integrations, or of one's own, with their arguments."""

import json
import threading
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from ragset.errors import InputError, ProviderError
from ragset.retrieval.embedding.requests import Answer
from ragset.retrieval.embedding.vectors import Vectors, normalised
from ragset.settings import LLAMAINDEX, EmbeddingSettings
from ragset.settings.llamaindex import called, find_class, make, said
from ragset.text.tokens import count_tokens


@cache
def _loaded(name: str, arguments: str) -> tuple[Any, threading.Lock]:
    """The model, and a lock, since models of this machine are not safe to share between threads."""
    what = f"embedding {name}"
    of = find_class(what, "embeddings", name.removeprefix(LLAMAINDEX))
    if not hasattr(of, "get_text_embedding_batch"):
        raise InputError(f"{what}: {of.__name__} is no embedding; it has no get_text_embedding_batch")
    return make(what, of, json.loads(arguments)), threading.Lock()


class LlamaIndexEmbedder:
    """An embedding of LlamaIndex, made once; for `queries`, as it embeds queries, which may have an instruction of their own."""

    def __init__(self, settings: EmbeddingSettings, *, queries: bool = False) -> None:
        self._model, self._lock = _loaded(settings.model, json.dumps(settings.arguments, sort_keys=True))
        self._queries = queries
        self.model, self.batch_size = settings.model, settings.batch_size
        self.name = called(settings.model, settings.arguments)
        self.identity = f"{self.name} of queries" if queries else self.name

    def embed(self, texts: Sequence[str]) -> Vectors:
        """As `Embedder.embed`."""
        try:
            with self._lock:
                if self._queries:
                    vectors = [self._model.get_query_embedding(text) for text in texts]
                else:
                    vectors = self._model.get_text_embedding_batch(list(texts))
        except Exception as error:  # of a model that is not ours
            raise ProviderError(f"embedding {self.name} failed ({said(error)})") from error
        return normalised(np.asarray(vectors, dtype=np.float32))

    def ask(self, texts: Sequence[str]) -> Answer:
        """`embed`, with the tokens of the texts; how many the provider counted, LlamaIndex does not say."""
        return Answer(self.embed(texts), sum(map(count_tokens, texts)))
