"""The chunks that an index leaves out, in a file beside it: with many, each task that is given the index would take seconds."""

import hashlib
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from ragset.errors import StoreError
from ragset.models import Reject
from ragset.retrieval.index.files import DROPPED
from ragset.storage.shared import bring, share
from tasks.documents import shared_name


def write_dropped(folder: Path, generation: str, rejects: Sequence[Reject]) -> str:
    """The name of a file in the folder of an index that holds the rejects; it stays while the generation does. Empty without any."""
    if not rejects:
        return ""
    text = "".join(f"{reject.model_dump_json()}\n" for reject in rejects).encode()
    # The same rows may be left of other documents.
    path = folder / f"{DROPPED}-{generation}-{hashlib.sha256(text).hexdigest()[:16]}.jsonl"
    partial = path.with_name(f"{path.name}.{os.getpid()}.partial")
    partial.write_bytes(text)
    partial.replace(path)
    share({shared_name(path): path})
    return path.name


def read_dropped(path: Path) -> Iterator[Reject]:
    """The rejects in a file that this machine or another one has written."""
    bring(shared_name(path), path)
    try:
        with path.open("rb") as file:
            yield from map(Reject.model_validate_json, file)
    except FileNotFoundError:
        raise StoreError(f"{path}: is missing; run the same command again") from None
