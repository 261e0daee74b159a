"""What a provider's refusal says: enough for a person to act on, and never a key."""

import json
import math
import re
import time
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from typing import Any

_KEYS = re.compile(r"\b(?:(?:sk|pk|key)[-_]|Bearer +)[A-Za-z0-9_\-]{6,}[^\s'\"]*")
_SHORTEST_KEY = 4
"""Shorter ones, as people give to servers of their own, are no secrets and stand in ordinary words."""


def about(error: Any) -> str:
    """All words of the refusal, in lower case: to look for what it is about."""
    body = error.body
    try:
        said = json.dumps(body) if body else ""
    except (TypeError, ValueError):
        said = str(body)
    return f"{said} {error.message}".lower()


def excerpt(said: str, key: str) -> str:
    """At most 200 characters of a provider's words on one line, with anything like a key masked."""
    line = " ".join(said.split())
    if len(key) >= _SHORTEST_KEY:
        line = line.replace(key, "…")
    return _KEYS.sub("…", line)[:200]


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds until another call is welcome, from `retry-after-ms`, or `Retry-After` in seconds or as a date."""
    try:
        if milliseconds := headers.get("retry-after-ms"):
            return _seconds(float(milliseconds) / 1000)
        after = headers.get("retry-after")
        if after is None:
            return None
        if any(letter.isalpha() for letter in after):
            return max(0.0, parsedate_to_datetime(after).timestamp() - time.time())
        return _seconds(float(after))
    except (TypeError, ValueError, OverflowError):
        return None


def _seconds(number: float) -> float | None:
    return number if 0 <= number < math.inf else None
