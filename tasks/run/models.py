"""The models of this process: one client, limiter and journal for all tasks that ask the same model."""

import asyncio
import math
import threading
import time
from collections.abc import AsyncGenerator, Iterable
from contextlib import asynccontextmanager
from functools import cached_property, partial
from weakref import WeakKeyDictionary

from ragset.errors import InputError, RagsetError
from ragset.generation.offline import Offline
from ragset.llm.batch.api import BatchAPI
from ragset.llm.batch.batched import Batched
from ragset.llm.client import OpenAIClient
from ragset.llm.journal import Journal
from ragset.llm.journaled import BudgetTracker, Journaled
from ragset.llm.preflight import preflight
from ragset.llm.protocol import LLM, Completion
from ragset.llm.usage import load_prices
from ragset.models import Model
from ragset.retrieval.embedding import BatchEmbedder, Embedder, adapted, connect_embedder
from ragset.retrieval.embedding.stored import EmbeddingStore, StoredEmbedder
from ragset.settings import LLAMAINDEX, OFFLINE, Budget, EmbeddingSettings, Environment, ModelSettings
from tasks.limits import Limits
from tasks.run.logs import set_up_logs
from tasks.run.progress import Progress, progress
from tasks.run.threads import in_thread
from tasks.run.watching import watched


class Account(Model):
    """The run and the budget that calls count against."""

    run: str = ""  # known by its parameters, so that an interrupted run and its second try share one account
    budget: Budget = Budget()

    @property
    def limits(self) -> "Account | None":
        """The account if its budget can cut a batch short; None: there is no limit."""
        return None if self.budget == Budget() else self


class _Clients:
    """What one event loop shares."""

    def __init__(self, processes: int = 1) -> None:
        set_up_logs()
        self.processes = processes  # that work on the same run, and share its limits
        self.env = Environment()
        self.prices = load_prices(self.env.ragset_prices)
        self.limits = Limits(self._check)
        self.ended: RagsetError | None = None  # why nothing may be asked any more
        self.users = 0  # runs of this loop that are going on
        self._clients: dict[ModelSettings, OpenAIClient] = {}
        self._budgets: dict[Account, BudgetTracker] = {}
        self._models: dict[tuple[ModelSettings, Account], Journaled | Batched] = {}
        self._embedders: dict[tuple[EmbeddingSettings, bool], Embedder] = {}
        self._connecting = threading.Lock()

    @cached_property
    def journal(self) -> Journal:
        """Opened when a model is first asked: rules need none."""
        return Journal(self.env.journal)

    def _check(self) -> None:
        if self.ended:
            raise type(self.ended)(str(self.ended))
        self.journal.check()

    def client(self, settings: ModelSettings) -> OpenAIClient:
        if settings not in self._clients:
            share = settings.model_copy(update={"max_concurrency": self._share(settings)})
            self._clients[settings] = OpenAIClient(share, self.env, shared_limit=self.limits)
        return self._clients[settings]

    def _share(self, settings: ModelSettings) -> int:
        """Calls at once that are left to this process, where several work on the run."""
        return math.ceil(settings.max_concurrency / self.processes)

    def llm(self, settings: ModelSettings, account: Account) -> LLM:
        key = (settings, account)
        if key not in self._models:
            client, budget, at_once = self.client(settings), self._budget(account), self._share(settings)
            live = Journaled(client, self.journal, budget, lambda reply, cost: _count(progress(), reply, cost), at_once)
            self._models[key] = live if settings.mode == "live" else self._batched(live, settings)
        return self._models[key]

    def _batched(self, live: Journaled, settings: ModelSettings) -> Batched:
        api = BatchAPI(settings, self.env)
        limit = self.limits
        return Batched(
            live, self.client(settings), api, settings, shared_limit=limit, shown=_show_batch, watched=watched
        )

    def embedder(self, settings: EmbeddingSettings, account: Account, queries: bool, stored: bool) -> Embedder:
        plain = self._unadapted(settings.unadapted, account, queries, stored)
        return adapted(plain, settings) if queries else plain

    def _unadapted(self, settings: EmbeddingSettings, account: Account, queries: bool, stored: bool) -> Embedder:
        key = settings, queries and settings.model.startswith(LLAMAINDEX)  # others make no difference
        with self._connecting:  # loading a local model takes seconds: once is enough
            if key not in self._embedders:
                self._embedders[key] = connect_embedder(settings, self.env, self.limits.in_thread, queries=queries)
            found = self._embedders[key]
        if not isinstance(found, BatchEmbedder) or (settings.free and not stored):
            return found
        budget = None if settings.free else self._budget(account)
        return StoredEmbedder(found, EmbeddingStore(self.journal, found.identity), budget, partial(_count, progress()))

    def _budget(self, account: Account) -> BudgetTracker:
        if account not in self._budgets:
            self._budgets[account] = BudgetTracker(self.journal, account.run, account.budget, self.prices)
        return self._budgets[account]

    async def close(self) -> None:
        try:
            for model in self._models.values():
                if isinstance(model, Batched):
                    await model.aclose()
            for client in self._clients.values():
                await client.aclose()
            await self.limits.aclose()
        finally:
            await asyncio.to_thread(self.close_journal)

    def close_journal(self) -> None:
        if "journal" in vars(self):
            self.journal.close()


