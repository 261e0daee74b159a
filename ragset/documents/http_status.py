"""What an HTTP response says about trying again."""

import math
import time
from collections.abc import Mapping
from email.utils import parsedate_to_datetime


def is_transient(status: int) -> bool:
    """Whether another try of the same request may succeed."""
    return status in {408, 409, 425, 429} or (status >= 500 and status != 501)


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds until another request is welcome, from `retry-after-ms`, or `Retry-After` in seconds or as a date."""
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
