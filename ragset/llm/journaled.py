"""A model that is asked each question once, by however many processes, within a budget."""

import asyncio
import hashlib
import json
import math
import threading
import time
from collections.abc import Callable
from functools import lru_cache
from typing import Any, Protocol

from pydantic import BaseModel

from ragset.errors import BudgetSpent, LLMUnavailable, ProviderRefused
from ragset.llm.journal import Journal, Spent
from ragset.llm.json_bytes import dump
from ragset.llm.protocol import LLM, Completion, Request
from ragset.llm.request_format import schema_text
from ragset.llm.usage import Prices
from ragset.settings import Budget

ONE_CALL = Spent(1, 0, 0.0)
_NOTHING = Spent(0, 0, 0.0)
_READ_EVERY = 0.1  # seconds


class Identified(LLM, Protocol):
    """A model that says what its replies depend on."""

    @property
    def identity(self) -> dict[str, Any]:
        """Plain data, part of the journal's keys."""
        ...


class BudgetTracker:
    """What one run may spend, and has spent, interrupted tries included.

    Calls under way at a limit are still paid, in this process and in others.
    """

    def __init__(self, journal: Journal, run: str, budget: Budget, prices: Prices) -> None:
        self.run = run
        self.prices = prices
        self._budget = budget
        self._journal = journal
        self._limited = any(limit is not None for _, limit in budget)
        self._elsewhere = journal.spent(run)  # by other processes, and by this one before
        self._spent = _NOTHING
        self._reserved = _NOTHING
        self._counting = threading.Lock()  # embeddings are asked for in threads
        self._read_at = time.monotonic() + _READ_EVERY

    @property
    def reserved(self) -> bool:
        """Whether calls are under way."""
        return self._reserved.calls > 0

    async def keep_up(self) -> None:
        """Learn what other processes paid for the run meanwhile, before a call is reserved."""
        if self._to_be_read():
            await asyncio.to_thread(self._read)

    def keep_up_now(self) -> None:
        """As `keep_up`, for threads without an event loop."""
        if self._to_be_read():
            self._read()

    def reserve(self, most: Spent = ONE_CALL, *, sent: bool = False) -> None:
        """Reserve what a call may cost at most; raises BudgetSpent if nothing is left, unless the call is `sent` already."""
        with self._counting:
            known = _added(_added(self._elsewhere, self._spent), self._reserved)
            for (name, limit), spent in zip(self._budget, known, strict=True):
                if not sent and limit is not None and spent >= limit:
                    raise BudgetSpent(f"budget.{name} ({limit:,}) is reached")
            self._reserved = _added(self._reserved, most)

    def release(self, most: Spent = ONE_CALL) -> None:
        """Give a reservation back, because the call brought no reply."""
        with self._counting:
            self._reserved = _added(self._reserved, most, -1)

    def settle(self, completion: Completion, most: Spent = ONE_CALL) -> float | None:
        """Replace a reservation by the call's cost, in US dollars; None where the price is unknown."""
        cost = self.prices.cost(completion.model, completion)
        tokens = completion.prompt_tokens + completion.completion_tokens
        with self._counting:
            self._reserved = _added(self._reserved, most, -1)
            self._spent = _added(self._spent, Spent(1, tokens, cost or 0.0))
        return cost

    def _to_be_read(self) -> bool:
        with self._counting:
            due = self._limited and time.monotonic() >= self._read_at
            if due:
                self._read_at = math.inf
        return due

    def _read(self) -> None:
        began = time.monotonic()
        paid = self._journal.spent(self.run)
        took = time.monotonic() - began
        with self._counting:
            # What this tracker settled may not be written yet, so others paid at least the difference.
            others = _added(paid, self._spent, -1)
            self._elsewhere = Spent(
                max(self._elsewhere.calls, others.calls),
                max(self._elsewhere.tokens, others.tokens),
                max(self._elsewhere.cost, others.cost),
            )
            self._read_at = time.monotonic() + max(9 * took, _READ_EVERY)  # in a tenth of the time at most


def _added(one: Spent, other: Spent, times: int = 1) -> Spent:
    return Spent(one.calls + times * other.calls, one.tokens + times * other.tokens, one.cost + times * other.cost)


class Journaled:
    """Answers from the journal what was answered before, and asks the rest."""

    def __init__(
        self,
        llm: Identified,
        journal: Journal,
        budget_tracker: BudgetTracker,
        paid: Callable[[Completion, float | None], None] = lambda _completion, _cost: None,
        at_once: int = 64,
    ) -> None:
        self.model = llm.model
        self._llm = llm
        self.journal = journal
        self.budget = budget_tracker
        self.paid = paid
        self._under_way: dict[str, asyncio.Event] = {}
        self._turns = asyncio.Semaphore(at_once)
        self._outages: list[LLMUnavailable | ProviderRefused] = []

    async def complete(self, request: Request) -> Completion:
        """The kept reply, or a new one once it is kept. The same question at the same time is asked once.

        Raises LLMUnavailable or ProviderRefused also if another call found an outage while this one waited.
        """
        key = key_of(self._llm.identity, request)
        outages = len(self._outages)
        pause = 0.05
        while True:
            if known := await self.journal.find(key):
                return known
            if answered := self._under_way.get(key):
                await answered.wait()
                continue
            self._under_way[key] = asyncio.Event()
            try:
                if reply := await self._ask_if_claimed(key, request, outages):
                    return reply
            finally:
                self._under_way.pop(key).set()
            await asyncio.sleep(pause)
            pause = min(2 * pause, 1.0)

    async def _ask_if_claimed(self, key: str, request: Request, outages: int) -> Completion | None:
        """A new reply once it is kept; None while another process asks for it."""
        # The budget is checked when a call's turn has come, since calls that wait are not paid yet.
        async with self._turns:
            if len(self._outages) > outages:
                # Else each call that waited would use up its own tries. A later call finds out for itself.
                raise type(self._outages[-1])(str(self._outages[-1]))
            if (claim := await self.journal.claim(key)) is not True:
                return claim or None
            try:
                completion = await self._ask(request)
                cost = self.budget.settle(completion)
            except BaseException:
                self.journal.release(key)
                raise
        # Another process may have been quicker, such as during a restart of the journal's server.
        kept = await self.journal.put(key, completion, run=self.budget.run, cost=cost)
        self.paid(completion, cost)
        return kept

    async def _ask(self, request: Request) -> Completion:
        await self.budget.keep_up()
        self.budget.reserve()
        try:
            return await self._llm.complete(request)
        except BaseException as error:  # a cancelled call as well
            self.budget.release()
            if isinstance(error, ProviderRefused) or (isinstance(error, LLMUnavailable) and not error.alone):
                self._outages.append(error)
            raise


def key_of(identity: dict[str, Any], request: Request) -> str:
    """SHA-256 of what the model sees: who is asked, how, with which messages, for which reply."""
    said = b", ".join(_said(message.role, message.content) for message in request.messages)
    asked = json.dumps(identity, ensure_ascii=False, sort_keys=True).encode(errors="replace")
    return hashlib.sha256(b"[%b, [%b], %b]" % (asked, said, _schema(request.reply))).hexdigest()


@lru_cache(maxsize=512)  # nearly all messages of a prompt are its examples
def _said(role: str, content: str) -> bytes:
    return b"[%b, %b]" % (dump(role), dump(content))


@lru_cache(maxsize=64)
def _schema(reply: type[BaseModel]) -> bytes:
    return dump(schema_text(reply))
