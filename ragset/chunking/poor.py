"""Chunks that are not worth retrieving."""

import hashlib
from collections.abc import Iterable
from unicodedata import east_asian_width

from ragset.models import Chunk, Reject

_LEAST_LETTERS = 20  # letters and digits; a page number or a lone heading has fewer
_WIDE = 3  # for how many of them a Chinese character, kana or Hangul syllable counts


def drop_poor(chunks: Iterable[Chunk]) -> tuple[list[Chunk], list[Reject]]:
    """The chunks without those that say next to nothing, or what an earlier one says word for word."""
    kept: list[Chunk] = []
    rejects: list[Reject] = []
    seen: dict[bytes, str] = {}
    for chunk in chunks:
        if _says_nothing(chunk.text):
            rejects.append(_reject(chunk, "near_empty", f"{len(chunk.text)} characters"))
            continue
        key = hashlib.blake2b(" ".join(chunk.text.split()).encode(), digest_size=16).digest()
        if key in seen:
            rejects.append(_reject(chunk, "repeated", f"the same text as {seen[key]}"))
            continue
        seen[key] = chunk.id
        kept.append(chunk)
    return kept, rejects


def _says_nothing(text: str) -> bool:
    letters = 0
    for character in text:
        if character.isalnum():
            letters += _WIDE if east_asian_width(character) in "WF" else 1
            if letters >= _LEAST_LETTERS:
                return False
    return True


def _reject(chunk: Chunk, reason: str, detail: str) -> Reject:
    return Reject(stage="chunk", reason=reason, detail=detail, chunks=(chunk.id,))
