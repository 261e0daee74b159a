"""Texts in requests of a size that providers take, and several requests at a time."""

import threading
from collections.abc import Callable, Sequence
from contextvars import copy_context
from typing import NamedTuple, TypeVar

from ragset.retrieval.embedding.vectors import Vectors

T = TypeVar("T")

_AT_ONCE = 4
_LOOK = 0.1  # seconds between checks for Ctrl-C
_REQUEST_CHARS = 250_000  # providers bound the tokens of one request; OpenAI at 300,000


class Answer(NamedTuple):
    """What one request brought."""

    vectors: Vectors
    tokens: int = 0  # as the provider counted them; 0 where it is free


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

    Unless the model is `proven` to answer, the first request goes alone. After an error no further request begins, and
    those under way are waited for.
    """
    answers: dict[int, T] = {}
    errors: list[BaseException] = []
    places = iter(range(len(requests)))
    taking = threading.Lock()
    if not proven and requests:
        answers[next(places)] = ask(requests[0])

    def work() -> None:
        while not errors:
            with taking:
                place = next(places, None)
            if place is None:
                return
            try:
                answers[place] = ask(requests[place])
            except BaseException as error:
                errors.append(error)

    # Not those of an executor: Python waits for them before it ends, and a request may take minutes.
    threads = [
        threading.Thread(target=copy_context().run, args=(work,), daemon=True)
        for _ in requests[len(answers) :][:_AT_ONCE]
    ]
    for thread in threads:
        thread.start()
    try:
        for thread in threads:
            while thread.is_alive():
                thread.join(_LOOK)
    except BaseException as error:
        errors.append(error)  # interrupted: nothing further begins
        raise
    if errors:
        raise errors[0]
    return [answers[place] for place in range(len(requests))]
