"""What it takes to be asked: a request with its messages, a completion with its usage."""

from collections.abc import Mapping
from typing import Any, Protocol

from pydantic import BaseModel

from ragset.models import Model


class Message(Model):
    """One turn, as the model sees it."""

    role: str
    content: str


class Request(Model):
    """One question to a model. Rules answer from `prompt` and `inputs`, providers from `messages` and `reply`."""

    stage: str
    prompt: str  # name of the prompt file
    inputs: Mapping[str, Any]
    messages: tuple[Message, ...]
    reply: type[BaseModel]  # what the reply is read into; its JSON schema is sent, and is part of the journal's key


class Completion(Model):
    """One reply, as text, with what it cost."""

    text: str
    model: str
    prompt_tokens: int = 0
    cached_tokens: int = 0
    completion_tokens: int = 0
    truncated: bool = False  # the provider cut the reply off at its token limit
    batch: bool = False  # the reply came by the provider's Batch API, at half the price
    seconds: float | None = None  # from request to reply, of the try that was answered; None where nobody waited for it


class LLM(Protocol):
    """Anything that answers a request."""

    @property
    def model(self) -> str:
        """The name that lineage and usage carry."""
        ...

    async def complete(self, request: Request) -> Completion:
        """Answer with a text, which need not fit `request.reply`.

        Raises ProviderRefused, LLMUnavailable or CaseRefused, or BudgetSpent before the call is made.
        """
        ...
