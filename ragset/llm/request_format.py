"""How a request is put: with all that the protocol has, or without what a server or model turned out to refuse."""

import json
from functools import lru_cache
from typing import Any, Literal, NamedTuple, Self, get_args

from pydantic import BaseModel

from ragset.llm.protocol import Message, Request
from ragset.llm.reply_fields import Reply
from ragset.settings import ModelSettings

Mode = Literal["json_schema", "json_object", "text"]  # how JSON is asked for; a server may lack all but the last

_MODES: tuple[Mode, ...] = get_args(Mode)
_PARAMETERS = ("temperature", "max_tokens")
_OF_FORMAT = ("response_format", "json_schema", "json_object", "schema", "grammar", "structured")
_REFUSED = {"title", "default", "maxItems", "properties"}  # by strict servers; properties are put in anew


class RequestFormat(NamedTuple):
    """One way of putting a request; as text, `json_object -temperature`."""

    mode: Mode = "json_schema"
    without: frozenset[str] = frozenset()  # parameters that the model refuses

    def __str__(self) -> str:
        return " ".join([self.mode, *(f"-{name}" for name in sorted(self.without))])

    @classmethod
    def parse(cls, text: str) -> Self | None:
        """The format with this text, or None."""
        mode, *without = text.split(" ")
        if mode not in _MODES or not set(without) <= {f"-{name}" for name in _PARAMETERS}:
            return None
        return cls(mode, frozenset(name[1:] for name in without))

    def after_refusal(self, refusal: str) -> Self | None:
        """The next format to try after a refusal in these words (lower case); None if they blame no part of this one."""
        for parameter in _PARAMETERS:
            if parameter in refusal and parameter not in self.without:
                return self._replace(without=self.without | {parameter})
        if self.mode != _MODES[-1] and any(word in refusal for word in _OF_FORMAT):
            return self._replace(mode=_MODES[_MODES.index(self.mode) + 1])
        return None

    def body(self, request: Request, settings: ModelSettings) -> dict[str, Any]:
        """The JSON that is sent."""
        messages = [{"role": message.role, "content": message.content} for message in request.messages]
        limit = "max_completion_tokens" if "max_tokens" in self.without else "max_tokens"
        body: dict[str, Any] = {"model": settings.model, "messages": messages, limit: settings.max_tokens}
        if settings.temperature is not None and "temperature" not in self.without:
            body["temperature"] = settings.temperature
        if self.mode == "json_schema":
            schema = {"name": request.reply.__name__, "schema": strict_schema(request.reply), "strict": True}
            body["response_format"] = {"type": "json_schema", "json_schema": schema}
            return body
        if self.mode == "json_object":
            body["response_format"] = {"type": "json_object"}
        messages[0]["content"] += f"\n\nThe JSON object must fit this JSON schema:\n{schema_text(request.reply)}"
        return body


@lru_cache(maxsize=64)
def strict_schema(reply: type[BaseModel]) -> dict[str, Any]:
    """The JSON schema of a reply: closed objects with all fields required, in keywords that strict servers take."""
    return _strict(reply.model_json_schema())


@lru_cache(maxsize=64)
def schema_text(reply: type[BaseModel]) -> str:
    """The same for a prompt, and for the key of the journal."""
    return json.dumps(strict_schema(reply), ensure_ascii=False, sort_keys=True)


def _strict(node: Any) -> Any:
    if isinstance(node, list):
        return [_strict(item) for item in node]
    if not isinstance(node, dict):
        return node
    strict = {word: _strict(value) for word, value in node.items() if word not in _REFUSED}
    if "properties" in node:
        strict["properties"] = {field: _strict(value) for field, value in node["properties"].items()}
        strict["required"] = list(node["properties"])
        strict["additionalProperties"] = False
    return strict


class Ready(Reply):
    """That the model answers."""

    ready: bool


_SYSTEM = Message(role="system", content='You reply in JSON. When asked, reply {"ready": true}.')
_MESSAGES = (_SYSTEM, Message(role="user", content="Ready?"))
# The smallest request: a provider that refuses it refuses more than one case.
READY = Request(stage="preflight", prompt="preflight", inputs={}, messages=_MESSAGES, reply=Ready)
