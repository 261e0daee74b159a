"""Chunks that are not worth retrieving."""

import hashlib
from collections.abc import Iterable

from ragset.models import Chunk, Reject

_LEAST_LETTERS = 20
"""Letters and digits; a page number or a lone heading has fewer."""


def drop_poor(chunks: Iterable[Chunk]) -> tuple[list[Chunk], list[Reject]]:
    """The chunks without those that say next to nothing, or what an earlier one says word for word."""
    kept: list[Chunk] = []
    rejects: list[Reject] = []
    seen: dict[bytes, str] = {}
    for chunk in chunks:
        if sum(character.isalnum() for character in chunk.text) < _LEAST_LETTERS:
            rejects.append(_reject(chunk, "near_empty", f"{len(chunk.text)} characters"))
            continue
        key = hashlib.blake2b(" ".join(chunk.text.split()).encode(), digest_size=16).digest()
        if key in seen:
            rejects.append(_reject(chunk, "repeated", f"the same text as {seen[key]}"))
            continue
        seen[key] = chunk.id
        kept.append(chunk)
    return kept, rejects


def _reject(chunk: Chunk, reason: str, detail: str) -> Reject:
    return Reject(stage="chunk", reason=reason, detail=detail, chunks=(chunk.id,))
