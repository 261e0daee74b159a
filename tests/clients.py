"""Clients of the fake OpenAI server, and requests for them."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, nullcontext
from typing import Any

from pydantic import SecretStr

from ragset.llm.client import OpenAIClient
from ragset.llm.limiter import Limiter, SharedLimit
from ragset.llm.protocol import Message, Request
from ragset.llm.replies import ChunkVerdict, Reply
from ragset.settings import Environment, ModelSettings
from tests.fake_openai import Fake

KEY = "sk-test-3141592653589793"


def environment(url: str | None = None, key: str | None = KEY) -> Environment:
    """As if from the environment, without any `.env`."""
    secret = SecretStr(key) if key is not None else None
    return Environment(_env_file=None, openai_api_key=secret, openai_base_url=url)  # pyright: ignore[reportCallIssue]


@asynccontextmanager
async def client_of(
    fake: Fake | str,
    *,
    key: str | None = KEY,
    limiter: Limiter | None = None,
    shared_limit: SharedLimit = nullcontext,
    **settings: Any,
) -> AsyncGenerator[OpenAIClient]:
    """A client of that server or address, closed after the block."""
    url = fake if isinstance(fake, str) else fake.url
    model = ModelSettings.model_validate({"model": "test-model", "timeout": 5.0, **settings})
    found = OpenAIClient(model, environment(url, key), limiter, shared_limit)
    try:
        yield found
    finally:
        await found.aclose()


def request_of(case: str = "Green tea turns bitter above 80 °C.", reply: type[Reply] = ChunkVerdict) -> Request:
    """A request about one chunk."""
    system = Message(role="system", content="You decide whether a passage is worth asking about.")
    user = Message(role="user", content=f"<chunk>\n{case}\n</chunk>")
    return Request(stage="judge", prompt="judge_chunk", inputs={"chunk": case}, messages=(system, user), reply=reply)
