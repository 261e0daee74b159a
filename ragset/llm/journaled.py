"""A model that is asked each question once, within a budget."""

import asyncio
import hashlib
import json
import threading
from collections.abc import Callable
from typing import Any, Protocol

from ragset.errors import BudgetSpent, LLMUnavailable, ProviderRefused
from ragset.llm.journal import Journal, Spent
from ragset.llm.json_bytes import dump
from ragset.llm.protocol import LLM, Completion, Request
from ragset.llm.request_format import schema_text
from ragset.llm.usage import Prices
from ragset.settings import Budget


class Identified(LLM, Protocol):
    """A model that says what its replies depend on."""

    @property
    def identity(self) -> dict[str, Any]:
        """Plain data, part of the journal's keys."""
        ...


ONE_CALL = Spent(1, 0, 0.0)


class BudgetTracker:
    """What one run may spend, and has spent, interrupted tries included; calls under way at a limit are still paid."""

    def __init__(self, journal: Journal, run: str, budget: Budget, prices: Prices) -> None:
        self.run = run
        self.prices = prices
        self._budget = budget
        self._spent = journal.spent(run)
        self._reserved = Spent(0, 0, 0.0)
        self._counting = threading.Lock()  # embeddings are asked for in threads

    @property
    def reserved(self) -> bool:
        """Whether calls are under way."""
        return self._reserved.calls > 0

    def reserve(self, most: Spent = ONE_CALL, *, sent: bool = False) -> None:
        """Reserve what a call may cost at most; raises BudgetSpent if nothing is left, unless the call is `sent` already."""
        with self._counting:
            for (name, limit), spent, reserved in zip(self._budget, self._spent, self._reserved, strict=True):
                if not sent and limit is not None and spent + reserved >= limit:
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
        self._journal = journal
        self._budget = budget_tracker
        self._paid = paid
        self._under_way: dict[str, asyncio.Event] = {}
        self._turns = asyncio.Semaphore(at_once)
        self._outages: list[LLMUnavailable | ProviderRefused] = []

    async def complete(self, request: Request) -> Completion:
        """The kept reply, or a new one once it is kept. The same question at the same time is asked once.

        Raises LLMUnavailable or ProviderRefused also if another call found an outage while this one waited.
        """
        key = key_of(self._llm.identity, request)
        outages = len(self._outages)
        while True:
            if known := self._journal.get(key):
                return known
            if not (answered := self._under_way.get(key)):
                break
            await answered.wait()
        self._under_way[key] = asyncio.Event()
        try:
            # The budget is checked when a call's turn has come, since calls that wait are not paid yet.
            async with self._turns:
                if len(self._outages) > outages:
                    # Else each call that waited would use up its own tries. A later call finds out for itself.
                    raise type(self._outages[-1])(str(self._outages[-1]))
                completion = await self._ask(request)
                cost = self._budget.settle(completion)
            await self._journal.put(key, completion, run=self._budget.run, cost=cost)
        finally:
            self._under_way.pop(key).set()
        self._paid(completion, cost)
        # Another process may have been quicker, and later runs will read its reply.
        return self._journal.get(key) or completion

    async def _ask(self, request: Request) -> Completion:
        self._budget.reserve()
        try:
            return await self._llm.complete(request)
        except BaseException as error:  # a cancelled call as well
            self._budget.release()
            if isinstance(error, ProviderRefused) or (isinstance(error, LLMUnavailable) and not error.alone):
                self._outages.append(error)
            raise


def key_of(identity: dict[str, Any], request: Request) -> str:
    """SHA-256 of what the model sees: who is asked, how, with which messages, for which reply."""
    said = b", ".join(b"[%b, %b]" % (dump(message.role), dump(message.content)) for message in request.messages)
    asked = json.dumps(identity, ensure_ascii=False, sort_keys=True).encode(errors="replace")
    return hashlib.sha256(b"[%b, [%b], %b]" % (asked, said, dump(schema_text(request.reply)))).hexdigest()
