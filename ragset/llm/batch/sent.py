"""The batches that are under way, kept in the journal, so that a later run or another process takes them up."""

import asyncio
import hashlib
import json
import time
from collections.abc import Mapping
from typing import Any

from ragset.llm.batch.api import BatchAPI
from ragset.llm.journal import Journal, Spent
from ragset.llm.protocol import Completion
from ragset.models import Model


class SentBatch(Model):
    """A batch under way."""

    name: str  # of the fact in the journal
    file: str
    at: float  # when its file was uploaded, in seconds since 1970
    run: str
    keys: tuple[str, ...]
    most: Spent  # what it may cost
    id: str = ""  # empty: perhaps it was never made


class SentBatches:
    """Those of one model at one provider."""

    def __init__(self, identity: Mapping[str, Any], api: BatchAPI, journal: Journal) -> None:
        self.prefix = f"batch {hashlib.sha256(json.dumps(identity, sort_keys=True).encode()).hexdigest()[:16]} "
        self._api = api
        self._journal = journal

    async def send(self, content: bytes, keys: tuple[str, ...], most: Spent, run: str) -> SentBatch:
        """Make a batch of the lines in `content`."""
        at = time.time()
        file = await self._api.upload(content)
        sent = SentBatch(name=self.prefix + file, file=file, at=at, run=run, keys=keys, most=most)
        # Before the batch is made: a process that is killed in between must not make it twice.
        await self._journal.remember(sent.name, sent.model_dump_json())
        made = sent.model_copy(update={"id": await self._api.create(file, at)})
        await self._journal.remember(sent.name, made.model_dump_json())
        return made

    async def under_way(self) -> list[SentBatch]:
        """All that were made and whose replies are not kept; those that never were are forgotten."""
        found: list[SentBatch] = []
        for text in (await asyncio.to_thread(self._journal.facts, self.prefix)).values():
            sent = SentBatch.model_validate_json(text)
            if id_ := sent.id or await self._api.find(sent.file, sent.at):
                found.append(sent.model_copy(update={"id": id_}))
            else:
                await self.end(sent)
        return found

    async def end(self, sent: SentBatch, replies: Mapping[str, tuple[Completion, float | None]] | None = None) -> bool:
        """Keep its replies and forget it; False: another process has done so."""
        return await self._journal.put_batch(sent.name, replies or {}, run=sent.run)
