"""Another system, asked query by query over HTTP, as a Python function, or as an object of a framework."""

import asyncio
import importlib
import inspect
import itertools
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import closing, contextmanager
from contextvars import copy_context
from functools import partial, wraps
from pathlib import Path
from typing import Any

from ragset.dataset.dialogue import Message
from ragset.documents.http_status import is_transient
from ragset.errors import InputError, LLMUnavailable, ProviderError
from ragset.evaluation.conversations import Form, asked_of, receiving
from ragset.evaluation.external import ExternalSystem
from ragset.evaluation.results.facts import UnansweredQuery
from ragset.evaluation.systems.frameworks import FRAMEWORKS, asked_as
from ragset.evaluation.systems.replies import Reply, read_reply
from ragset.llm.tracing import system_call, trace_headers
from ragset.models import Golden

_TRIES = 4
_PAUSE = 0.5
"""Seconds before the second try; twice as long each time."""


Ask = Callable[..., Any]
"""A query to what the system says to it, or to an awaitable of that; `history=` too, if it has such a parameter."""


def ask_queries(
    system: ExternalSystem, goldens: Sequence[Golden], ask: Ask | None = None, form: Form = "rewritten"
) -> tuple[dict[str, Reply], tuple[UnansweredQuery, ...]]:
    """The replies by golden id, and the queries that the system failed on, both in the order of the goldens.

    `ask` is the system itself, where it is in this process and not only named; one query at a time is asked in this thread. `form`
    is what it receives of goldens of several turns.

    Raises:
        ProviderError: more queries failed than `max_failures` allows; LLMUnavailable where the system was not reached.
    """
    ask = ask or _asker(system)
    allowed = system.failures_allowed(len(goldens))
    replies: dict[str, Reply] = {}
    errors: dict[str, ProviderError] = {}
    with _awaiting() as wait, closing(_each(ask, wait, system, goldens, form)) as asked:
        for golden, said in asked:
            if isinstance(said, ProviderError):
                errors[golden] = said
            else:
                replies[golden] = said
            if len(errors) > allowed:
                break
    failed = tuple(
        UnansweredQuery(golden=golden.id, query=_short(golden.query), reason=str(errors[golden.id]))
        for golden in goldens
        if golden.id in errors
    )
    if len(failed) > allowed:
        told = "; ".join(f"on query {one.query!r}: {one.reason}" for one in failed[:3])
        kind = LLMUnavailable if all(isinstance(one, LLMUnavailable) for one in errors.values()) else ProviderError
        raise kind(
            f"system {system.name}: failed on {len(failed)} of {len(replies) + len(failed)} queries, more than "
            f"max_failures ({system.max_failures:g}) allows: {told}"
        ) from next(iter(errors.values())).__cause__
    return {golden.id: replies[golden.id] for golden in goldens if golden.id in replies}, failed


def _each(
    ask: Ask, wait: Callable[[Any], Any], system: ExternalSystem, goldens: Sequence[Golden], form: Form
) -> Generator[tuple[str, Reply | ProviderError]]:
    """By golden id, as they come; of failures the error."""
    receive = receiving(ask)  # once, as what it takes is part of no latency

    def one(golden: Golden) -> Reply | ProviderError:
        try:
            asked = asked_of(golden, form)
            with system_call(system.name, asked.dialogue, golden.id):
                begun = time.perf_counter()
                said, seconds = wait(receive(asked)), time.perf_counter() - begun
            reply = read_reply(said)
        except ProviderError as error:
            return error
        return reply._replace(effort=reply.effort.model_copy(update={"seconds": round(seconds, 4)}))

    if system.max_concurrency == 1:
        yield from ((golden.id, one(golden)) for golden in goldens)
        return
    with ThreadPoolExecutor(system.max_concurrency) as pool:
        # In a copy of this context each, so that spans of the system become children of the one that is open here.
        asked = {pool.submit(copy_context().run, one, golden): golden.id for golden in goldens}
        try:
            yield from ((asked[done], done.result()) for done in as_completed(asked))
        finally:
            pool.shutdown(cancel_futures=True)


class _Unawaited(ThreadPoolExecutor):
    """Threads that a system gave up waiting for: nobody else waits for them."""

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: ARG002
        super().shutdown(wait=False, cancel_futures=True)


@contextmanager
def _awaiting() -> Generator[Callable[[Any], Any]]:
    """A function that waits for an awaitable, all on one event loop in a thread of its own; anything else it returns.

    One loop, as an asynchronous client works on the loop alone that it was first used on; its own thread, as a notebook has a
    loop running in this one.
    """
    from anyio.from_thread import start_blocking_portal

    async def finish(value: Any) -> Any:
        return await value

    async def prepare() -> None:
        asyncio.get_running_loop().set_default_executor(_Unawaited())

    with start_blocking_portal(name="asked systems") as portal:
        portal.call(prepare)
        yield lambda value: portal.call(finish, value) if inspect.isawaitable(value) else value


