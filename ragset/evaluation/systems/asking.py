"""Another system, asked query by query over HTTP, as a Python function, or as an object of a framework."""

import importlib
import itertools
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextvars import copy_context
from typing import Any

from ragset.documents.http_status import is_transient
from ragset.errors import InputError, LLMUnavailable, ProviderError
from ragset.evaluation.grid import ExternalSystem
from ragset.evaluation.results.model import UnansweredQuery
from ragset.evaluation.systems.frameworks import FRAMEWORKS, asked_as
from ragset.evaluation.systems.replies import Reply, read_reply
from ragset.llm.tracing import carried, system_call
from ragset.models import Golden

_TRIES = 4
_PAUSE = 0.5
"""Seconds before the second try; twice as long each time."""


def ask_queries(
    system: ExternalSystem, goldens: Sequence[Golden]
) -> tuple[dict[str, Reply], tuple[UnansweredQuery, ...]]:
    """The replies by golden id, and the queries that the system failed on, both in the order of the goldens.

    Raises:
        ProviderError: more queries failed than `max_failures` allows; LLMUnavailable where the system was not reached.
    """
    ask = _asker(system)
    allowed = system.failures_allowed(len(goldens))
    replies: dict[str, Reply] = {}
    errors: dict[str, ProviderError] = {}
    with ThreadPoolExecutor(system.max_concurrency) as pool:
        # In a copy of this context each, so that spans of the system become children of the one that is open here.
        asked = {pool.submit(copy_context().run, _timed, ask, system.name, golden): golden.id for golden in goldens}
        try:
            for done in as_completed(asked):
                try:
                    said, seconds = done.result()
                    reply = read_reply(said)
                    timed = reply.effort.model_copy(update={"seconds": round(seconds, 4)})
                    replies[asked[done]] = reply._replace(effort=timed)
                except ProviderError as error:
                    errors[asked[done]] = error
                if len(errors) > allowed:
                    break
        finally:
            pool.shutdown(cancel_futures=True)
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
        )
    return {golden.id: replies[golden.id] for golden in goldens if golden.id in replies}, failed


def _timed(ask: Callable[[str], Any], name: str, golden: Golden) -> tuple[Any, float]:
    with system_call(name, golden.query, golden.id):
        begun = time.perf_counter()
        return ask(golden.query), time.perf_counter() - begun


def _asker(system: ExternalSystem) -> Callable[[str], Any]:
    for way in ("python", *FRAMEWORKS):
        if name := getattr(system, way):
            return _called(way, name)
    if not system.http.startswith(("http://", "https://")):
        raise InputError(f"system {system.name}: http: must be an address such as http://localhost:9000/query")
    return lambda query: _post(system, query)


def _post(system: ExternalSystem, query: str) -> Any:
    import httpx

    for tries in itertools.count(1):
        try:
            reply = httpx.post(system.http, json={"query": query}, headers=carried(), timeout=system.timeout)
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


def _called(way: str, name: str) -> Callable[[str], Any]:
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

    def call(query: str) -> Any:
        try:
            return ask(query)
        except (Exception, SystemExit) as error:  # it is not ours, and may raise anything
            raise ProviderError(f"{way} {name!r} failed: {_said(error)}") from error

    return call


def _imported(way: str, name: str) -> Any:
    module, _, attribute = name.partition(":")
    try:
        return getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError, ValueError) as error:
        raise InputError(f"{way}: {name!r} cannot be imported ({error}); write module:name") from None
    except (Exception, SystemExit) as error:  # of the module itself
        raise InputError(f"{way}: {name!r} cannot be imported, since {module} fails ({_said(error)})") from error
