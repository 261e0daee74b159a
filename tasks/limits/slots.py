"""Calls at once: slots of a limit, held on leases.

A lease for each call would cost two requests a call, and a wait between them. So leases have several slots, which go from
call to call. Where the limit is used up, one lease is given back every second or two, and this process waits a moment before
it asks again, so that other runs get their share.
"""

import asyncio
import logging
import math
from collections import deque
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from uuid import UUID

from ragset.errors import ServerError
from tasks.limits.permits import AGAIN, Permits, jittered
from tasks.limits.server import LEASE_SECONDS, REQUEST_SECONDS, GlobalLimit, NoAnswer, NotDone, State

logger = logging.getLogger(__name__)

_TURN = 1.5  # seconds between two leases that are given back
_LEASES = 8  # in how many leases a busy limit is taken: each costs requests, and is given back as a whole
_RENEWED_EVERY = LEASE_SECONDS / 3
_HUNGRY, _FED = 0.15, 0.3  # seconds between two looks for free slots: of a process that holds none, and some
_WARN_AFTER, _LONGEST = 60.0, 1800.0  # seconds without a slot until the log says so, and until the run ends


class Slots(Permits):
    """A limit without decay; a permit is a slot."""

    def __init__(self, limit: GlobalLimit) -> None:
        super().__init__(limit)
        self._leases: set[asyncio.Task[None]] = set()
        self._leaving: deque[tuple[int, asyncio.Future[None]]] = deque()  # slots of leases to be given back once free
        self._closed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._without_since: float | None = None
        self._warned = False

    @asynccontextmanager
    async def slot(self) -> AsyncGenerator[None]:
        """One call at once, for the length of the block."""
        await self.take()
        try:
            yield
        finally:
            self._put(1)

    async def aclose(self) -> None:
        """Give all back; what the server does not hear of ends with its lease."""
        await super().aclose()
        if not self._closed.done():
            self._closed.set_result(None)
        if self._leases:
            _, pending = await asyncio.wait(self._leases, timeout=REQUEST_SECONDS)
            for lease in pending:
                lease.cancel()

    def _hand_out(self) -> None:
        while self._leaving and self._free >= self._leaving[0][0]:
            slots, left = self._leaving.popleft()
            self._free -= slots
            left.set_result(None)
        if not self._leaving:
            super()._hand_out()

    async def _ask(self, state: State) -> float:
        self._watch()
        free = min(self._waiting, state.free)
        piece = math.ceil(state.limit / _LEASES)
        # One after the other: of writes that come together, a server on SQLite refuses all but one.
        for taken in range(0, free, piece):
            slots = min(piece, free - taken)
            if (lease := await self._limit.lease(slots)) is None:  # another run was faster
                break
            turn = jittered(_TURN * min(len(self._leases) + 1, _LEASES))
            task = asyncio.create_task(self._hold(slots, lease, turn), name=f"lease of {self._limit.name}")
            self._leases.add(task)
            task.add_done_callback(self._leases.discard)
            self._put(slots)
        return jittered(_FED if self._leases else _HUNGRY)

    async def _hold(self, slots: int, lease: UUID, turn: float) -> None:
        """Let calls use the slots for a turn, for another while no other run needs them, and give them back."""
        try:
            while await self._stays(turn, slots, lease):
                pass
            left: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._leaving.append((slots, left))
            self._hand_out()
            # No call begins until those that use these slots have ended.
            while not (left.done() or self._closed.done()):
                done, _ = await asyncio.wait(
                    {left, self._closed}, timeout=_RENEWED_EVERY, return_when="FIRST_COMPLETED"
                )
                if not done:
                    with suppress(NoAnswer):
                        await self._limit.renew(lease)
            await self._release(lease)
        except Exception as error:  # no call may begin on a lease that nobody looks after
            self._fail(error)

    async def _stays(self, turn: float, slots: int, lease: UUID) -> bool:
        """Whether the slots are kept for another turn when this one is over."""
        await asyncio.wait({self._closed}, timeout=turn)
        if self._closed.done() or self._free >= slots:
            return False
        with suppress(NoAnswer):
            state = await self._limit.read()
            return state is not None and state.free > 0 and await self._limit.renew(lease)
        return False

    async def _release(self, lease: UUID) -> None:
        """Ask once: if nobody knows whether the server did it, the slots come back when the lease ends."""
        self._ask_at = max(self._ask_at, self._now() + jittered(_FED))
        while True:
            try:
                await self._limit.release(lease)
            except NotDone:
                await asyncio.sleep(AGAIN)
                continue
            except NoAnswer:
                logger.debug("a lease of %s was perhaps not given back; it ends by itself", self._limit.name)
            return

    def _watch(self) -> None:
        """Warn when no slot comes, and end the run after a long time."""
        if self._leases:
            self._without_since, self._warned = None, False
            return
        self._without_since = self._without_since or self._now()
        waited = self._now() - self._without_since
        if waited >= _LONGEST:
            raise ServerError(
                f"no slot of the global concurrency limit {self._limit.name} came free in {waited / 60:.0f} minutes; if no "
                f"other run is going on, `prefect gcl update {self._limit.name} --active-slots 0` frees them: nothing "
                "that was answered is lost"
            )
        if waited >= _WARN_AFTER and not self._warned:
            self._warned = True
            logger.warning("no slot of %s came free in %.0f s; is another run going on?", self._limit.name, waited)