def check_system(system: ExternalSystem) -> None:
    """Raise InputError if its function cannot be imported, its address is none or a file of it is missing; nothing is asked."""
    for way, name in _functions(system):
        _imported(way, name)
    if system.http:
        _check_address(system)
    for field in ("runs", "chunks"):
        if (file := getattr(system, field)) and not Path(file).is_file():
            raise InputError(f"system {system.name}: {field}: {file}: there is no such file")


def _asker(system: ExternalSystem) -> Ask:
    for way, name in _functions(system):
        return _called(way, name)
    _check_address(system)
    return partial(_post, system)


def _functions(system: ExternalSystem) -> Iterator[tuple[str, str]]:
    """The function or object that is named, and by which field; at most one."""
    return ((way, name) for way in ("python", *FRAMEWORKS) if (name := getattr(system, way)))


def _check_address(system: ExternalSystem) -> None:
    if not system.http.startswith(("http://", "https://")):
        raise InputError(f"system {system.name}: http: must be an address such as http://localhost:9000/query")


def _post(system: ExternalSystem, query: str, history: Sequence[Message] = ()) -> Any:
    import httpx

    content = {"query": query, "history": history} if history else {"query": query}

    for tries in itertools.count(1):
        try:
            reply = httpx.post(system.http, json=content, headers=trace_headers(), timeout=system.timeout)
            if reply.is_success:
                return reply.json()
            fault, passes = f"status {reply.status_code} {reply.reason_phrase}".strip(), is_transient(reply.status_code)
        except httpx.HTTPError as error:
            fault, passes = _said(error), True
        except (ValueError, RecursionError):
            raise ProviderError("its reply is no JSON") from None
        if tries == _TRIES or not passes:
            told = f" in {tries} tries" if tries > 1 else ""
            raise (LLMUnavailable if passes else ProviderError)(f"{system.http} cannot be asked{told} ({fault})")
        time.sleep(_PAUSE * 2 ** (tries - 1))
    return None


def _said(error: BaseException) -> str:
    return _short(f"{type(error).__name__}: {error}".removesuffix(": "), 300)


def _short(text: str, most: int = 100) -> str:
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[:most]}…"


def _called(way: str, name: str) -> Ask:
    """What `module:name` names, ready to be asked; failures of it are ProviderErrors."""
    found = _imported(way, name)
    if way == "python" and not callable(found):
        raise InputError(f"python: {name!r} is no function")
    try:
        ask = found if way == "python" else asked_as(way, found)
    except InputError as error:
        raise InputError(f"{way}: {name!r}: {error}") from None
    except (Exception, SystemExit) as error:  # of the function that makes it
        raise InputError(f"{way}: {name!r} cannot be made ({_said(error)})") from error

    return guarded(ask, f"{way} {name!r}")


def guarded(function: Callable[..., Any], called: str) -> Callable[..., Any]:
    """A function whose failures are ProviderErrors: it is not ours, and may raise anything."""

    def failed(error: BaseException) -> ProviderError:
        return ProviderError(f"{called} failed: {_said(error)}")

    async def finish(value: Any) -> Any:
        try:
            return await value
        except (Exception, SystemExit) as error:
            raise failed(error) from error

    @wraps(function)  # whether it takes a history, its signature says
    def called_once(*given: Any, **named: Any) -> Any:
        try:
            said = function(*given, **named)
        except (Exception, SystemExit) as error:
            raise failed(error) from error
        return finish(said) if inspect.isawaitable(said) else said

    return called_once


def _imported(way: str, name: str) -> Any:
    module, _, attribute = name.partition(":")
    try:
        return getattr(importlib.import_module(module), attribute)
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] != module.partition(".")[0]:
            raise InputError(f"{way}: {name!r} cannot be imported, since {module} fails ({_said(error)})") from error
        raise InputError(
            f"{way}: {name!r} cannot be imported: no module {error.name} on the path of Python; write module:name, and name the "
            "folder that holds the module in PYTHONPATH (PYTHONPATH=. for this one)"
        ) from None
    except (ImportError, AttributeError, ValueError) as error:
        raise InputError(f"{way}: {name!r} cannot be imported ({error}); write module:name") from None
    except (Exception, SystemExit) as error:  # of the module itself
        raise InputError(f"{way}: {name!r} cannot be imported, since {module} fails ({_said(error)})") from error
