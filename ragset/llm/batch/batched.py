"""A model that is asked by batch: requests that come together are sent together, and each caller waits for its reply."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable
from contextlib import nullcontext
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from ragset.errors import BudgetSpent
from ragset.llm.batch.api import MOST_BYTES, MOST_REQUESTS, BatchAPI, Shown, read_results, request_line
from ragset.llm.batch.sent import SentBatch, SentBatches
from ragset.llm.client import OpenAIClient
from ragset.llm.journal import Spent
from ragset.llm.journaled import Journaled, key_of
from ragset.llm.limiter import SharedLimit
from ragset.llm.protocol import Completion, Request
from ragset.llm.tracing import model_call
from ragset.settings import ModelSettings

if TYPE_CHECKING:
    from openai.types import Batch

logger = logging.getLogger(__name__)

_QUIET = 1.0  # seconds without a new request after which those that wait are sent
_BYTES_A_TOKEN = 3  # few, so that budgets hold
_TOO_MUCH = "token_limit_exceeded"  # the code of a batch for which others have to end first, or that is too large
_NOTHING = Spent(0, 0, 0.0)
_A_TURN = 500  # requests after which other tasks of the event loop have their turn


Watched = Callable[[str, str, Callable[[], Awaitable["Batch"]]], Awaitable["Batch"]]
"""Awaits the end of a batch, given its id, its model, and what awaits it."""


class _Waiting(NamedTuple):
    """What a caller asks, and how it learns that the batch has ended."""

    request: Request
    ended: "asyncio.Future[None]"


class Batched:
    """Asks by batch what the journal does not hold, and by plain calls what a batch left unanswered. Belongs to one event loop."""

    def __init__(
        self,
        live: Journaled,
        client: OpenAIClient,
        api: BatchAPI,
        settings: ModelSettings,
        *,
        shared_limit: SharedLimit = nullcontext,
        shown: Shown = lambda _batch, _answered, _requests: None,
        watched: Watched = lambda _batch, _model, ended: ended(),
    ) -> None:
        """Journal and budget are those of `live`. `shown` is told how many requests of a batch are answered; of none when it has ended.

        `watched` awaits its end.
        """
        self.model = live.model
        self.live = live
        self._client = client
        self._api = api
        self._journal = live.journal
        self._budget = live.budget
        self._settings = settings
        self._shared_limit = shared_limit
        self._shown = shown
        self._watched = watched
        self._sent = SentBatches(client.identity, api, live.journal)
        self._waiting: dict[str, _Waiting] = {}
        self._unsent: dict[str, None] = {}
        self._under_way: dict[str, SentBatch] = {}  # by name
        self._tasks: set[asyncio.Task[None]] = set()
        self._sending: asyncio.Task[None] | None = None
        self._most_requests = MOST_REQUESTS
        self._one_at_a_time = False

    async def complete(self, request: Request) -> Completion:
        """The kept reply, or one by batch. What the batch left unanswered is asked by a plain call.

        Raises BatchPending if the batch takes longer than the settings allow.
        """
        key = key_of(self._client.identity, request)
        if not await self._journal.find(key):
            if key not in self._waiting:
                self._waiting[key] = _Waiting(request, asyncio.get_running_loop().create_future())
                self._send_soon(key)
            ended = self._waiting[key].ended
            with model_call(request, self._settings, self._client.endpoint, batch=True) as call:
                await asyncio.shield(ended)
                if call:
                    call(await self._journal.find(key) or "unanswered")
        return await self.live.complete(request)

    async def aclose(self) -> None:
        """Stop waiting; batches under way go on at the provider, and a later run takes them up."""
        tasks = [task for task in (*self._tasks, self._sending) if task]
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)
        await self._api.aclose()

    def _send_soon(self, *keys: str) -> None:
        self._unsent.update(dict.fromkeys(keys))
        if self._sending is None or self._sending.done():
            self._sending = asyncio.create_task(self._keep_sending(), name="send batches")

    async def _keep_sending(self) -> None:
        """Send until nothing waits to be sent, each time when no request came for a moment."""
        try:
            while self._unsent:
                before = len(self._unsent)
                await asyncio.sleep(_QUIET)
                quiet = len(self._unsent) == before or before >= MOST_REQUESTS
                # One process at a time, so that the next one sees what this one has sent.
                if quiet and await self._journal.claim(self._sent.prefix):
                    try:
                        await self._send()
                    finally:
                        self._journal.release(self._sent.prefix)
        except Exception as error:  # whatever it is, nobody may wait in vain
            self._end(list(self._unsent), error)

    async def _send(self) -> None:
        """Send as much as a file, the budget and the provider allow; the rest when calls under way have ended."""
        await self._take_up()
        for key in (key for sent in self._under_way.values() for key in sent.keys):
            self._unsent.pop(key, None)
        self._end(await self._journal.known(list(self._unsent)))  # another process was quicker
        if self._under_way and self._one_at_a_time:
            return
        await self._budget.keep_up()
        lines: dict[str, bytes] = {}
        most, size = _NOTHING, 0
        try:
            for number, key in enumerate(list(self._unsent)):
                if number % _A_TURN == 0:
                    await asyncio.sleep(0)
                line = request_line(key, self._client.form.body(self._waiting[key].request, self._settings))
                size += len(line)
                if size > MOST_BYTES or len(lines) == self._most_requests:
                    break
                bound = self._bound(line)
                try:
                    self._budget.reserve(bound)
                except BudgetSpent:
                    if not self._budget.reserved:
                        raise
                    break
                lines[key] = line
                most = Spent(most.calls + 1, most.tokens + bound.tokens, most.cost + bound.cost)
            if lines:
                async with self._shared_limit():
                    sent = await self._sent.send(b"".join(lines.values()), tuple(lines), most, self._budget.run)
                logger.info("batch %s: %d requests of %s are sent", sent.id, len(lines), self.model)
                self._watch(sent)
        except BaseException:
            self._budget.release(most)
            raise

    def _bound(self, line: bytes) -> Spent:
        """What the request may cost, at most and about."""
        prompt, reply = len(line) // _BYTES_A_TOKEN, self._settings.max_tokens
        longest = Completion(text="", model=self.model, prompt_tokens=prompt, completion_tokens=reply, batch=True)
        return Spent(1, prompt + reply, self._budget.prices.cost(self.model, longest) or 0.0)

    async def _take_up(self) -> None:
        """Wait also for the batches that another process or an earlier run has sent."""
        for sent in await self._sent.under_way():
            if sent.name not in self._under_way:
                if sent.run == self._budget.run:
                    self._budget.reserve(sent.most, sent=True)
                self._watch(sent)

    def _watch(self, sent: SentBatch) -> None:
        self._under_way[sent.name] = sent
        for key in sent.keys:
            self._unsent.pop(key, None)
        task = asyncio.create_task(self._read_when_ended(sent), name=f"batch {sent.id}")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _read_when_ended(self, sent: SentBatch) -> None:
        """Keep the replies, and let the callers go on."""
        error: Exception | None = None
        try:
            ended = partial(self._api.await_end, sent.id, len(sent.keys), self._settings, self._shown)
            batch = await self._watched(sent.id, self.model, ended)
            if batch.status == "failed":
                await self._read_failure(sent, batch)
            else:
                await self._read_results(sent, batch)
        except Exception as fault:  # whatever it is, nobody may wait in vain
            error = fault
        finally:
            del self._under_way[sent.name]
            if sent.run == self._budget.run:
                self._budget.release(sent.most)
            self._shown(sent.id, 0, 0)
        for first in range(0, len(sent.keys), _A_TURN):
            self._end((key for key in sent.keys[first : first + _A_TURN] if key not in self._unsent), error)
            await asyncio.sleep(0)

    async def _read_results(self, sent: SentBatch, batch: "Batch") -> None:
        content = await self._api.read(batch)
        results = await asyncio.to_thread(read_results, content, sent.keys, self.model)
        prices = self._budget.prices
        kept = {key: (one, prices.cost(self.model, one)) for key, one in results.completions.items()}
        if await self._sent.end(sent, kept) and sent.run == self._budget.run:
            for completion, cost in kept.values():
                self._budget.settle(completion, _NOTHING)  # the reservation is that of the batch
                self.live.paid(completion, cost)
        if missing := results.faults.total():
            why = ", ".join(f"{fault} {count:,}" for fault, count in results.faults.most_common(3))
            logger.warning(
                "batch %s (%s): %d of %d requests were not answered (%s); plain calls ask them at the full price",
                *(sent.id, batch.status, missing, len(sent.keys), why),
            )

    async def _read_failure(self, sent: SentBatch, batch: "Batch") -> None:
        """Send a batch that was too much again later, or smaller; raises ProviderRefused for any other."""
        await self._sent.end(sent)
        faults = (batch.errors.data if batch.errors else None) or []
        alone = len(self._under_way) == 1
        if _TOO_MUCH not in {fault.code for fault in faults} or (alone and len(sent.keys) == 1):
            raise self._api.refused(str(faults[0].message if faults else "it names no error"))
        self._one_at_a_time = True
        if alone:
            self._most_requests = min(self._most_requests, len(sent.keys) // 2)
        self._send_soon(*(key for key in sent.keys if key in self._waiting))

    def _end(self, keys: Iterable[str], error: Exception | None = None) -> None:
        """Let the callers of these keys go on."""
        for key in keys:
            self._unsent.pop(key, None)
            if (waiting := self._waiting.pop(key, None)) is None:
                continue
            if error:
                waiting.ended.set_exception(error)
            else:
                waiting.ended.set_result(None)
