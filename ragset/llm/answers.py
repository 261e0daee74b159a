"""What servers answer with status 200, read with forbearance: not all that speak the protocol keep to it."""

import json
from typing import Any

from ragset.llm.protocol import Completion


def read_answer(content: bytes, model: str) -> Completion:
    """The completion in the body of a response.

    Raises:
        ValueError: there is none: a web page, a stream, an error inside a success. The message is the server's own
            where it gives one.
    """
    try:
        body: Any = json.loads(content)
    except (ValueError, RecursionError):
        raise ValueError("not JSON") from None
    try:
        choice = body["choices"][0]
        message = choice["message"]
        usage = body.get("usage") or {}
        details = usage.get("prompt_tokens_details") or {}
        prompt_tokens = _count(usage.get("prompt_tokens"))
        return Completion(
            # Half a surrogate pair can be neither written nor sent on.
            text=_text(message).encode(errors="replace").decode(),
            model=model,
            prompt_tokens=prompt_tokens,
            cached_tokens=min(prompt_tokens, _count(details.get("cached_tokens"))),
            completion_tokens=_count(usage.get("completion_tokens")),
            truncated=choice.get("finish_reason") == "length",
        )
    except (KeyError, IndexError, TypeError, AttributeError):
        raise ValueError(_complaint(body)) from None


def _text(message: Any) -> str:
    """Empty where a model says nothing; parts of text are put together."""
    content = message.get("content") or message.get("refusal") or ""
    if isinstance(content, list):
        parts = [part.get("text") if isinstance(part, dict) else part for part in content]
        content = "".join(part for part in parts if isinstance(part, str))
    return str(content)


def _count(tokens: Any) -> int:
    return max(0, min(int(tokens), 2**53)) if isinstance(tokens, int | float) and tokens == tokens else 0


def _complaint(body: Any) -> str:
    error = body.get("error") if isinstance(body, dict) else None
    message = error.get("message") if isinstance(error, dict) else error
    return str(message or "no completion")
