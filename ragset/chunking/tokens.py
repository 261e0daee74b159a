"""OpenAI's cl100k_base tokens, from the vocabulary that llama-index carries in its files: nothing is downloaded."""

import base64
import importlib.util
import os
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ragset.errors import InputError

_VOCABULARY = "9b5ad71b2ce5302211f9c61530b329a4922fc6a4"
"""How tiktoken names the file in its cache: the SHA-1 of the address that it would come from."""
_PATTERN = (
    r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++$|\s*[\r\n]|"
    r"\s+(?!\S)|\s"
)
_PIECE = 50_000
"""Characters encoded together; pieces end at white space, so hardly a token is cut."""
_LONGEST_RUN = 2_000
"""Characters without white space: tiktoken's time grows with the square of such a run."""
_RUN = re.compile(rf"\S{{{_LONGEST_RUN}}}(?=\S)")
_THREADS = max(1, min(4, os.cpu_count() or 1))


def count_tokens(text: str) -> int:
    """How many cl100k_base tokens `text` has; names of special tokens in it are plain text."""
    return sum(map(len, _encoded(text)))


def token_starts(text: str) -> NDArray[np.int64]:
    """The character at which each token begins; one that begins inside a character counts from that character."""
    lengths, _ = _vocabulary()
    tokens = np.array([token for piece in _encoded(text) for token in piece], dtype=np.int64)
    if not len(tokens):
        return np.zeros(0, dtype=np.int64)
    ends = np.cumsum(lengths[tokens])
    starts = np.concatenate([[0], ends[:-1]])
    if text.isascii():
        return starts
    content = np.frombuffer(text.encode("utf-8", "replace"), dtype=np.uint8)
    characters = np.cumsum((content & 0xC0) != 0x80) - 1
    return characters[starts].astype(np.int64)


def _encoded(text: str) -> list[list[int]]:
    _, encoding = _vocabulary()
    return encoding.encode_ordinary_batch(list(_pieces(text)), num_threads=_THREADS)


def _pieces(text: str) -> Iterator[str]:
    """`text` in pieces that can each be encoded quickly."""
    start = 0
    while start < len(text):
        end = min(start + _PIECE, len(text))
        if end < len(text):
            space = max(text.rfind(" ", start, end), text.rfind("\n", start, end))
            end = space if space > start else end
        run = _RUN.search(text, start, end)
        if run:
            end = run.end()
        yield text[start:end]
        start = end


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
