"""Tries that failed, and whether anybody is answered at all."""

import logging
from typing import NamedTuple

logger = logging.getLogger(__name__)


class RetryableError(NamedTuple):
    """A try that failed and may be repeated."""

    fault: str
    wait: float | None = None
    """Seconds, as the server said."""
    crowded: bool = False
    """It was sent away for coming too often."""
    unconnected: bool = False
    """It did not reach the server."""
    late: bool = False
    """It did, and nothing came back in time."""
    otherwise: bool = False
    """The request is now put otherwise."""


class OutageDetector:
    """Since when a server answers nobody; times are those of one event loop."""

    def __init__(self, endpoint: str) -> None:
        self._endpoint = endpoint
        self._answered_at = float("-inf")
        self._told: int | None = None
        """After how many losses it was told of the present outage."""
        self.losses = 0
        """How often a call gave up and found that nobody is answered."""

    @property
    def from_the_start(self) -> bool:
        """Nobody was answered ever."""
        return self._answered_at == float("-inf")

    def since(self, moment: float) -> bool:
        """Whether nobody was answered from then on."""
        return self._answered_at < moment

    def broken(self, now: float) -> None:
        """A call was answered."""
        self._answered_at, self._told = now, None

    def lose(self) -> None:
        """A call gave up."""
        self.losses += 1

    def tell(self, retryable: RetryableError, tries: int, seconds: float, losses: int) -> None:
        """Warn, once, that calls are tried again for so long; those that came after a loss, again.

        One fault of a server that is there is nothing to tell. `losses` were known when the call came.
        """
        if retryable.crowded or not (retryable.unconnected or retryable.late or tries > 1):
            return
        if self._told == losses or losses < self.losses:
            return
        self._told = losses
        logger.warning(
            "no answer from %s (%s): trying again for up to %.0f s", self._endpoint, retryable.fault, max(1.0, seconds)
        )
