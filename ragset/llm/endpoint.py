"""The OpenAI-compatible endpoint that the environment names, for models that write and models that embed."""

import re
from typing import Any, NamedTuple

from pydantic import AnyHttpUrl, TypeAdapter, ValidationError

from ragset.errors import InputError
from ragset.settings import OFFLINE, Environment, ModelSettings
from ragset.settings.addresses import check_variable

OPENAI = "https://api.openai.com/v1"
_ADDRESS = TypeAdapter(AnyHttpUrl)
_VERSION = re.compile(r"/v\d+\w*(?:/|$)")


class Endpoint(NamedTuple):
    """Where a model is asked, and with which key."""

    key: str  # empty: none is set, as with many a local server
    address: str | None  # None: OpenAI's own

    @property
    def server(self) -> str:
        """The address without credentials and query, for cache keys and messages."""
        return server_of(self.address)


def server_of(address: str | None) -> str:
    """`Endpoint.server`, also of an address that is not valid; None is OpenAI's."""
    scheme, separator, rest = (address or OPENAI).partition("://")
    netloc, slash, path = rest.partition("/")
    return f"{scheme}{separator}{netloc.rpartition('@')[2]}{slash}{path.partition('?')[0]}".rstrip("/")


def model_identity(settings: ModelSettings, server: str) -> dict[str, Any]:
    """What a model's replies depend on: the `server`, since two may share a model's name, and some settings."""
    if settings.model == OFFLINE:
        return {"model": OFFLINE}
    return {"endpoint": server, **settings.model_dump(include={"model", "temperature", "max_tokens"})}


def endpoint(env: Environment, what: str) -> Endpoint:
    """Where `what` is asked (its name, for messages); raises InputError without a valid key or address."""
    key = env.openai_api_key.get_secret_value().strip() if env.openai_api_key else ""
    if not key and not env.openai_base_url:
        raise InputError(
            f"{what}: set OPENAI_API_KEY, or OPENAI_BASE_URL for a server of your own (or let it be "
            "`offline`, which needs neither)"
        )
    if not (key.isascii() and key.isprintable()):
        raise InputError("OPENAI_API_KEY: must be one line of ASCII characters; was something else pasted with it?")
    check_variable("OPENAI_BASE_URL", env.openai_base_url)
    if env.openai_base_url:
        try:
            _ADDRESS.validate_python(env.openai_base_url)
        except ValidationError:
            raise InputError("OPENAI_BASE_URL: must be an address such as http://localhost:8000/v1") from None
    return Endpoint(key, env.openai_base_url)


def suggestion(address: str) -> str:
    """How to mend the address of a server that does not know a path, as the end of a sentence; may be empty."""
    return "" if _VERSION.search(address) else "; most servers want an address that ends in /v1"
