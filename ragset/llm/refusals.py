"""What a provider's refusal says: enough for a person to act on, and never a key."""

import json
import re
import time
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from typing import Any

_KEYS = re.compile(r"\b(?:sk|pk|key|Bearer)[-_ ][A-Za-z0-9_\-]{6,}[^\s'\"]*")


def about(error: Any) -> str:
    """All words of the refusal, in lower case: to look for what it is about."""
    body = error.body
    try:
        said = json.dumps(body) if body else ""
    except (TypeError, ValueError):
        said = str(body)
    return f"{said} {error.message}".lower()


def excerpt(error: Any, key: str) -> str:
    """At most 200 characters of the refusal on one line, with anything like a key masked."""
    body = error.body
    message = body.get("message") if isinstance(body, dict) else None
    text = " ".join(str(message or error.message).split())
    return _KEYS.sub("…", text.replace(key, "…"))[:200]


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds until another call is welcome, from `retry-after-ms`, or `Retry-After` in seconds or as a date."""
    try:
        if milliseconds := headers.get("retry-after-ms"):
            return max(0.0, float(milliseconds) / 1000)
        after = headers.get("retry-after")
        if after is None:
            return None
        if after.replace(".", "", 1).isdigit():
            return float(after)
        return max(0.0, parsedate_to_datetime(after).timestamp() - time.time())
    except (TypeError, ValueError):
        return None
