"""Calls at once: slots that this process holds on lease and hands from call to call.

To ask the server for each call would cost two requests a call, and a wait between them. What is held is therefore kept as
long as calls want it, and shared out again bit by bit: where the limit is used up, every process gives back a quarter of
what it holds every few seconds and holds back for a moment, so that whoever has less comes to more.
"""

import asyncio
import logging
import math
import random
from collections.abc import AsyncGenerator, Awaitable, Iterable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from uuid import UUID

import httpx

from ragset.errors import ServerError
from tasks.limits.limit import LEASE_SECONDS, GlobalLimit, LimitUnavailable
from tasks.limits.queue import Queue

logger = logging.getLogger(__name__)

_TURN, _WANTED = 3.0, 1.5
"""Seconds between two givings back, and where others have taken what was given; a new run waits that long, and for a call
to end, where one holds all."""
_SHARE = 0.25
_HUNGRY, _FED = 0.15, 0.3
"""Seconds between two looks for a free slot, of a process that holds none and of one that holds some."""
_IDLE = 0.5
"""Seconds a slot is kept that no call wants."""
_LEASES = 8
"""In how many pieces a limit is taken where many calls wait: a lease costs a request, and is given back as a whole."""
_RENEWED_AFTER = LEASE_SECONDS / 3
_MARGIN = 5.0
_TOLD_AFTER, _LONGEST = 60.0, 1800.0
"""Seconds without a slot until that is said, and until the run ends."""


@dataclass(eq=False)
class Lease:
    """Slots that were granted together."""

    id: UUID
    slots: int
    granted: float
    """When the server was asked for it or for its renewal, by the clock of the loop."""
    used_at: float
    busy: int = 0
    leaving: bool = False
    """No call gets a slot of it any more."""
    forgotten: bool = False
    """The server does not know it, and counts its slots all the same."""

    def valid(self, now: float) -> bool:
        """Sure not to have ended on the server."""
        return now < self.granted + LEASE_SECONDS - _MARGIN


