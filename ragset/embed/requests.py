"""Texts in requests of a size that providers take, and several requests under way at a time."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple, TypeVar

from ragset.embed.vectors import Vectors

T = TypeVar("T")

_AT_ONCE = 4
_REQUEST_CHARS = 250_000
"""Providers bound the tokens of one request; OpenAI at 300,000."""


class Answer(NamedTuple):
    """What one request brought."""

    vectors: Vectors
    """A row for each text."""
    tokens: int = 0
    """As the provider counted them; 0 where it is free."""


def requests_of(texts: Sequence[str], size: int) -> list[list[str]]:
    """`texts` in their order, at most `size` to a request."""
    requests: list[list[str]] = []
    chars = 0
    for text in texts:
        if not requests or len(requests[-1]) == size or chars + len(text) > _REQUEST_CHARS:
            requests.append([])
            chars = 0
        requests[-1].append(text)
        chars += len(text)
    return requests


def ask_each(ask: Callable[[list[str]], T], requests: Sequence[list[str]], *, proven: bool = False) -> list[T]:
    """The answers in the order of the requests, a few of which are under way at a time.

    Unless the model is `proven` to answer, the first goes alone, so that a wrong key or name costs one request. After an error
    no further one begins, and those under way are waited for.
    """
    first = [] if proven else [ask(request) for request in requests[:1]]
    if not (rest := requests[len(first) :]):
        return first
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        return [*first, *pool.map(ask, rest)]
