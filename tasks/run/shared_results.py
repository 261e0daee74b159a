"""Results of tasks where machines share them."""

import asyncio
import hashlib
from typing import Any

from prefect.context import FlowRunContext
from prefect.filesystems import RemoteFileSystem

from ragset.storage import storage


class SharedResults(RemoteFileSystem):
    """Prefect's own, with one request for each file, in a thread: its four hold up the event loop, on which all models are asked."""

    _block_type_name = "ragset results"

    async def aread_path(self, path: str) -> bytes:
        """The content of a file."""
        content: Any = await asyncio.to_thread(self.filesystem.cat_file, self._resolve_path(path))
        return content

    async def awrite_path(self, path: str, content: bytes) -> str:
        """Write a file; its address."""
        address = self._resolve_path(path)
        await asyncio.to_thread(self.filesystem.pipe_file, address, content)
        return address


async def share_results() -> None:
    """Keep the results of the run's tasks in RAGSET_STORAGE, if it is set. The block holds no key: fsspec reads the environment."""
    context = FlowRunContext.get()
    if context is None or (address := storage()) is None:
        return
    block = SharedResults(basepath=f"{address}/results", settings={"use_listings_cache": False})
    await block.asave(f"ragset-results-{hashlib.sha256(address.encode()).hexdigest()[:8]}", overwrite=True)
    context.result_store = context.result_store.model_copy(update={"result_storage": block})
