"""A provider's Batch API: files with a request a line are uploaded, batches made of them, and files with a result a line read."""

import asyncio
import json
from collections import Counter
from collections.abc import Callable, Collection, Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from ragset.documents.http_status import is_transient
from ragset.errors import BatchPending, LLMUnavailable, ProviderRefused
from ragset.llm.client import NO_KEY
from ragset.llm.endpoint import endpoint
from ragset.llm.protocol import Completion
from ragset.llm.responses import excerpt, of_funds, quote, read_completion, words_of
from ragset.settings import Environment, ModelSettings

if TYPE_CHECKING:
    from openai.types import Batch

_PATH = "/v1/chat/completions"
MOST_REQUESTS = 50_000
MOST_BYTES = 200_000_000
_ENDED = {"completed", "expired", "cancelled", "failed"}
_TIMEOUT = 600.0  # seconds; an input file has up to 200 MB
_PAGE = 100
_SOONEST, _LATEST = 1.0, 60.0  # seconds between two looks at a batch: at first, and at most
_EARLIER = 3600  # seconds that the provider's clock may be behind ours

Shown = Callable[[str, int, int], None]
"""Told how many requests of a batch are answered, of how many."""


class BatchAPI:
    """Belongs to one event loop; `aclose` it there. Its methods raise ProviderRefused or LLMUnavailable."""

    def __init__(self, settings: ModelSettings, env: Environment) -> None:
        """Raise InputError without a valid key or address."""
        from openai import AsyncOpenAI

        found = endpoint(env, f"model {settings.model}")
        self.server = found.server
        self._key = found.key or NO_KEY
        self._retries = settings.max_retries
        self._http = AsyncOpenAI(
            api_key=self._key, base_url=found.address, max_retries=settings.max_retries, timeout=_TIMEOUT
        )

    async def aclose(self) -> None:
        """Close the connections."""
        await self._http.close()

    async def upload(self, content: bytes) -> str:
        """The id of a new input file."""
        with self._translated():
            return (await self._http.files.create(file=("ragset.jsonl", content), purpose="batch")).id

    async def create(self, file: str, since: float) -> str:
        """The id of the batch of an input file that was uploaded at `since`. No file becomes two batches."""
        once = self._http.with_options(max_retries=0).batches
        for failures in range(self._retries + 1):
            # The answer to an earlier try may have been lost, and the batch be there.
            if failures and (found := await self.find(file, since)):
                return found
            try:
                with self._translated():
                    return (await once.create(input_file_id=file, endpoint=_PATH, completion_window="24h")).id
            except LLMUnavailable:
                if failures == self._retries:
                    raise
                await asyncio.sleep(min(30.0, 0.5 * 2**failures))
        raise AssertionError

    async def find(self, file: str, since: float) -> str | None:
        """The id of the batch of an input file, if there is one, made at `since` or later."""
        with self._translated():
            async for batch in self._http.batches.list(limit=_PAGE):  # the newest first
                if batch.input_file_id == file:
                    return batch.id
                if batch.created_at < since - _EARLIER:
                    break
        return None

    async def look(self, batch: str) -> "Batch":
        """How far it is."""
        with self._translated():
            return await self._http.batches.retrieve(batch)

    async def read(self, batch: "Batch") -> bytes:
        """The lines of its output file and its error file."""
        files = [file for file in (batch.output_file_id, batch.error_file_id) if file]
        with self._translated():
            return b"\n".join([(await self._http.files.content(file)).content for file in files])

    async def await_end(self, batch: str, requests: int, settings: ModelSettings, shown: Shown) -> "Batch":
        """The batch when it has ended; until then `shown` is told how many of its requests are answered.

        Raises BatchPending if it takes longer than the settings allow.
        """
        now = asyncio.get_running_loop().time
        pause, until, failures, answered = _SOONEST, now() + 3600 * settings.batch_hours, 0, 0
        while True:
            try:
                found = await self.look(batch)
            except LLMUnavailable:
                failures += 1
                if failures > settings.max_retries:
                    raise
            else:
                failures = 0
                if found.status in _ENDED:
                    return found
                answered = found.request_counts.completed if found.request_counts else 0
                shown(batch, answered, requests)
            if now() >= until:
                raise BatchPending(
                    f"{self.server} has a batch of {settings.model} under way ({batch}, {answered:,} of {requests:,} requests "
                    "answered): run the same command later; it takes the batch up, and asks nothing twice"
                )
            await asyncio.sleep(min(pause, max(0.0, until - now())))
            pause = min(1.5 * pause, _LATEST)

    def refused(self, said: str) -> ProviderRefused:
        """The error of a provider that does not take a batch, with its words."""
        return ProviderRefused(
            f"{self.server} refuses the batch; set mode to live, or mend what it says: {excerpt(said, self._key)}"
        )

    @contextmanager
    def _translated(self) -> Generator[None]:
        from openai import APIConnectionError, APIStatusError

        try:
            yield
        except APIStatusError as error:
            said, status = quote(error, self._key), error.status_code
            if not is_transient(status) or of_funds(status, words_of(error)):
                raise self.refused(f"status {status}: {said}") from None
            fault = f"status {status}"
        except APIConnectionError:
            fault = "no connection"
        else:
            return
        raise LLMUnavailable(
            f"{self.server} did not answer about a batch ({fault}): run the same command later; batches under way are taken "
            "up again"
        ) from None


class Results(NamedTuple):
    """What a batch brought."""

    completions: dict[str, Completion]
    faults: Counter[str]
    """Why requests have no completion, counted."""


def request_line(key: str, body: dict[str, Any]) -> bytes:
    """A line of the input file; `key` names its result."""
    line = {"custom_id": key, "method": "POST", "url": _PATH, "body": body}
    return json.dumps(line, ensure_ascii=False).encode(errors="replace") + b"\n"


def read_results(content: bytes, keys: Collection[str], model: str) -> Results:
    """The results of `keys` in the lines of output and error files; lines that nobody can read count as missing."""
    completions: dict[str, Completion] = {}
    faults: dict[str, str] = {}
    for line in filter(None, content.splitlines()):
        try:
            result = json.loads(line)
            key, response = result["custom_id"], result.get("response") or {}
            if response.get("status_code") == 200:
                completions.setdefault(key, read_completion(response["body"], model, batch=True))
            else:
                faults[key] = str((result.get("error") or {}).get("code") or f"status {response.get('status_code')}")
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            continue
    found = {key: completions[key] for key in keys if key in completions}
    return Results(found, Counter(faults.get(key, "no result") for key in keys if key not in completions))