class Slots:
    """A limit without decay, as calls pass it."""

    def __init__(self, limit: GlobalLimit) -> None:
        self._limit = limit
        self._queue: Queue[Lease | None] = Queue(limit.name, self._look)
        self._leases: list[Lease] = []
        self._now = asyncio.get_running_loop().time
        self._unlimited_until = self._ask_at = self._turn_at = float("-inf")
        self._given = 0
        """Slots given back for others, since the last look for free ones."""
        self._empty_since: float | None = None
        """Since when calls wait and none holds a slot."""
        self._told = False

    @asynccontextmanager
    async def slot(self) -> AsyncGenerator[None]:
        """One call at once, for the length of the block.

        Raises:
            ServerError: Prefect's server is gone, or the limit lets nobody call.
        """
        self._queue.check()
        lease = None
        if self._now() >= self._unlimited_until:
            lease = self._idle() if not self._queue else None
            if lease:
                lease.busy += 1
            else:
                lease = await self._queue.turn(self._leave)
        try:
            yield
        finally:
            self._leave(lease)

    async def aclose(self) -> None:
        """Give all back; what the server does not hear of ends with its lease."""
        await self._queue.aclose()
        with suppress(ServerError, LimitUnavailable, httpx.HTTPStatusError, TimeoutError):
            async with asyncio.timeout(_MARGIN):
                await _in_turn(map(self._give_back, tuple(self._leases)))

    def _idle(self) -> Lease | None:
        now = self._now()
        return next(
            (lease for lease in self._leases if not lease.leaving and lease.busy < lease.slots and lease.valid(now)),
            None,
        )

    def _leave(self, lease: Lease | None) -> None:
        if lease is None:
            return
        lease.busy -= 1
        lease.used_at = self._now()
        self._hand_out()
        if not lease.busy:
            self._queue.wake()

    def _hand_out(self) -> None:
        while (lease := self._idle()) is not None and self._queue.serve(lease):
            lease.busy += 1

    async def _look(self) -> float | None:
        try:
            await self._renew()
            await self._share()
            await self._ask()
        except LimitUnavailable:
            for lease in self._leases:  # a server that comes again may have forgotten them
                lease.granted = min(lease.granted, self._now() - _RENEWED_AFTER)
            raise
        now = self._now()
        moments = [lease.granted + _RENEWED_AFTER for lease in self._leases if not lease.forgotten]
        moments += [lease.used_at + _IDLE for lease in self._leases if not lease.busy]
        if self._leases:
            moments.append(self._turn_at)
        if self._queue:
            moments.append(self._ask_at)
        return max(0.0, min(moments) - now) if moments else None

    async def _renew(self) -> None:
        for lease in tuple(self._leases):
            asked = self._now()
            if asked < lease.granted + _RENEWED_AFTER or lease.forgotten:
                continue
            if await self._limit.renew(lease.id):
                lease.granted = asked
            elif lease.valid(asked):  # the server was started anew
                lease.leaving = lease.forgotten = True
            else:
                logger.warning("%d slots of %s ended: not renewed in time", lease.slots, self._limit.name)
                self._leases.remove(lease)

    async def _share(self) -> None:
        """Give back what is idle, and some of the rest where the limit is used up."""
        now = self._now()
        if now >= self._turn_at:
            self._turn_at = now + _TURN
            staying = [lease for lease in self._leases if not lease.leaving]
            if staying:
                state = await self._limit.read()
                if state is not None and state.free <= 0:
                    # The longest held first, so that all come round.
                    for lease in staying[: math.ceil(_SHARE * len(staying))]:
                        lease.leaving = True
        going = [lease for lease in self._leases if lease.leaving and not lease.busy]
        idle = [lease for lease in self._leases if not lease.busy and now >= lease.used_at + _IDLE]
        await _in_turn(map(self._give_back, going or idle))
        if going:
            self._given += sum(lease.slots for lease in going)
            self._ask_at = max(self._ask_at, _soon(self._now(), _FED))

    async def _give_back(self, lease: Lease) -> None:
        lease.leaving = True
        if lease.forgotten:
            await self._limit.give_back(lease.slots)
        else:
            await self._limit.release(lease.id)
        self._leases = [other for other in self._leases if other is not lease]

    async def _ask(self) -> None:
        self._watch()
        wanted = len(self._queue)
        if not wanted or self._now() < self._ask_at:
            return
        state = await self._limit.read()
        if state is None:
            self._unlimited_until = self._now() + _TURN
            while self._queue.serve(None):
                pass
            return
        if state.free < self._given:
            self._turn_at = min(self._turn_at, self._now() + _WANTED)
        self._given = 0
        free = min(wanted, state.free)
        piece = math.ceil(state.limit / _LEASES)
        await _in_turn(self._lease(min(piece, free - taken)) for taken in range(0, free, piece))
        if self._queue:
            self._ask_at = _soon(self._now(), _FED if self._leases else _HUNGRY)

    async def _lease(self, slots: int) -> None:
        asked = self._now()
        granted = await self._limit.lease(slots)
        if granted is not None:  # else another run was faster
            self._leases.append(Lease(granted, slots, asked, self._now()))
            self._hand_out()

    def _watch(self) -> None:
        """Say that no slot comes, and end it some time.

        Raises:
            ServerError: none came for very long.
        """
        now = self._now()
        if self._leases or not self._queue:
            self._empty_since, self._told = None, False
            return
        self._empty_since = self._empty_since or now
        waited = now - self._empty_since
        if waited >= _LONGEST:
            raise ServerError(
                f"no slot of the global concurrency limit {self._limit.name} came free in {waited / 60:.0f} minutes; if no "
                f"other run is going on, `prefect gcl update {self._limit.name} --active-slots 0` frees them: nothing "
                "that was answered is lost"
            )
        if waited >= _TOLD_AFTER and not self._told:
            self._told = True
            logger.warning("no slot of %s came free in %.0f s; is another run going on?", self._limit.name, waited)


async def _in_turn(requests: Iterable[Awaitable[None]]) -> None:
    """One after the other: of writes that come together, a server on SQLite refuses all but one."""
    for request in requests:
        await request


def _soon(now: float, seconds: float) -> float:
    """With jitter, that processes come apart."""
    return now + random.uniform(0.7, 1.3) * seconds  # noqa: S311
