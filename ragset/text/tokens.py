"""OpenAI's cl100k_base tokens, from the vocabulary that llama-index carries in its files: nothing is downloaded."""

import base64
import importlib.util
import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from ragset.errors import InputError

T = TypeVar("T")

_VOCABULARY = "9b5ad71b2ce5302211f9c61530b329a4922fc6a4"
"""How tiktoken names the file in its cache: the SHA-1 of the address that it would come from."""
_PATTERN = (
    r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++$|\s*[\r\n]|"
    r"\s+(?!\S)|\s"
)
_PIECE = 50_000
"""Characters encoded together: enough to keep threads busy, little enough that few tokens are Python objects at once."""
_LONGEST_RUN = 5_000
"""Characters without a space, or of spaces alone: older releases of tiktoken take the square of it in time."""
_THREADS = max(1, min(4, os.cpu_count() or 1))


def count_tokens(text: str) -> int:
    """How many cl100k_base tokens `text` has; names of special tokens in it are plain text.

    Exact but for runs of over 5,000 characters without a space, which are cut before they are encoded.
    """
    _, encoding = _vocabulary()
    return sum(_each(_without_surrogates(text), lambda piece: len(encoding.encode_ordinary(piece))))


def token_starts(text: str) -> NDArray[np.int64]:
    """The character at which each token begins; one that begins inside a character counts from that character."""
    lengths, encoding = _vocabulary()

    def starts(piece: str) -> NDArray[np.int64]:
        ends = np.cumsum(lengths[np.array(encoding.encode_ordinary(piece), dtype=np.int64)])
        firsts = np.concatenate([[0], ends[:-1]])
        if piece.isascii():
            return firsts
        content = np.frombuffer(piece.encode(), dtype=np.uint8)
        characters = np.cumsum((content & 0xC0) != 0x80) - 1
        return characters[firsts]

    text = _without_surrogates(text)
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


def _without_surrogates(text: str) -> str:
    """`text` as it can be encoded, at the same length."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode(errors="replace").decode()
    return text


@lru_cache(maxsize=1)
def _vocabulary() -> tuple[NDArray[np.int64], Any]:
    """Bytes of each token, and the encoding."""
    import tiktoken

    path = bundled("tiktoken_cache") / _VOCABULARY
    try:
        lines = path.read_bytes().splitlines()
    except OSError:
        raise InputError(f"{path}: the vocabulary of tokens is missing; install llama-index-core again") from None
    ranks = {base64.b64decode(token): int(rank) for token, _, rank in (line.partition(b" ") for line in lines)}
    encoding = tiktoken.Encoding("cl100k_base", pat_str=_PATTERN, mergeable_ranks=ranks, special_tokens={})
    lengths = np.zeros(len(ranks), dtype=np.int64)
    for token, rank in ranks.items():
        lengths[rank] = len(token)
    return lengths, encoding


def bundled(name: str) -> Path:
    """A folder of data inside llama-index, found without importing it."""
    spec = importlib.util.find_spec("llama_index.core")
    if spec is None or not spec.submodule_search_locations:
        raise InputError("llama-index-core is not installed; install ragset again")
    return Path(spec.submodule_search_locations[0]) / "_static" / name