_loops: WeakKeyDictionary[asyncio.AbstractEventLoop, _Clients] = WeakKeyDictionary()


def _shared() -> _Clients:
    loop = asyncio.get_running_loop()
    if loop not in _loops:
        _loops[loop] = _Clients()
    return _loops[loop]


def asking(settings: ModelSettings, account: Account) -> LLM:
    """The model of these settings, on that account; the same one for every task of this event loop."""
    return Offline() if settings.model == OFFLINE else _shared().llm(settings, account)


def stop_asking(why: RagsetError, seconds: float) -> None:
    """Refuse new requests, and wait up to so many seconds for replies under way; not from the thread of the runs."""
    shared = list(_loops.values())
    for one in shared:
        one.ended = why
    deadline = time.monotonic() + seconds
    while any(one.limits.busy for one in shared) and time.monotonic() < deadline:
        time.sleep(0.05)
    time.sleep(0.5)  # a reply that has come is on its way into the journal
    for one in shared:
        one.close_journal()


@asynccontextmanager
async def connected(
    models: Iterable[ModelSettings], budget: Budget, embeddings: Iterable[EmbeddingSettings] = ()
) -> AsyncGenerator[None]:
    """Check that every model answers, and has a price where cost is limited; close the connections after the block."""
    async with _using() as shared:
        asked = [settings for settings in dict.fromkeys(models) if settings.model != OFFLINE]
        paid = [settings.model for settings in embeddings if not settings.free]
        for model in (*(settings.model for settings in asked), *paid):
            if budget.max_cost is not None and shared.prices.of(model) is None:
                mend = "write it into a file, and let RAGSET_PRICES name the file"
                raise InputError(f"budget.max_cost: the price of {model} is unknown; {mend}")
        for settings in asked:
            await preflight(shared.client(settings), shared.journal)
        yield


@asynccontextmanager
async def embedding(
    settings: EmbeddingSettings, account: Account, *, queries: bool = False, stored: bool = True
) -> AsyncGenerator[Embedder]:
    """The embedder of these settings (of `queries` or of chunks), on that account, within the limits of all models; it blocks.

    Unless `stored`, a free model embeds each text anew, to measure how long that takes.
    """
    async with _using() as shared:
        yield await in_thread(shared.embedder, settings, account, queries, stored)


@asynccontextmanager
async def sharing_calls(processes: int) -> AsyncGenerator[None]:
    """While the block runs, this event loop asks models at its share of what so many processes of a run may ask at once."""
    _loops[asyncio.get_running_loop()] = _Clients(processes)
    async with _using():
        yield


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


def _show_batch(batch: str, answered: int, requests: int) -> None:
    """Show how far a batch is; one of no requests has ended."""
    batches = progress().batches
    batches.pop(batch, None)
    if requests:
        batches[batch] = (answered, requests)


def _count(shown: Progress, completion: Completion, cost: float | None) -> None:
    shown.calls_made += 1
    shown.tokens_made += completion.prompt_tokens + completion.completion_tokens
    shown.cost_made = None if cost is None or shown.cost_made is None else shown.cost_made + cost
