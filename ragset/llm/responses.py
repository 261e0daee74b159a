"""What a provider answers: completions, read leniently, and refusals, without ever quoting a key."""

import json
import re
from typing import Any

from ragset.documents.http_status import is_transient
from ragset.llm.protocol import Completion

_KEYS = re.compile(r"\b(?:(?:sk|pk|key)[-_]|Bearer +)[A-Za-z0-9_\-]{6,}[^\s'\"]*")
_SHORTEST_KEY = 4  # shorter ones, as people give to servers of their own, are no secrets and stand in ordinary words
_OF_CASE = (
    "context length", "context_length", "context window", "context size", "too long", "request too large",
    "content_filter", "content filter", "content management", "safety", "moderation", "flagged",
)  # fmt: skip
_OF_FUNDS = (
    "insufficient_quota", "insufficient balance", "billing_not_active", "billing_hard_limit",
    "credit balance is too low",
)  # fmt: skip


def read_answer(content: bytes, model: str) -> Completion:
    """The completion in a response's body; raises ValueError, with any message of the server, if there is none."""
    try:
        body = json.loads(content)
    except (ValueError, RecursionError):
        raise ValueError("not JSON") from None
    return read_completion(body, model)


def read_completion(body: Any, model: str, *, batch: bool = False) -> Completion:
    """The same of a body that is read."""
    try:
        choice = body["choices"][0]
        usage = body.get("usage") or {}
        prompt_tokens = _count(usage.get("prompt_tokens"))
        cached_tokens = _count((usage.get("prompt_tokens_details") or {}).get("cached_tokens"))
        return Completion(
            # Half a surrogate pair can be neither written nor sent on.
            text=_text(choice["message"]).encode(errors="replace").decode(),
            model=model,
            prompt_tokens=prompt_tokens,
            cached_tokens=min(prompt_tokens, cached_tokens),
            completion_tokens=_count(usage.get("completion_tokens")),
            truncated=choice.get("finish_reason") == "length",
            batch=batch,
        )
    except (KeyError, IndexError, TypeError, AttributeError):
        error = body.get("error") if isinstance(body, dict) else None
        message = error.get("message") if isinstance(error, dict) else error
        raise ValueError(str(message or "no completion")) from None


def _text(message: Any) -> str:
    content = message.get("content") or message.get("refusal") or ""
    if isinstance(content, list):
        parts = [part.get("text") if isinstance(part, dict) else part for part in content]
        return "".join(part for part in parts if isinstance(part, str))
    return str(content)


def _count(tokens: Any) -> int:
    return max(0, min(int(tokens), 2**53)) if isinstance(tokens, int | float) and tokens == tokens else 0


def of_case(status: int, words: str) -> bool:
    """Whether the refusal is about what was asked (too long, filtered), not about how."""
    # A request larger than all that may be sent in a minute is answered like one that came too soon.
    if status == 429:
        return "request too large" in words
    return status == 413 or (not is_transient(status) and any(word in words for word in _OF_CASE))


def of_funds(status: int, words: str) -> bool:
    """Whether the refusal says that nothing is answered until somebody pays."""
    return status == 402 or (status in {400, 403, 429} and any(word in words for word in _OF_FUNDS))


def words_of(error: Any) -> str:
    """All words of the refusal, in lower case."""
    return f"{json.dumps(error.body, default=str)} {error.message}".lower()


def quote(error: Any, key: str) -> str:
    """What the provider says in its refusal, fit for a message."""
    message = error.body.get("message") if isinstance(error.body, dict) else None
    return excerpt(str(message or error.message), key)


def excerpt(said: str, key: str) -> str:
    """At most 200 characters of a provider's words on one line, with anything like a key masked."""
    line = " ".join(said.split())
    if len(key) >= _SHORTEST_KEY:
        line = line.replace(key, "…")
    return _KEYS.sub("…", line)[:200]
