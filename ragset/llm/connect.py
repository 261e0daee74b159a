"""From settings to a model that can be asked."""

from contextlib import nullcontext

from ragset.llm.client import OpenAIClient
from ragset.llm.endpoint import endpoint
from ragset.llm.journal import Journal
from ragset.llm.limiter import Limiter, SharedLimit
from ragset.llm.request_format import RequestFormat
from ragset.settings import Environment, ModelSettings


def connect(
    settings: ModelSettings, env: Environment, limiter: Limiter | None = None, shared_limit: SharedLimit = nullcontext
) -> OpenAIClient:
    """A client for the model at the endpoint that `env` names; models that share a `limiter` share its limit.

    Each request enters `shared_limit`; a try after a back-off enters it anew.

    Raises:
        InputError: neither a key nor an address is set, or one is not of the right form.
    """
    endpoint(env, f"model {settings.model}")
    return OpenAIClient(settings, env, limiter or Limiter(settings.max_concurrency), shared_limit)


async def preflight(client: OpenAIClient, journal: Journal) -> None:
    """Return if the model answers; a model that did so before is taken at its word.

    One small call finds a wrong key, model name or address before any work is done, and how the server can be asked
    for JSON.

    Raises:
        ProviderRefused, LLMUnavailable: one line that says what to set.
    """
    name = f"ready {client.endpoint} {client.model}"
    known = RequestFormat.parse(journal.recall(name) or "")
    if known is not None:
        client.form = known
        return
    await client.check()
    await journal.remember(name, str(client.form))
