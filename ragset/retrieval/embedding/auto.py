"""The embedding that `auto` stands for, settled before a run begins."""

import logging
import re
from collections.abc import Iterable

from ragset.documents.http_status import is_transient
from ragset.errors import InputError, LLMUnavailable
from ragset.llm.endpoint import OPENAI, endpoint
from ragset.settings import AUTO, LLAMAINDEX, LOCAL, OFFLINE, EmbeddingSettings, Environment

logger = logging.getLogger(__name__)

_PREFERRED = "text-embedding-3-small"  # where OpenAI's are: a third of the price of the others
_EMBEDS = re.compile(
    r"(?:^|[/_.-])embed(?:der|ding|dings)?(?:$|[:_.-])|(?:^|/)(?:bge|gte|e5|multilingual-e5|all-minilm)-"
)
_OTHERWISE = re.compile(r"rerank|code|clip|image|vision|-vl\b")  # models that embed no prose, or rank
_TIMEOUT = 20.0  # seconds


def settle(settings: EmbeddingSettings, models: Iterable[str], env: Environment) -> EmbeddingSettings:
    """The settings with a model's name in place of `auto`.

    That is an embedding model of the endpoint if one of the language `models` is asked there and the endpoint lists one, and
    `offline` otherwise, as where the endpoint refuses to list any.

    Raises:
        LLMUnavailable: nothing answers now. A run that settled on `offline` for that would be another when it is resumed.
    """
    if settings.model != AUTO:
        return settings
    paid = any(model != OFFLINE for model in models)
    found = embedding_model(_listed(env)) if paid else None
    logger.info("embedding auto is %s", found or OFFLINE)
    return settings.model_copy(update={"model": found or OFFLINE})


def embedding_model(names: Iterable[str]) -> str | None:
    """Which of these models of an endpoint embeds text, by its name; of several the same one in any order of `names`."""
    # An endpoint cannot have a folder or a class of this machine loaded.
    there = [name for name in names if not name.startswith((LOCAL, LLAMAINDEX))]
    found = sorted(name for name in there if _EMBEDS.search(name.lower()) and not _OTHERWISE.search(name.lower()))
    return _PREFERRED if _PREFERRED in found else next(iter(found), None)


def _listed(env: Environment) -> list[str]:
    try:
        where = endpoint(env, "embedding auto")
    except InputError:  # the check of the models that write says so
        return []
    import openai

    with openai.OpenAI(api_key=where.key or "none", base_url=where.address or OPENAI, timeout=_TIMEOUT) as client:
        try:
            return [str(model.id) for model in client.models.list()]
        except (openai.OpenAIError, ValueError, TypeError, AttributeError) as error:
            status = error.status_code if isinstance(error, openai.APIStatusError) else None
            if isinstance(error, openai.APIConnectionError) or (status and is_transient(status)):
                raise LLMUnavailable(
                    f"{where.server} did not list its models ({f'status {status}' if status else 'no connection'}), among "
                    "which embedding auto looks for one that embeds; if the address is wrong, set OPENAI_BASE_URL; else run "
                    "the same command later, or name an embedding (--embedding)"
                ) from None
            logger.info("%s lists no models (%s)", where.server, type(error).__name__)
            return []
