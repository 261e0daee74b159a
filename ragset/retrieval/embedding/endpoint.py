"""Embedding models behind an OpenAI-compatible `/embeddings` endpoint."""

import json
import logging
import weakref
from collections.abc import Sequence
from contextlib import nullcontext
from typing import Any

import numpy as np

from ragset.documents.http_status import is_transient
from ragset.errors import LLMUnavailable, ProviderError, ProviderRefused, RagsetError
from ragset.llm.endpoint import OPENAI, endpoint, suggestion
from ragset.llm.limiter import BlockingSharedLimit
from ragset.llm.responses import quote
from ragset.retrieval.embedding.requests import Answer, ask_each, requests_of
from ragset.retrieval.embedding.vectors import Vectors, normalised
from ragset.settings import EmbeddingSettings, Environment
from ragset.text.tokens import count_tokens

logger = logging.getLogger(__name__)

_MAX_RETRIES = 5


class EndpointEmbedder:
    """A model by name at `OPENAI_BASE_URL`, or at OpenAI where that is not set."""

    def __init__(
        self, settings: EmbeddingSettings, env: Environment, shared_limit: BlockingSharedLimit = nullcontext
    ) -> None:
        found = endpoint(env, f"embedding {settings.model}")
        from openai import OpenAI

        self._settings, self._key, self._server = settings, found.key, found.server
        self._client = OpenAI(
            api_key=found.key or "none",  # local servers look at no key
            base_url=found.address or OPENAI,
            timeout=settings.timeout,
            max_retries=_MAX_RETRIES,
            http_client=_limited(shared_limit, settings.timeout),
        )
        weakref.finalize(self, self._client.close)
        self._label = f"embedding model {settings.model} at {found.server}"
        self._reached = False
        self.model, self.batch_size = settings.model, settings.batch_size
        self.name = f"{settings.model}-{settings.dimensions}" if settings.dimensions else settings.model
        self.identity = json.dumps([self._server, settings.model, settings.dimensions])

    def embed(self, texts: Sequence[str]) -> Vectors:
        """In requests of `batch_size` texts, a few at a time; time-outs, 429 and 5xx are tried again."""
        if not texts:
            return np.empty((0, self._settings.dimensions or 0), dtype=np.float32)
        batches = [answer.vectors for answer in ask_each(self.ask, requests_of(texts, self.batch_size))]
        if len(sizes := {batch.shape[1] for batch in batches}) > 1:
            raise ProviderRefused(f"{self._label} answered with vectors of different sizes: {sorted(sizes)}")
        return np.concatenate(batches)

    def ask(self, texts: Sequence[str]) -> Answer:
        """One request, with what it cost."""
        import openai

        try:
            reply = self._send(texts)
        except openai.APITimeoutError as error:
            tried = f"in {self._settings.timeout:g} seconds, {_MAX_RETRIES + 1} times over"
            mend = "go on later, or raise the embedding's timeout"
            raise LLMUnavailable(f"{self._label} did not answer {tried}; {mend}") from error
        except openai.APIConnectionError as error:
            # The package takes an error of the shared limit for one of the connection.
            if isinstance(error.__cause__, RagsetError):
                raise error.__cause__ from None
            raise LLMUnavailable(f"{self._label} cannot be reached; check OPENAI_BASE_URL") from error
        except openai.APIStatusError as error:
            raise self._refusal(error) from error
        except (openai.OpenAIError, ValueError, TypeError, AttributeError) as error:
            mend = "check OPENAI_BASE_URL (it often ends in /v1)"
            raise ProviderRefused(f"{self._label} does not answer as an embeddings endpoint; {mend}") from error
        return Answer(self._read(reply, len(texts)), _tokens(reply, texts))

    def _send(self, texts: Sequence[str]) -> Any:
        import openai

        options: dict[str, Any] = {"dimensions": self._settings.dimensions} if self._settings.dimensions else {}
        options |= {"model": self._settings.model, "input": list(texts), "encoding_format": "float"}
        if not self._reached:
            # An address that nobody listens at should not cost the time of all retries.
            try:
                reply = self._client.with_options(max_retries=0).embeddings.create(**options)
            except (openai.APITimeoutError, openai.RateLimitError, openai.InternalServerError):
                logger.info("embedding endpoint is busy; trying again")
            else:
                self._reached = True
                return reply
        return self._client.embeddings.create(**options)

    def _read(self, reply: Any, count: int) -> Vectors:
        try:
            items = sorted(reply.data, key=lambda item: item.index)
            vectors = np.array([item.embedding for item in items], dtype=np.float64)
            complete = [item.index for item in items] == list(range(count)) and vectors.ndim == 2
        except (AttributeError, TypeError, ValueError):
            complete, vectors = False, np.empty((0, 0))
        if not complete:
            raise ProviderRefused(f"{self._label} did not return one vector for each of {count} texts")
        return normalised(vectors)

    def _refusal(self, error: Any) -> ProviderError:
        status: int = error.status_code
        if status in (401, 403):
            key = "OPENAI_API_KEY" if self._key else "OPENAI_API_KEY (none is set)"
            return ProviderRefused(f"{self._label} refused the key; check {key}")
        if status == 404:
            mend = f"check the name of the embedding model and OPENAI_BASE_URL{suggestion(self._server)}"
            return ProviderRefused(f"{self._label} was not found; {mend}")
        if is_transient(status):
            return LLMUnavailable(f"{self._label} answered {status} {_MAX_RETRIES + 1} times over; go on later")
        return ProviderRefused(f"{self._label} answered {status}: {quote(error, self._key)}")


def _limited(shared_limit: BlockingSharedLimit, timeout: float) -> Any:
    """An HTTP client that enters the limit for each request, also for retries. Waiting for it does not count as time-out."""
    from openai import DefaultHttpxClient

    class Limited(DefaultHttpxClient):
        def send(self, *arguments: Any, **named: Any) -> Any:
            with shared_limit():
                return super().send(*arguments, **named)

    return Limited(timeout=timeout)


def _tokens(reply: Any, texts: Sequence[str]) -> int:
    """As the provider says, or else as counted here: many servers of one's own say nothing."""
    said = getattr(getattr(reply, "usage", None), "prompt_tokens", None)
    return said if isinstance(said, int) and said > 0 else sum(map(count_tokens, texts))
