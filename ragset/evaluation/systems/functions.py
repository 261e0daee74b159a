"""A function or object in this process as a system under test: what it returns, in the form of a reply."""

import inspect
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, cast

from ragset.dataset.dialogue import Message
from ragset.documents.corpus import Corpus
from ragset.errors import InputError, ProviderError
from ragset.evaluation.conversations import Asked, parameters_of, receiving
from ragset.evaluation.systems.alignment import names_of
from ragset.evaluation.systems.asking import guarded
from ragset.evaluation.systems.frameworks import asked_as, framework_of, passage_of
from ragset.models import Span

RETURNS = (
    "a list, best first, of texts, ids (doc_id:start-end, or of a document), spans, (document, start, end), objects with "
    "text, document or id, nodes or documents of a framework, or of (one of these, score)"
)

_BESIDE = ("usage", "model", "cost", "citations")
"""What a reply may say beside its passages and its answer."""


class FunctionSystem:
    """A function that retrieves, one that answers, or both, as one that is asked a query."""

    def __init__(self, retrieve: Any, answer: Any, corpus: Corpus, chunks: Collection[str] = ()) -> None:
        """`answer` is given the query, and what `retrieve` returned if it takes that; `chunks` are ids of passages."""
        first = answer if retrieve is None else retrieve
        if first is None:
            raise InputError("give a function that retrieves (retrieve=), one that answers (answer=), or both")
        self.name = _name_of(first)
        self.asynchronous = any(map(_is_asynchronous, (retrieve, answer)))
        self._retrieve = None if retrieve is None else receiving(_asked(retrieve, "retrieve"))
        self._answer = None if answer is None else receiving(_asked(answer, "answer"))
        self._reads = answer is not None and retrieve is not None and _required(answer) > 1
        self._corpus = corpus
        self._chunks = chunks

    def ask(self, query: str, history: Sequence[Message] = ()) -> Any:
        """The reply as `read_reply` takes it, or an awaitable of it."""
        asked = Asked(query, tuple(history))
        found = self._retrieve(asked) if self._retrieve else None
        if inspect.isawaitable(found):
            return self._finish(asked, found)
        said = self._said(asked, found)
        return self._finish(asked, found, said) if inspect.isawaitable(said) else self._reply(found, said)

    async def _finish(self, asked: Asked, found: Any, said: Any = None) -> dict[str, Any]:
        if said is None:
            found = await found
            said = self._said(asked, found)
        return self._reply(found, await said if inspect.isawaitable(said) else said)

    def _said(self, asked: Asked, found: Any) -> Any:
        if self._answer is None:
            return None
        return self._answer(asked, found) if self._reads else self._answer(asked)

    def _reply(self, found: Any, said: Any) -> dict[str, Any]:
        passages, answer = _parted(found)
        if self._answer is not None:
            others, answer = _parted(said, answers=True)
            passages = passages if self._retrieve else others
        beside = {
            name: one[name] for one in (found, said) if isinstance(one, Mapping) for name in _BESIDE if name in one
        }
        return {**beside, "passages": self.passages(passages), "answer": answer}

    def passages(self, found: Any) -> list[dict[str, Any]]:
        """What a function returned, each as a passage of a reply.

        Raises:
            ProviderError: it is of no form that is known.
        """
        if found is None:
            return []
        if isinstance(found, str | Mapping) or not isinstance(found, Iterable):
            raise ProviderError(f"it returned {type(found).__name__}, and must return {RETURNS}")
        return [self._passage(one, rank) for rank, one in enumerate(cast("Iterable[Any]", found), start=1)]

    def _passage(self, one: Any, rank: int) -> dict[str, Any]:
        if isinstance(one, str):
            return {"id": one} if self._is_id(one) else {"text": one}
        if isinstance(one, Mapping):
            return dict(cast("Mapping[str, Any]", one))
        if isinstance(one, Span):
            return {"document": one.doc_id, "start": one.start, "end": one.end}
        parts: tuple[Any, ...] = tuple(cast("Iterable[Any]", one)) if isinstance(one, tuple | list) else ()
        if len(parts) == 3 and isinstance(parts[0], str):
            return {"document": parts[0], "start": _whole(parts[1]), "end": _whole(parts[2])}
        if len(parts) == 2 and (score := _number(parts[1])) is not None:
            return {**self._passage(parts[0], rank), "score": score}
        if found := passage_of(one):
            return found
        raise ProviderError(f"passage {rank} is of type {type(one).__name__}; a function must return {RETURNS}")

    def _is_id(self, text: str) -> bool:
        if text in self._chunks:
            return True
        document, _, place = text.rpartition(":")
        if document in self._corpus and place.replace("-", "", 1).isdecimal():
            return True
        return len(text) <= self._longest and text in self._documents

    @cached_property
    def _documents(self) -> frozenset[str]:
        """What documents are called."""
        return frozenset(name for document in self._corpus for name in names_of(document) if name)

    @cached_property
    def _longest(self) -> int:
        return max(map(len, self._documents), default=0)


def _asked(system: Any, called: str) -> Callable[..., Any]:
    way = framework_of(system)
    if not way and not callable(system):
        told = "a function, or a retriever, chain, query engine or pipeline of LlamaIndex, LangChain or Haystack"
        raise InputError(f"{called}: {type(system).__name__} cannot be called; give {told}")
    return guarded(asked_as(way, system) if way else system, f"{called} {_name_of(system)!r}")


def _parted(said: Any, *, answers: bool = False) -> tuple[Any, Any]:
    """Passages and answer of what a function returned."""
    if isinstance(said, Mapping) and ("passages" in said or "answer" in said):
        reply = cast("Mapping[str, Any]", said)
        return reply.get("passages"), reply.get("answer")
    response: Any = said
    if hasattr(response, "source_nodes"):  # of LlamaIndex
        return response.source_nodes, response.response
    return (None, said) if answers else (said, None)


def _name_of(system: Any) -> str:
    named = getattr(system, "func", system)  # of a partial
    return str(getattr(named, "__name__", type(named).__name__)).strip("<>")[:100]


def _is_asynchronous(system: Any) -> bool:
    return inspect.iscoroutinefunction(system) or inspect.iscoroutinefunction(getattr(system, "__call__", None))  # noqa: B004


def _required(function: Any) -> int:
    """How many arguments it must be given by their place."""
    places = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    given = parameters_of(function).values()
    return sum(one.kind in places and one.default is one.empty and one.name != "history" for one in given)


def _number(value: Any) -> float | None:
    """Also of numpy; None of what is no number."""
    try:
        return None if isinstance(value, str | bool) else float(value)
    except (TypeError, ValueError):
        return None


def _whole(value: Any) -> Any:
    """A whole number of numpy as one of Python."""
    return value.item() if hasattr(value, "item") else value
