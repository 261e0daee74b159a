"""The models of this process: one client, limiter and journal for all tasks that ask the same model.

Their requests, and those to embedding models, pass one gate: the limits that all runs on one Prefect server share.

Tasks take settings and names, never live clients; this is where they find them. A process that runs tasks of a flow
elsewhere (Dask, Ray) makes its own on first use.
"""

import asyncio
from collections.abc import AsyncGenerator, Iterable
from contextlib import asynccontextmanager
from weakref import WeakKeyDictionary

from ragset.errors import InputError
from ragset.gate import ThreadGate
from ragset.llm.client import OpenAIClient
from ragset.llm.connect import connect, preflight
from ragset.llm.journal import Journal
from ragset.llm.journaled import Journaled, Purse
from ragset.llm.offline import Offline
from ragset.llm.protocol import LLM, Completion
from ragset.llm.usage import Prices, load_prices
from ragset.models import Model
from ragset.settings import OFFLINE, Budget, Environment, ModelSettings
from tasks.limits import Limits
from tasks.progress import progress
from tasks.telling import tell_runs


class Account(Model):
    """On whose account calls are made."""

    run: str = ""
    """Known by its parameters, so that an interrupted run and its second try share one account."""
    budget: Budget = Budget()

    @property
    def limits(self) -> "Account | None":
        """What of it can cut a batch short: nothing where there is no limit."""
        return None if self.budget == Budget() else self


class _Clients:
    """What one event loop shares."""

    def __init__(self) -> None:
        tell_runs()
        self.env = Environment()
        self.prices = load_prices(self.env.ragset_prices)
        self.limits = Limits()
        self._journal: Journal | None = None
        self._clients: dict[ModelSettings, OpenAIClient] = {}
        self._purses: dict[Account, Purse] = {}
        self.users = 0
        """Runs of this loop that are going on."""
        self._journaled: dict[tuple[ModelSettings, Account], Journaled] = {}

    @property
    def journal(self) -> Journal:
        """Opened when a model is first asked: rules need none."""
        if self._journal is None:
            self._journal = Journal(self.env.ragset_home / "journal.sqlite")
        return self._journal

    def client(self, settings: ModelSettings) -> OpenAIClient:
        if settings not in self._clients:
            self._clients[settings] = connect(settings, self.env, gate=self.limits)
        return self._clients[settings]

    def llm(self, settings: ModelSettings, account: Account) -> LLM:
        if settings.model == OFFLINE:
            return Offline()
        key = (settings, account)
        if key not in self._journaled:
            if account not in self._purses:
                self._purses[account] = Purse(self.journal, account.run, account.budget, self.prices)
            purse = self._purses[account]
            self._journaled[key] = Journaled(
                self.client(settings), self.journal, purse, _paid, settings.max_concurrency
            )
        return self._journaled[key]

    async def close(self) -> None:
        try:
            for client in self._clients.values():
                await client.aclose()
            await self.limits.aclose()
        finally:
            if self._journal is not None:
                await asyncio.to_thread(self._journal.close)


_loops: WeakKeyDictionary[asyncio.AbstractEventLoop, _Clients] = WeakKeyDictionary()


def _shared() -> _Clients:
    loop = asyncio.get_running_loop()
    if loop not in _loops:
        _loops[loop] = _Clients()
    return _loops[loop]


def asking(settings: ModelSettings, account: Account) -> LLM:
    """The model of these settings, on that account; the same one for every task of this event loop.

    Raises:
        InputError: neither a key nor an address is set.
    """
    return _shared().llm(settings, account)


def prices() -> Prices:
    """Of this process's models."""
    return _shared().prices


@asynccontextmanager
async def connected(models: Iterable[ModelSettings], budget: Budget) -> AsyncGenerator[None]:
    """Find out that every model answers before anything is done, and close the connections after the block.

    Raises:
        ProviderError: one line that says what to set.
        InputError: there is no key and no address, or a limit of cost on a model whose price is unknown.
    """
    async with _using() as shared:
        for settings in dict.fromkeys(models):
            if settings.model == OFFLINE:
                continue
            if budget.max_cost is not None and shared.prices.of(settings.model) is None:
                raise InputError(
                    f"budget.max_cost: the price of {settings.model} is unknown; write it into a file, and let RAGSET_PRICES "
                    "name the file"
                )
            await preflight(shared.client(settings), shared.journal)
        yield


@asynccontextmanager
async def embedding_gate() -> AsyncGenerator[ThreadGate]:
    """What requests to an embedding model pass, in threads: the same limits as for any model."""
    async with _using() as shared:
        yield shared.limits.in_thread


@asynccontextmanager
async def _using() -> AsyncGenerator[_Clients]:
    """What this event loop shares, closed when nobody uses it any more."""
    shared = _shared()
    shared.users += 1
    try:
        yield shared
    finally:
        shared.users -= 1
        if not shared.users:
            _loops.pop(asyncio.get_running_loop(), None)
            await shared.close()


def _paid(completion: Completion, cost: float | None) -> None:
    """Let whoever watches see a call that was made."""
    shown = progress()
    shown.calls_made += 1
    shown.tokens_made += completion.prompt_tokens + completion.completion_tokens
    shown.cost_made = None if cost is None or shown.cost_made is None else shown.cost_made + cost
