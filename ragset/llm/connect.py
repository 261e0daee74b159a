"""From settings to a model that can be asked."""

from urllib.parse import urlsplit

from ragset.errors import InputError
from ragset.llm.client import OpenAIClient
from ragset.llm.form import Form
from ragset.llm.journal import Journal
from ragset.llm.limiter import Limiter
from ragset.settings import Environment, ModelSettings


def connect(settings: ModelSettings, env: Environment, limiter: Limiter | None = None) -> OpenAIClient:
    """A client for the model at the endpoint that `env` names; models that share a `limiter` share its limit.

    Raises:
        InputError: neither a key nor an address is set, or one is not of the right form.
    """
    key = env.openai_api_key.get_secret_value().strip() if env.openai_api_key else ""
    if not key and not env.openai_base_url:
        raise InputError(
            f"model {settings.model}: set OPENAI_API_KEY, or OPENAI_BASE_URL for a server of your own (or let the "
            "model be `offline`, which needs neither)"
        )
    if not (key.isascii() and key.isprintable()):
        raise InputError("OPENAI_API_KEY: must be one line of ASCII characters; was something else pasted with it?")
    if env.openai_base_url and not _is_address(env.openai_base_url):
        raise InputError("OPENAI_BASE_URL: must be an address such as http://localhost:8000/v1")
    return OpenAIClient(settings, env, limiter or Limiter(settings.max_concurrency))


async def preflight(client: OpenAIClient, journal: Journal) -> None:
    """Return if the model answers; a model that did so before is taken at its word.

    One small call finds a wrong key, model name or address before any work is done, and how the server can be asked
    for JSON.

    Raises:
        ProviderRefused, LLMUnavailable: one line that says what to set.
    """
    name = f"ready {client.endpoint} {client.model}"
    known = Form.parse(journal.recall(name) or "")
    if known is not None:
        client.form = known
        return
    await client.check()
    await journal.remember(name, str(client.form))


def _is_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
        return parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False
