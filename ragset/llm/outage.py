"""Tries that failed, and whether the server answers any call at all."""

import logging
from typing import NamedTuple

logger = logging.getLogger(__name__)


class RetryableError(NamedTuple):
    """A try that failed and may be repeated."""

    fault: str
    wait: float | None = None
    """Seconds, as the server said."""
    rate_limited: bool = False
    unconnected: bool = False
    """It did not reach the server."""
    timed_out: bool = False
    """It reached the server, and nothing came back in time."""
    reformatted: bool = False
    """The next try puts the request another way."""


class OutageDetector:
    """Since when a server has answered no call; times are those of one event loop."""

    def __init__(self, endpoint: str) -> None:
        self._endpoint = endpoint
        self._answered_at = float("-inf")
        self._warned_after: int | None = None
        """How many outages had been found when the present one was warned of."""
        self.outages = 0
        """How often a call gave up and found that no call is answered."""

    @property
    def never_answered(self) -> bool:
        """Whether no call was ever answered."""
        return self._answered_at == float("-inf")

    def silent_since(self, moment: float) -> bool:
        """Whether no call was answered from then on."""
        return self._answered_at < moment

    def answered(self, now: float) -> None:
        """Note that a call was answered."""
        self._answered_at, self._warned_after = now, None

    def found_outage(self) -> None:
        """Note that a call gave up."""
        self.outages += 1

    def warn(self, error: RetryableError, tries: int, seconds: float, outages: int) -> None:
        """Warn, once for each outage, that calls are tried again for so many seconds.

        A single fault of a server that is there is not warned of. `outages` is how many were found when the call came.
        """
        if error.rate_limited or not (error.unconnected or error.timed_out or tries > 1):
            return
        if self._warned_after == outages or outages < self.outages:
            return
        self._warned_after = outages
        logger.warning(
            "no answer from %s (%s): trying again for up to %.0f s", self._endpoint, error.fault, max(1.0, seconds)
        )
