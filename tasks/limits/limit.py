"""One global concurrency limit on Prefect's server, asked for with bounded patience."""

import asyncio
import logging
from collections.abc import Awaitable
from math import inf
from typing import Any, NamedTuple, TypeVar
from uuid import UUID

import httpx
from prefect.client.orchestration import PrefectClient
from prefect.client.schemas.responses import GlobalConcurrencyLimitResponse
from prefect.context import SettingsContext, get_settings_context
from prefect.exceptions import ObjectNotFound
from prefect.settings import PREFECT_CLIENT_MAX_RETRIES

from ragset.errors import ServerError

logger = logging.getLogger(__name__)

LEASE_SECONDS = 60.0
"""The shortest that Prefect grants: so soon the slots of a killed run are free again."""
REQUEST_SECONDS = 5.0
_PATIENCE = 30.0
"""Seconds of silence that are borne: fewer than any lease that is renewed in time has left."""
_GONE = {404, 410}
_REFUSED = {422, 423}
"""Statuses for "no slot is free", and for "more than the limit", which has been lowered meanwhile."""
_TOLD = _GONE | _REFUSED
_BUSY = {408, 429, 502, 503}


T = TypeVar("T")


class LimitUnavailable(Exception):  # noqa: N818
    """The server did not answer, this time."""


class Busy(OSError):  # noqa: N818
    """The server answered that it cannot answer now."""


async def at_once(response: httpx.Response) -> None:
    """Keep Prefect's client from sleeping on an answer that it would ask for again: a hook on its responses.

    A server on SQLite sends such answers whenever two writes meet (a 503 for "database is locked"), and is free again in
    milliseconds; the client waits two seconds and more, even where it is allowed no retry.
    """
    if response.status_code in _BUSY:
        raise Busy(response.status_code)


class State(NamedTuple):
    """A limit as it stands."""

    limit: int
    taken: int
    """Slots, of all runs."""
    decay: float
    """Slots that come free by themselves, a second."""
    changed: float
    """When slots were last taken or given back, in seconds since the epoch by the server's clock."""

    @property
    def free(self) -> int:
        """Slots that nobody has; below 0 where the limit was lowered."""
        return self.limit - self.taken


class GlobalLimit:
    """What this process has to do with a limit; belongs to one event loop."""

    def __init__(self, client: PrefectClient, name: str) -> None:
        self.name = name
        self._client = client
        self._silent_since = inf
        outer = get_settings_context()
        # Made once: a copy of all settings takes some 25 ms.
        updated = outer.settings.copy_with_update(updates={PREFECT_CLIENT_MAX_RETRIES: 0})
        self._settings: dict[str, Any] = {"profile": outer.profile, "settings": updated}

    async def found(self) -> bool:
        """Is it there and active? Asked again while the server is silent.

        Raises:
            ServerError: it stays so.
        """
        while True:
            try:
                return await self.read() is not None
            except LimitUnavailable:
                await asyncio.sleep(1)

    async def read(self) -> State | None:
        """None where there is no such limit (any more), or it is not active.

        Raises:
            ServerError: the limit lets nobody call, or the server has been silent for too long.
            LimitUnavailable: it did not answer.
        """
        try:
            found = await self._answer(self._client.read_global_concurrency_limit_by_name(self.name))
        except ObjectNotFound:
            return None
        return self._state(found) if found.active else None

    def _state(self, found: GlobalConcurrencyLimitResponse) -> State | None:
        if found.limit < 1:
            raise ServerError(
                f"the global concurrency limit {self.name} of Prefect's server at {self._client.api_url} is 0, so no "
                "model may be called: raise it, or disable it, in the UI under Concurrency; nothing that was answered "
                "is lost"
            )
        changed = found.updated.timestamp() if found.updated else 0.0
        return State(found.limit, found.active_slots, found.slot_decay_per_second, changed)

    async def lease(self, slots: int) -> UUID | None:
        """Take so many for `LEASE_SECONDS`; None if fewer are free.

        Raises:
            ServerError, LimitUnavailable: as above; a lease that was granted unheard ends by itself.
        """
        asked = self._client.increment_concurrency_slots_with_lease([self.name], slots, "concurrency", LEASE_SECONDS)
        try:
            answer = await self._answer(asked)
        except httpx.HTTPStatusError as refusal:
            if refusal.response.status_code in _REFUSED:
                return None
            raise
        return UUID(answer.json()["lease_id"])

    async def take(self, slots: int) -> bool:
        """Take so many for good, from a limit with decay.

        Raises:
            ServerError, LimitUnavailable: as above.
        """
        try:
            await self._answer(self._client.increment_concurrency_slots([self.name], slots, "rate_limit"))
        except httpx.HTTPStatusError as refusal:
            if refusal.response.status_code in _REFUSED:
                return False
            raise
        return True

    async def renew(self, lease: UUID) -> bool:
        """For another `LEASE_SECONDS`; False if the server knows of no such lease (any more).

        Raises:
            ServerError, LimitUnavailable: as above.
        """
        try:
            await self._answer(self._client.renew_concurrency_lease(lease, LEASE_SECONDS))
        except httpx.HTTPStatusError as refusal:
            if refusal.response.status_code in _GONE:
                return False
            raise
        return True

    async def release(self, lease: UUID) -> None:
        """Give back the slots of a lease.

        Raises:
            ServerError, LimitUnavailable: as above.
        """
        await self._answer(self._client.release_concurrency_slots_with_lease(lease))

    async def give_back(self, slots: int) -> None:
        """Slots that are still counted as taken, though the server has forgotten their lease.

        Raises:
            ServerError, LimitUnavailable: as above.
        """
        await self._answer(self._client.release_concurrency_slots([self.name], slots, 1.0))

    async def _answer(self, request: Awaitable[T]) -> T:
        now = asyncio.get_running_loop().time
        asked = now()
        try:
            # Prefect's client would try again by itself, after seconds, with a second lease where the first was unheard.
            with SettingsContext(**self._settings):
                async with asyncio.timeout(REQUEST_SECONDS):
                    answer = await request
        except (httpx.TransportError, TimeoutError, OSError) as error:
            self._bear(asked, now(), error)
            raise LimitUnavailable from None
        except ObjectNotFound:
            self._silent_since = inf
            raise
        except httpx.HTTPStatusError as error:
            if (status := error.response.status_code) < 500:
                self._silent_since = inf
                if status in _TOLD:
                    raise
                raise ServerError(
                    f"Prefect's server at {self._client.api_url} refuses what is asked of the limit {self.name} (status "
                    f"{status}); check PREFECT_API_AUTH_STRING, PREFECT_API_KEY and PREFECT_API_URL"
                ) from None
            self._bear(asked, now(), error)
            raise LimitUnavailable from None
        self._silent_since = inf
        return answer

    def _bear(self, asked: float, now: float, error: Exception) -> None:
        self._silent_since = min(self._silent_since, asked)
        logger.debug("Prefect's server does not answer for %s (%s)", self.name, type(error).__name__)
        if now - self._silent_since >= _PATIENCE:
            raise ServerError(
                f"PREFECT_API_URL: Prefect's server at {self._client.api_url}, which counts the model calls of all runs "
                f"({self.name}), has not answered for {_PATIENCE:.0f} s ({type(error).__name__}); start it and run the "
                "same command again: nothing that was answered is lost"
            ) from None
