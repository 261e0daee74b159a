"""The JSON schema of a reply, in the dialect that servers with structured output take."""

import json
from functools import lru_cache
from typing import Any

from pydantic import BaseModel

_REFUSED = {"title", "default", "maxItems", "properties"}


@lru_cache(maxsize=64)
def strict_schema(reply: type[BaseModel]) -> dict[str, Any]:
    """Closed objects with all fields required, and none of the keywords that strict servers refuse."""
    return _strict(reply.model_json_schema())


@lru_cache(maxsize=64)
def schema_text(reply: type[BaseModel]) -> str:
    """For a prompt, and for a digest."""
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
