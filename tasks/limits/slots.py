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

_TURN = 1.5
"""Seconds between two leases that are given back."""
_LEASES = 8
"""In how many leases a limit is taken where many calls wait: each costs requests, and is given back as a whole."""
_RENEWED_EVERY = LEASE_SECONDS / 3
_MARGIN = 5.0
"""Seconds before the end of a lease from which on no call begins."""
_HUNGRY, _FED = 0.15, 0.3
"""Seconds between two looks for free slots, of a process that holds none and of one that holds some."""
_WARN_AFTER, _LONGEST = 60.0, 1800.0
"""Seconds without a slot until the log says so, and until the run ends."""


class Slots(Permits):
    """A limit without decay; a permit is a slot."""

    def __init__(self, limit: GlobalLimit) -> None:
        super().__init__(limit)
        self._leases: set[asyncio.Task[None]] = set()
        self._leaving: deque[tuple[int, asyncio.Future[None]]] = deque()
        """Slots of leases that are to be given back when calls have left them."""
        self._granted: dict[UUID, float] = {}
        """When the server was asked for each lease, or for its renewal."""
        self._closing = asyncio.Event()
        self._without_since: float | None = None
        self._warned = False

    @asynccontextmanager
    async def slot(self) -> AsyncGenerator[None]:
        """One call at once, for the length of the block.

        Raises:
            ServerError: Prefect's server is gone, or the limit lets nobody call.
        """
        taken = await self.take()
        try:
            yield
        finally:
            if taken:
                self._put(1)

    async def aclose(self) -> None:
        """Give all back; what the server does not hear of ends with its lease."""
        await super().aclose()
        self._closing.set()
        if self._leases:
            _, pending = await asyncio.wait(self._leases, timeout=REQUEST_SECONDS)
            for lease in pending:
                lease.cancel()

    def _hand_out(self) -> None:
        while self._leaving and self._free >= self._leaving[0][0]:
            slots, left = self._leaving.popleft()
            self._free -= slots
            left.set_result(None)
        # A process that was held up may have leases that have ended.
        oldest = min(self._granted.values(), default=math.inf)
        if not self._leaving and self._now() < oldest + LEASE_SECONDS - _MARGIN:
            super()._hand_out()

    async def _ask(self, state: State | None) -> float:
        self._watch()
        if state is None:
            self._begin(self._waiting, None)
            return _FED
        free = min(self._waiting, state.free)
        piece = math.ceil(state.limit / _LEASES)
        # One after the other: of writes that come together, a server on SQLite refuses all but one.
        for taken in range(0, free, piece):
            slots, asked = min(piece, free - taken), self._now()
            if (lease := await self._limit.lease(slots)) is None:  # another run was faster
                break
            self._granted[lease] = asked
            self._begin(slots, lease)
        return jittered(_FED if self._leases else _HUNGRY)

    def _begin(self, slots: int, lease: UUID | None) -> None:
        turn = jittered(_TURN * min(len(self._leases) + 1, _LEASES))
        task = asyncio.create_task(self._hold(slots, lease, turn), name=f"lease of {self._limit.name}")
        self._leases.add(task)
        task.add_done_callback(self._leases.discard)
        self._put(slots)

    async def _hold(self, slots: int, lease: UUID | None, turn: float) -> None:
        """Let calls use the slots for a turn, for another while no other run needs them, and give them back.

        Without a lease there is no limit just now.
        """
        try:
            while not await self._ends(turn, slots, lease):
                pass
            await self._drain(slots, lease)
            if lease:
                await self._release(lease)
        except Exception as error:  # no call may begin on a lease that nobody looks after
            self._fail(error)
        finally:
            if lease:
                del self._granted[lease]
                self._hand_out()

    async def _ends(self, turn: float, slots: int, lease: UUID | None) -> bool:
        """Whether the slots are to be given back after a turn."""
        with suppress(TimeoutError):
            async with asyncio.timeout(turn):
                await self._closing.wait()
        if self._closing.is_set() or self._free >= slots or lease is None:
            return True
        with suppress(NoAnswer):
            state = await self._limit.read()
            return state is None or state.free <= 0 or not await self._renew(lease)
        return True

    async def _drain(self, slots: int, lease: UUID | None) -> None:
        """Return when calls have left the slots; no call begins before."""
        left: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._leaving.append((slots, left))
        self._hand_out()
        closing = asyncio.create_task(self._closing.wait())
        while not (await asyncio.wait({left, closing}, timeout=_RENEWED_EVERY, return_when="FIRST_COMPLETED"))[0]:
            if lease:
                with suppress(NoAnswer):
                    await self._renew(lease)
        closing.cancel()

    async def _renew(self, lease: UUID) -> bool:
        asked = self._now()
        if renewed := await self._limit.renew(lease):
            self._granted[lease] = asked
            self._hand_out()
        return renewed

    async def _release(self, lease: UUID) -> None:
        """Once: if nobody knows whether the server did it, the slots come back when the lease ends."""
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
        """Warn when no slot comes, and end the run after a long time.

        Raises:
            ServerError: none came for very long.
        """
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
