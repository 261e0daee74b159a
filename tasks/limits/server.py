"""One global concurrency limit of Prefect's server, asked with bounded patience."""

import asyncio
import logging
from collections.abc import Awaitable
from math import inf
from typing import Any, NamedTuple, TypeVar
from uuid import UUID

import httpx
from prefect.client.orchestration import PrefectClient
from prefect.context import SettingsContext, get_settings_context
from prefect.exceptions import ObjectNotFound
from prefect.settings import PREFECT_CLIENT_MAX_RETRIES

from ragset.errors import ServerError

logger = logging.getLogger(__name__)

LEASE_SECONDS = 60.0  # the shortest lease that Prefect grants: so soon the slots of a killed run are free again
REQUEST_SECONDS = 10.0
_PATIENCE = 30.0  # seconds of silence after which the run ends
_REFUSALS = {404, 410, 422, 423}  # no such limit or lease (any more); limit lower than what is asked; no slot free
_BUSY = {408, 429, 502, 503}

T = TypeVar("T")


class NoAnswer(Exception):  # noqa: N818
    """The server did not do what it was asked to, or nobody knows whether it did."""


class NotDone(NoAnswer):
    """The server certainly did not do it."""


class _Busy(OSError):  # noqa: N818
    """The server answered that it cannot answer now."""


async def refuse_to_wait(response: httpx.Response) -> None:
    """Keep Prefect's client from sleeping for seconds on "busy", as SQLite is for milliseconds; a hook on responses."""
    if response.status_code in _BUSY:
        raise _Busy(response.status_code)


class State(NamedTuple):
    """A limit as it stands."""

    limit: int
    free: int  # slots that nobody has; below 0 where the limit was lowered
    decay: float  # slots that come free by themselves, a second
    changed: float  # when slots were last taken or given back, in seconds since the epoch by the server's clock


class GlobalLimit:
    """Requests about one limit, for one event loop.

    All raise ServerError if the server was silent for too long or refuses our credentials, else NoAnswer.
    """

    def __init__(self, client: PrefectClient, name: str) -> None:
        self.name = name
        self._client = client
        self._silent_since = inf
        outer = get_settings_context()
        # Made once: a copy of all settings takes some 25 ms.
        updated = outer.settings.copy_with_update(updates={PREFECT_CLIENT_MAX_RETRIES: 0})
        self._settings: dict[str, Any] = {"profile": outer.profile, "settings": updated}

    async def read(self) -> State | None:
        """None where there is no such limit (any more), or it is not active."""
        found = await self._answer(self._client.read_global_concurrency_limit_by_name(self.name))
        if found is None or not found.active:
            return None
        if found.limit < 1:
            raise ServerError(
                f"the global concurrency limit {self.name} of Prefect's server at {self._client.api_url} is 0, so no "
                "model may be called: raise it, or disable it, in the UI under Concurrency; nothing that was answered "
                "is lost"
            )
        changed = found.updated.timestamp() if found.updated else 0.0
        return State(found.limit, found.limit - found.active_slots, found.slot_decay_per_second, changed)

    async def lease(self, slots: int) -> UUID | None:
        """Take so many for `LEASE_SECONDS`; None if fewer are free. A lease that was granted unheard ends by itself."""
        asked = self._client.increment_concurrency_slots_with_lease([self.name], slots, "concurrency", LEASE_SECONDS)
        answer = await self._answer(asked)
        return None if answer is None else UUID(answer.json()["lease_id"])

    async def renew(self, lease: UUID) -> bool:
        """Whether the lease lasts for another `LEASE_SECONDS`; False if the server knows of no such lease (any more)."""
        return await self._answer(self._client.renew_concurrency_lease(lease, LEASE_SECONDS)) is not None

    async def release(self, lease: UUID) -> None:
        """Give back the slots of a lease. Ask again after NotDone only: two releases at once free the slots twice."""
        await self._answer(self._client.release_concurrency_slots_with_lease(lease))

    async def take(self, slots: int) -> bool:
        """Take so many for good, from a limit with decay; False if fewer are free."""
        asked = self._client.increment_concurrency_slots([self.name], slots, "rate_limit")
        return await self._answer(asked) is not None

    async def _answer(self, request: Awaitable[T]) -> T | None:
        """The answer; None where the server refuses."""
        now = asyncio.get_running_loop().time
        asked = now()
        try:
            # Prefect's client would try again by itself, with a second lease where the first was granted unheard.
            with SettingsContext(**self._settings):
                async with asyncio.timeout(REQUEST_SECONDS):
                    answer = await request
        except ObjectNotFound:
            answer = None
        except httpx.HTTPStatusError as error:
            if (status := error.response.status_code) >= 500:
                raise self._silent(asked, now(), error) from None
            if status not in _REFUSALS:
                raise ServerError(
                    f"Prefect's server at {self._client.api_url} refuses what is asked of the limit {self.name} (status "
                    f"{status}); check PREFECT_API_AUTH_STRING, PREFECT_API_KEY and PREFECT_API_URL"
                ) from None
            answer = None
        except (httpx.TransportError, TimeoutError, OSError) as error:
            raise self._silent(asked, now(), error) from None
        self._silent_since = inf
        return answer

    def _silent(self, asked: float, now: float, error: Exception) -> Exception:
        self._silent_since = min(self._silent_since, asked)
        logger.debug("Prefect's server does not answer for %s (%s)", self.name, type(error).__name__)
        if now - self._silent_since < _PATIENCE:
            return NotDone() if isinstance(error, httpx.ConnectError | _Busy) else NoAnswer()
        return ServerError(
            f"PREFECT_API_URL: Prefect's server at {self._client.api_url}, which counts the model calls of all runs "
            f"({self.name}), has not answered for {_PATIENCE:.0f} s ({type(error).__name__}); start it and run the same "
            "command again: nothing that was answered is lost"
        )
